package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.EngineBuilder;
import io.millrace.WorkflowClient;
import io.millrace.codec.SecretKeys;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.retry.RetryPolicy;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.SequenceService;
import io.millrace.server.LongLease;
import io.millrace.server.Patience;
import io.millrace.server.TestTables;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.config.SecurityConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.http.Route;
import io.millrace.server.notice.MaintenanceService;
import io.millrace.server.notice.SubscriptionTokens;
import io.millrace.server.report.ReportService;
import io.millrace.server.security.Accounts;
import io.millrace.server.security.Guard;
import io.millrace.server.security.OutboundClient;
import io.millrace.server.security.PublicServerInfo;
import io.millrace.server.security.SecretNames;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The HTTP interface with a real engine and a database. */
final class TestServer implements AutoCloseable {

  /** Start time of a server with its own database; neither an hour nor a day ends soon after it. */
  static final Instant START = Instant.parse("2026-11-26T10:20:00Z");

  /** A time limit that is long enough for a busy machine, and short enough to wait for. */
  private static final Duration SHORT_TIME = Duration.ofSeconds(5);

  /** Poll interval of an idle engine, so that it soon finds changes without an event. */
  private static final Duration IDLE = Duration.ofMillis(50);

  /** Time that the clock skips between two checks; the engine has pauses of some seconds. */
  private static final Duration SKIPPED = Duration.ofMillis(500);

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private final HikariDataSource pool;
  private final Engine engine;
  private final ApiServer host;
  private final EngineEventWaiter engineEventWaiter;

  private final Store store;
  private final EngineClock clock;

  private TestServer(
      HikariDataSource pool,
      Store store,
      Engine engine,
      ApiServer host,
      EngineEventWaiter engineEventWaiter,
      EngineClock clock) {
    this.store = store;
    this.clock = clock;
    this.engineEventWaiter = engineEventWaiter;
    this.pool = pool;
    this.engine = engine;
    this.host = host;
  }

  /** Starts a server on the clock of the machine, as all servers that share a database. */
  static TestServer start(String url, int port, String contextPath) {
    return start(
        url, port, contextPath, shared(Patience.LIMIT, store -> store, TestServer::patient));
  }

  /**
   * Starts the same with the default leases, so that others soon continue after it was killed.
   *
   * @param around wraps the store that engine and interface use
   */
  static TestServer start(String url, int port, String contextPath, UnaryOperator<Store> around) {
    return start(url, port, contextPath, shared(Patience.LIMIT, around, builder -> builder));
  }

  private static Parts shared(
      Duration requestTime, UnaryOperator<Store> around, UnaryOperator<EngineBuilder> more) {
    return new Parts(
        requestTime,
        EngineRuntime.system(),
        SqlStore.Options.DEFAULT,
        around,
        more,
        DEFAULTS.observe(),
        null);
  }

  /**
   * Starts a server with its own database in memory, with a clock that starts at {@link #START}.
   */
  private static TestServer own(
      UnaryOperator<EngineBuilder> more,
      ObservabilityConfig observabilityConfig,
      FlowServices flows) {
    EngineClock clock = new RunningClock(START);
    EngineRuntime system = EngineRuntime.system();
    return start(
        ownDatabase(),
        0,
        "/",
        new Parts(
            Patience.LIMIT,
            new EngineRuntime(clock, system.runner(), system.random(), system.process()),
            new SqlStore.Options(SchemaMode.CREATE, clock, true),
            store -> store,
            builder -> more.apply(patient(builder)),
            observabilityConfig,
            flows));
  }

  /**
   * The parts of a server, besides its address.
   *
   * @param requestTime how long a client may take to send a request
   * @param around wraps the store that engine and interface use
   * @param flows null for none
   */
  private record Parts(
      Duration requestTime,
      EngineRuntime runtime,
      SqlStore.Options options,
      UnaryOperator<Store> around,
      UnaryOperator<EngineBuilder> more,
      ObservabilityConfig observabilityConfig,
      FlowServices flows) {}

  private static TestServer start(String url, int port, String contextPath, Parts parts) {
    EngineClock clock = parts.runtime().clock();
    ObservabilityConfig observabilityConfig = parts.observabilityConfig();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    HikariDataSource pool = new HikariDataSource(config);
    Store store = parts.around().apply(SqlStore.open(pool, parts.options()));
    ApiServer host = new ApiServer(parts.runtime());
    MaintenanceService maintenanceService =
        new MaintenanceService(
            observabilityConfig,
            OutboundClient.allowing(Set.copyOf(observabilityConfig.webhookHosts()), clock),
            new SubscriptionTokens("key of the test"),
            clock);
    EngineBuilder builder =
        Engine.builder()
            .store(store)
            .runtime(parts.runtime())
            .workflows(workflows())
            .workflows(host.workflows())
            .workflows(maintenanceService.workflows())
            .secretKey(SecretKeys.of("k1", new byte[32]))
            .settings(s -> s.executorGroup("default").maxSleep(IDLE))
            .rollouts();
    host.listeners().forEach(builder::listener);
    EngineEventWaiter engineEventWaiter = new EngineEventWaiter();
    builder.listener(engineEventWaiter);
    SampleTasks.tasks(builder);
    Engine engine = parts.more().apply(builder).start();
    host.open(
        new ApiServer.Components(
            http(port, contextPath, parts.requestTime()),
            new PermissiveGuard(guard(pool, clock)),
            engine,
            store,
            () -> true,
            serverInfo(maintenanceService),
            new ApiServer.ServerServices(
                ReportService.open(DEFAULTS, pool),
                parts.flows(),
                SecretNames.with(List.of("iban")),
                List::of)));
    return new TestServer(pool, store, engine, host, engineEventWaiter, clock);
  }

  private static final ServerConfig DEFAULTS =
      LoadedConfig.read(new io.millrace.server.config.ConfigSources(Map.of(), Map.of(), null))
          .config();

  private static ServerInfo serverInfo(MaintenanceService maintenanceService) {
    return new ServerInfo(
        () -> Map.of("version", "test", "entries", List.of()),
        () -> "# TYPE test gauge\ntest 1\n",
        List::of,
        () ->
            List.of(
                new ServerInfo.AlertView(
                    "many failures", "12 failed", Instant.parse("2026-11-21T08:00:00Z"), 7)),
        Duration.ofMinutes(5),
        id -> id.equals("filed") ? "stock.json" : null,
        maintenanceService);
  }

  private static Guard guard(HikariDataSource pool, EngineClock clock) {
    return Accounts.open(pool, SchemaMode.CREATE, clock)
        .guard(
            http(0, "/", Patience.LIMIT),
            new SecurityConfig(true, Duration.ofHours(1), 10_000, null, null),
            new PublicServerInfo("test", null),
            (actor, action, target, reason) -> {});
  }

  private static HttpConfig http(int port, String contextPath, Duration requestTime) {
    return new HttpConfig(
        "127.0.0.1",
        port,
        contextPath,
        new HttpConfig.Limits(1 << 20, requestTime),
        new HttpConfig.Tls(HttpConfig.TlsMode.NONE, null, null));
  }

  /** The size of an order. */
  enum Size {
    SMALL,
    LARGE
  }

  record Goods(Size size, Optional<String> note) {}

  static List<WorkflowDefinition> workflows() {
    return List.of(
        WorkflowDefinition.of("order")
            .description("Reserves, waits for the payment, ships.")
            .input(Goods.class)
            .start(
                "reserve",
                ctx -> {
                  ctx.set("stock", 41);
                  return Next.moveTo("pay", "reserved");
                })
            .await(
                "pay",
                "paid",
                Duration.ofDays(1),
                (ctx, paid) -> {
                  ctx.set("stock", 40);
                  return Next.moveTo("shipped", paid.isPresent() ? "paid" : "not paid");
                })
            .end("shipped")
            .build(),
        WorkflowDefinition.of("fails")
            .start(
                "try",
                ctx -> {
                  throw new IllegalStateException("broken <b>pipe</b>");
                })
            .end("done")
            .retry(
                RetryPolicy.exponential(Duration.ofMillis(1), Duration.ofMillis(1)).maxAttempts(1))
            .build(),
        WorkflowDefinition.of("payment")
            .secret("card")
            .secretInput()
            .start(
                "charge",
                ctx -> {
                  throw new IllegalStateException(
                      "The bank refuses " + ctx.get("card", String.class));
                })
            .end("paid")
            .retry(RetryPolicy.never())
            .build(),
        WorkflowDefinition.of("quick").start("go", ctx -> Next.done("gone")).build(),
        WorkflowDefinition.of("asks")
            .start("ask", ctx -> Next.moveTo("person", "a person decides"))
            .manual("person")
            .end("decided")
            .permit("person", "decided")
            .build());
  }

  /** Waits until the condition holds; checks again with every transition that the engine saves. */
  void awaitUntil(BooleanSupplier wanted) {
    engineEventWaiter.awaitUntil(wanted);
  }

  /**
   * Waits as {@link #awaitUntil} does, and lets the clock skip some time before each check, for
   * what the engine looks at again after some seconds. For a server with its own database.
   */
  void awaitSooner(BooleanSupplier wanted) {
    awaitUntil(() -> {
      boolean there = wanted.getAsBoolean();
      if (!there) {
        ((RunningClock) clock).skip(SKIPPED);
      }
      return there;
    });
  }

  /** Starts a server with its own database in memory. */
  static TestServer inMemory() {
    return own(builder -> builder, DEFAULTS.observe(), null);
  }

  /** Starts the same with a broker. */
  static TestServer withChannels(ChannelTransport transport) {
    return own(builder -> builder.channels(transport), DEFAULTS.observe(), null);
  }

  /** Starts the same with continuous workflows. */
  static TestServer withContinuous() {
    return own(SampleTasks::continuous, DEFAULTS.observe(), null);
  }

  /** Starts the same with Redis flows. */
  static TestServer withFlows(FlowServices flows) {
    return own(builder -> builder, DEFAULTS.observe(), flows);
  }

  /** Starts the same with other settings of observability. */
  static TestServer withObserve(ObservabilityConfig observabilityConfig) {
    return own(builder -> builder, observabilityConfig, null);
  }

  /** Starts the same with an executor that notices operator actions only after an hour. */
  static TestServer slowToHear() {
    return own(TestServer::hearingHourly, DEFAULTS.observe(), null);
  }

  /** Starts a server that waits only {@link #SHORT_TIME} for a whole request. */
  static TestServer impatient() {
    return start(ownDatabase(), 0, "/", shared(SHORT_TIME, store -> store, TestServer::patient));
  }

  /**
   * Starts the same on a given database, with an executor that notices operator actions only after
   * an hour.
   */
  static TestServer impatientAndSlowToHear(String url) {
    return start(url, 0, "/", shared(SHORT_TIME, store -> store, TestServer::hearingHourly));
  }

  private static EngineBuilder patient(EngineBuilder builder) {
    return builder.settings(LongLease::of);
  }

  private static EngineBuilder hearingHourly(EngineBuilder builder) {
    return builder.settings(s -> s.lease(Duration.ofHours(3), Duration.ofHours(1)));
  }

  /** With the tables of a server. */
  static String ownDatabase() {
    String url = "jdbc:h2:mem:api" + NUMBER.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    TestTables.make(url, "sa", "");
    return url + ";USER=sa";
  }

  /** Executes a statement of SQL. */
  void execute(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  /** Returns the number that a query of SQL yields. */
  long number(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).as(sql).isTrue();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(sql, e);
    }
  }

  Engine engine() {
    return engine;
  }

  Store store() {
    return store;
  }

  List<Route> routes() {
    return host.routes();
  }

  WorkflowClient client() {
    return engine.client();
  }

  SequenceService sequences() {
    return engine.sequences();
  }

  /** Waits until the end of the workflow's newest execution is recorded. */
  void awaitCompletedFire(String sequenceId) {
    awaitUntil(() -> {
      LastExecution last = sequences().get(sequenceId).last();
      return last != null && last.endRecorded();
    });
  }

  /** Waits until the instance is in this state and no executor has claimed it. */
  void awaitState(long id, String state) {
    await(id, i -> i.state().equals(state) && i.lease().executorId() == null);
  }

  /**
   * Waits until the instance is as expected; checks again with every transition that the engine
   * saves.
   */
  void await(long id, Predicate<WorkflowInstance> wanted) {
    engineEventWaiter.awaitUntil(() -> wanted.test(engine.client().get(id)));
  }

  /** Returns the number of connections to the database in use. */
  int connectionsInUse() {
    return pool.getHikariPoolMXBean().getActiveConnections();
  }

  int port() {
    return host.port();
  }

  @Override
  public void close() {
    host.close();
    engine.drain(Patience.LIMIT);
    pool.close();
  }
}
