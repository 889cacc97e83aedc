package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Origin;
import io.millrace.store.ClaimRequest;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.SaveRequest;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.chaos.proxy.TcpProxy;
import io.millrace.verification.chaos.proxy.TrafficRule;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of a connection whose other end has vanished silently: the engine's regular operations must
 * notice that within a lease of default length, or soon after.
 */
@Timeout(300)
@Tag("races")
class HalfOpenConnectionTest {

  private static final Duration TTL = Duration.ofSeconds(10);

  /** Time limit of twice the lease; a request without limits of its own would wait forever. */
  private static final long PATIENCE_SECONDS = 20;

  private final TestDatabase database = TestDatabase.postgres(2);
  private TcpProxy proxy;
  private HikariDataSource pool;
  private Store store;
  private int definition;
  private long executor;
  private long instance;
  private volatile boolean stalling;

  /** Returns the engine's regular operations on a connection from the pool. */
  static Stream<Arguments> operations() {
    return Stream.of(
        operation(
            "claim",
            t ->
                t.store
                    .instances()
                    .claim(new ClaimRequest(t.executor, "group", List.of(t.definition), 10))),
        operation("renew", t -> t.store.executors().renew(t.executor, TTL, ExecutorInfo.Load.NONE)),
        operation("save", t -> t.store.instances().save(List.of(t.save()))));
  }

  private static Arguments operation(String name, Consumer<HalfOpenConnectionTest> call) {
    return Arguments.of(name, call);
  }

  private long held() {
    Origin origin = new Origin("type", 1, "group", 4, null, null, null);
    return store
        .instances()
        .start(
            List.of(
                new NewInstance(origin, definition, "begin", null, Map.of(), Due.NOW, executor)))
        .getFirst()
        .id();
  }

  private SaveRequest save() {
    return new SaveRequest(
        new Fence(instance, executor, 1, 0),
        new SaveRequest.Entry(
            HistoryEntryType.STATE_EXECUTION, "begin", "on", null, 1, Duration.ZERO, null),
        new SaveRequest.Target(
            "end", InstanceStatus.FINISHED, new Due.Never(), null, true, false, 0),
        new SaveRequest.Changes(Map.of("v", "1"), 1, List.of(), List.of(), null, null, null));
  }

  @BeforeEach
  void open() throws IOException {
    URI direct = URI.create(database.url().substring("jdbc:".length()));
    proxy = TcpProxy.start(new InetSocketAddress(direct.getHost(), direct.getPort()));
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(
        database
            .url()
            .replace(direct.getHost() + ":" + direct.getPort(), "127.0.0.1:" + proxy.port()));
    config.setMaximumPoolSize(2);
    pool = new HikariDataSource(config);
    store =
        SqlStore.open(stallingAfterBorrow(), new SqlStore.Options(SchemaMode.CREATE, null, false));
    definition = store.definitions().save("type", 1, "hash", "{}").id();
    executor =
        store
            .executors()
            .register(
                new ExecutorInfo.Identity("host", 1, "group", List.of(definition), "1.0"), TTL);
    instance = held();
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    pool.close();
    database.close();
  }

  private DataSource stallingAfterBorrow() {
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> {
              try {
                Object result = method.invoke(pool, args);
                if (stalling) {
                  proxy.setTraffic(TrafficRule.STALLED, TrafficRule.STALLED);
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("operations")
  void isNoticedWhileTheLeaseMatters(String name, Consumer<HalfOpenConnectionTest> operation)
      throws Exception {
    stalling = true;
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(() -> operation.accept(this), Thread::startVirtualThread);
    assertThatThrownBy(() -> running.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> assertThat(e.rejected()).as("it is unclear: %s", e.getMessage()).isFalse());
    stalling = false;
    proxy.setTraffic(TrafficRule.PASS, TrafficRule.PASS);
    operation.accept(this);
  }
}
