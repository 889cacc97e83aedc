package io.millrace.server;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.codec.SecretKeys;
import io.millrace.instance.AuditEntry;
import io.millrace.instance.MillraceException;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.ServedFlow;
import io.millrace.server.api.ApiServer;
import io.millrace.server.api.FlowServices;
import io.millrace.server.config.ExposureCheck;
import io.millrace.server.config.HttpConfig.TlsMode;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.SecurityConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.notice.SubscriptionTokens;
import io.millrace.server.observe.Observability;
import io.millrace.server.plugin.JarCopies;
import io.millrace.server.plugin.JarHealthChecks;
import io.millrace.server.plugin.Plugins;
import io.millrace.server.plugin.TaskJars;
import io.millrace.server.security.Accounts;
import io.millrace.server.security.GeneratedLogin;
import io.millrace.server.security.Guard;
import io.millrace.server.security.OutboundClient;
import io.millrace.server.security.PublicServerInfo;
import io.millrace.server.security.SecretNames;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running server: pool, accounts, workflows, engine and HTTP, opened in this order. {@link
 * #close} stops it in good order: readiness turns false, the engine drains, and requests are
 * answered until the drain has ended.
 */
public final class MillraceServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(MillraceServer.class);

  private final LoadedConfig loaded;
  private final ServerConfig config;
  private final ServerExtensions serverExtensions;
  private final EngineRuntime runtime;
  private final AccountsOpener accountsOpener;
  private final ApiServer apiServer;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final CountDownLatch replaced = new CountDownLatch(1);
  private final HikariDataSource pool;
  private Optional<GeneratedLogin> firstLogin = Optional.empty();
  private @Nullable JarCopies copies;
  private @Nullable Plugins plugins;
  private @Nullable SequenceRuntime sequenceRuntime;
  private @Nullable Observability observability;
  private @Nullable Engine engine;
  private @Nullable StatisticsCollector statisticsCollector;
  private @Nullable JarHealthChecks health;
  private volatile @Nullable ServerFlows flows;

  /** Opens the accounts in the database of a server. */
  @FunctionalInterface
  interface AccountsOpener {
    Accounts open(DataSource dataSource, SchemaMode mode, EngineClock clock);
  }

  private MillraceServer(
      LoadedConfig loaded,
      ServerExtensions serverExtensions,
      EngineRuntime runtime,
      AccountsOpener accountsOpener) {
    this.loaded = loaded;
    this.config = loaded.config();
    this.serverExtensions = serverExtensions;
    this.runtime = runtime;
    this.accountsOpener = accountsOpener;
    this.apiServer = new ApiServer(runtime);
    this.pool = DatabasePool.open(config.database());
  }

  /**
   * Starts all parts of a server.
   *
   * @throws RuntimeException if a part cannot be opened; all parts are closed again then
   */
  public static MillraceServer start(LoadedConfig loaded, ServerExtensions serverExtensions) {
    return start(loaded, serverExtensions, EngineRuntime.system(), Accounts::open);
  }

  /** Starts the same on a given clock, with accounts whose passwords may be hashed in less time. */
  static MillraceServer start(
      LoadedConfig loaded,
      ServerExtensions serverExtensions,
      EngineRuntime runtime,
      AccountsOpener accountsOpener) {
    MillraceServer server = new MillraceServer(loaded, serverExtensions, runtime, accountsOpener);
    try {
      server.open();
      return server;
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  private void open() {
    loaded.notes().forEach(LOG::info);
    ListenCheck.logTrustedProxies(config.http(), config.security().oidc());
    ListenCheck.check(config.http());
    Accounts accounts = accountsOpener.open(pool, config.database().schema(), runtime.clock());
    ExposureCheck.check(config, accounts::hasUsers);
    firstLogin = firstLogin(accounts);
    warnOfKeys(accounts.endKeysWithoutOwner());
    Path folder = config.work().jars();
    JarCopies copies = JarCopies.below(config.work().home());
    this.copies = copies;
    Plugins plugins = Plugins.load(folder, pool, copies);
    this.plugins = plugins;
    plugins.codec();
    TaskJars jars = new TaskJars(folder, copies, plugins.problems());
    SequenceRuntime sequenceRuntime = SequenceRuntime.open(config, pool, runtime, jars);
    this.sequenceRuntime = sequenceRuntime;
    SqlStore store =
        SqlStore.open(pool, new SqlStore.Options(config.database().schema(), null, true));
    Observability observability =
        new Observability(
            config.observe(),
            pool,
            store,
            config.engine().executorGroup(),
            config.engine().retention(),
            runtime);
    this.observability = observability;
    MaintenanceService maintenanceService =
        new MaintenanceService(
            config.observe(),
            outside(),
            new SubscriptionTokens(accounts.secret("subscriptions")),
            runtime.clock());
    Engine engine = engine(store, plugins, sequenceRuntime, observability, maintenanceService);
    this.engine = engine;
    sequenceRuntime.register(engine.sequences());
    observability.start(engine);
    statisticsCollector = new StatisticsCollector(engine.admin(), runtime.runner());
    JarHealthChecks health = JarHealthChecks.start(plugins, runtime);
    this.health = health;
    FlowServices flowServices = openFlows(plugins, observability);
    listen(
        new ApiServer.Components(
            config.http(),
            guard(accounts, engine),
            engine,
            store,
            () -> !stopping.get() && !isReplaced(),
            SettingsView.serverInfo(
                loaded,
                new SettingsView.Jars(plugins, health),
                sequenceRuntime,
                observability,
                maintenanceService),
            new ApiServer.ServerServices(
                sequenceRuntime.reports(),
                flowServices,
                SecretNames.with(config.secrets().names()),
                () -> namesOf(health.failures()))));
    ServerFlows flows = this.flows;
    if (flows != null) {
      flows.start();
    }
  }

  private static void warnOfKeys(List<String> withoutOwner) {
    if (!withoutOwner.isEmpty()) {
      LOG.warn(
          "API keys without an owner end with no user; replace them before they expire: {}",
          String.join(", ", withoutOwner));
    }
  }

  private static List<String> namesOf(List<JarHealthChecks.Failure> failures) {
    return failures.stream().map(JarHealthChecks.Failure::check).toList();
  }

  private @Nullable FlowServices openFlows(Plugins plugins, Observability observability) {
    List<ServedFlow> works = new ArrayList<>(plugins.flows());
    works.addAll(serverExtensions.flows());
    ServerFlows flows =
        ServerFlows.open(
            config.work().redis(), runtime, config.engine().runsInstances() ? works : List.of());
    this.flows = flows;
    if (flows == null) {
      return null;
    }
    observability.watch(flows.services().admin());
    return flows.services();
  }

  /**
   * Starts the engine. An engine closes its store, but one that could not start has not closed it.
   */
  private Engine engine(
      SqlStore store,
      Plugins plugins,
      SequenceRuntime sequenceRuntime,
      Observability observability,
      MaintenanceService maintenanceService) {
    EngineBuilder builder =
        Engine.builder()
            .runtime(runtime)
            .store(store)
            .workflows(apiServer.workflows())
            .workflows(maintenanceService.workflows())
            .settings(config.engine())
            .recycle(config.node().recycle())
            .onExecutorStopped(this::retired);
    if (config.node().recyclesInPlace()) {
      builder.recycleInPlace();
    }
    plugins.addTo(builder);
    sequenceRuntime.addTo(builder);
    serverExtensions.parts().accept(builder);
    apiServer.listeners().forEach(builder::listener);
    SecretKeys keys = config.secrets().forEngine();
    if (keys != null) {
      builder.secretKey(keys);
    }
    try {
      return observability.prepare(builder).start();
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Returns true if another process replaces this one from now on. */
  private boolean isReplaced() {
    return engine().stopReason().map(MillraceServer::endsProcess).orElse(false);
  }

  /**
   * Returns true for the reasons that end the process. After an operator has drained one executor,
   * the server still answers requests.
   */
  private static boolean endsProcess(StopReason reason) {
    return reason == StopReason.ROLLOUT || reason == StopReason.RECYCLE;
  }

  private void retired(StopReason reason) {
    ServerFlows flows = this.flows;
    if (flows != null) {
      flows.drain(config.engine().drainGrace());
    }
    if (!endsProcess(reason)) {
      LOG.info(
          "The executor has left; this server runs nothing more, and answers until it is stopped");
      return;
    }
    LOG.info(
        "The executor has left for a {}; the process ends in {} seconds, and its supervisor is to"
            + " start it again",
        reason.name().toLowerCase(Locale.ROOT),
        config.node().unreadyTime().toSeconds());
    replaced.countDown();
  }

  /** Waits until the process must end because another one replaces it. */
  public void awaitReplaced() throws InterruptedException {
    replaced.await();
    runtime.runner().waiter().await(config.node().unreadyTime());
  }

  private OutboundClient outside() {
    return OutboundClient.allowing(Set.copyOf(config.observe().webhookHosts()), runtime.clock());
  }

  private Guard guard(Accounts accounts, Engine engine) {
    return accounts.guard(
        config.http(),
        config.security(),
        new PublicServerInfo(MillraceVersion.millrace(), serverExtensions.notice()),
        (actor, action, target, reason) ->
            engine.admin().audit(new AuditEntry(actor, action, null, target, reason, null)));
  }

  private void listen(ApiServer.Components components) {
    try {
      apiServer.open(components);
    } catch (RuntimeException e) {
      throw new MillraceException(
          "Nothing can listen at http.bind = "
              + config.http().bind()
              + ", http.port = "
              + config.http().port()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /**
   * Creates the first user, which is the configured one. A password is generated only where nobody
   * but the person at this machine can read it from the screen.
   */
  private Optional<GeneratedLogin> firstLogin(Accounts accounts) {
    SecurityConfig securityConfig = config.security();
    boolean invented =
        securityConfig.oidc() == null && ExposureCheck.isLoopback(config.http().bind());
    return securityConfig.enabled() && (securityConfig.admin() != null || invented)
        ? accounts.createFirstAdmin(securityConfig.admin())
        : Optional.empty();
  }

  /** Returns the login that was generated at this start, which is shown once. */
  Optional<GeneratedLogin> firstLogin() {
    return firstLogin;
  }

  public Engine engine() {
    return opened(engine);
  }

  /** Returns the Redis flows; null without Redis. */
  @Nullable
  public ServerFlows flows() {
    return flows;
  }

  Plugins plugins() {
    return opened(plugins);
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("The server is not open");
    }
    return part;
  }

  /** Returns the address of the server for the output to users. */
  public String address() {
    String scheme = config.http().tls().mode() == TlsMode.KEYSTORE ? "https" : "http";
    String bind = config.http().bind();
    String name = bind.contains(":") ? "[" + bind + "]" : bind;
    String path = config.http().contextPath();
    return scheme + "://" + name + ":" + apiServer.port() + (path.equals("/") ? path : path + "/");
  }

  /** Stops within the drain grace period; the pool is closed last. */
  @Override
  public void close() {
    stopping.set(true);
    Observability observability = this.observability;
    close("alerts", observability == null ? null : observability::stop);
    close("statistics", statisticsCollector);
    close("health checks", health);
    ServerFlows flows = this.flows;
    if (flows != null) {
      flows.drain(config.engine().drainGrace());
    }
    close("engine", engine);
    close(
        "workers of Redis flows",
        flows == null ? null : () -> flows.awaitDrained(config.engine().drainGrace()));
    close("HTTP interface", apiServer);
    close("channels", sequenceRuntime);
    close("observability", observability);
    close("connection to Redis", flows);
    close("workflows", plugins);
    close("jars", copies);
    close("pool", pool);
  }

  /**
   * Closes a part. Logs a failure instead of throwing it, so that the other parts are closed too.
   */
  private static void close(String name, @Nullable AutoCloseable part) {
    if (part == null) {
      return;
    }
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("The {} did not stop in good order", name, e);
    }
  }
}
