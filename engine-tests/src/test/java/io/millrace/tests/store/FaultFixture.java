package io.millrace.tests.store;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.fixtures.FaultyDataSource;
import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoreKind;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.ClaimRequest;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.testing.SettableClock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * A database with one executor, a store on it without faults, and one whose connections may fail.
 */
final class FaultFixture implements AutoCloseable {

  static final Duration TTL = Duration.ofSeconds(10);
  static final OperatorAction ACTION = OperatorAction.by("alice", "because");
  static final String GROUP = "group";
  static final String TYPE = "type";

  private static final Instant START = Instant.parse("2026-03-01T12:00:00.125Z");

  final SettableClock clock = SettableClock.at(START);
  final FaultyDataSource faults;

  /** Store without faults. */
  final Store direct;

  /** Store whose connections may fail, and whose calls are recorded. */
  final Store faulty;

  int definition;
  long executor;

  /** Number of faults that were tried. */
  int tried;

  private final String name;
  private final StoreKind.OpenStore open;
  private final Set<String> called = new TreeSet<>();
  private final Set<Class<?>> actions = new HashSet<>();

  /**
   * @param automatic true for connections with automatic commit, as those of most pools are
   */
  FaultFixture(StoreKind kind, boolean automatic) {
    name = kind + (automatic ? "" : " without automatic commit");
    open = kind.open(clock);
    direct = open.store();
    faults = new FaultyDataSource(automatic ? pool() : withoutAutomaticCommit(pool()));
    faulty =
        record(
            Store.class,
            SqlStore.open(
                faults.dataSource(), new SqlStore.Options(SchemaMode.VALIDATE, clock, false)));
  }

  HikariDataSource pool() {
    return open.dataSource();
  }

  private static DataSource withoutAutomaticCommit(HikariDataSource pool) {
    return (DataSource)
        Proxy.newProxyInstance(
            FaultFixture.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> {
              Object result = method.invoke(pool, args);
              if (result instanceof Connection connection) {
                connection.setAutoCommit(false);
              }
              return result;
            });
  }

  private <T> T record(Class<T> role, Object target) {
    return role.cast(
        Proxy.newProxyInstance(
            role.getClassLoader(),
            new Class<?>[] {role},
            (self, method, args) -> {
              if (role != Store.class) {
                called.add(signature(method));
              }
              for (Object arg : args == null ? new Object[0] : args) {
                if (arg instanceof OperatorCommand) {
                  actions.add(arg.getClass());
                }
              }
              try {
                Object result = method.invoke(target, args);
                return role == Store.class ? recordPart(method, args, result) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private Object recordPart(Method method, Object[] args, Object result) {
    Class<?> type = method.getName().equals("role") ? (Class<?>) args[0] : method.getReturnType();
    return type.getName().endsWith("Store") ? record(type, result) : result;
  }

  static String signature(Method method) {
    return method.getDeclaringClass().getSimpleName()
        + "."
        + method.getName()
        + Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toList();
  }

  /** Returns the names of methods that were called on {@link #faulty}. */
  Set<String> called() {
    return called;
  }

  /** Returns the operator commands that were applied on {@link #faulty}. */
  Set<Class<?>> actions() {
    return actions;
  }

  /** Empties the tables except for a definition and an executor. */
  void begin() {
    faults.arm(null);
    TableDump.clear(pool());
    clock.set(START);
    definition = direct.definitions().save(TYPE, 1, "hash", "{}").id();
    executor = register(ProcessHandle.current().pid());
  }

  TableDump dump() {
    return TableDump.of(pool());
  }

  ExecutorInfo.Identity identity(long pid) {
    return new ExecutorInfo.Identity("host", pid, GROUP, List.of(definition), "1.0");
  }

  long register(long pid) {
    return direct.executors().register(identity(pid), TTL);
  }

  /** Lets every lease expire. */
  void expire() {
    clock.advance(TTL.plusSeconds(1));
  }

  StartSpec instance() {
    return new StartSpec(TYPE, GROUP, definition);
  }

  long start(StartSpec spec) {
    return direct.instances().start(List.of(spec.build())).getFirst().id();
  }

  long start() {
    return start(instance());
  }

  WorkflowInstance startAndClaim(StartSpec spec) {
    return read(start(spec.heldBy(executor)));
  }

  WorkflowInstance startAndClaim() {
    return startAndClaim(instance());
  }

  WorkflowInstance read(long id) {
    return direct.queries().find(id).orElseThrow();
  }

  /** Saves a transition without faults. */
  WorkflowInstance saved(SaveSpec spec) {
    SaveRequest saveRequest = spec.build();
    SaveResult result = direct.instances().save(List.of(saveRequest)).getFirst();
    if (!(result instanceof SaveResult.Saved)) {
      throw new IllegalStateException("fenced: " + saveRequest);
    }
    return read(saveRequest.fence().instanceId());
  }

  SaveSpec move(WorkflowInstance held) {
    return new SaveSpec(held);
  }

  /** Returns an instance that waits for a signal forever. */
  WorkflowInstance waiting(String event) {
    return saved(move(startAndClaim()).to("waiting").waitFor(event, new Due.Never()));
  }

  WorkflowInstance ended(StartSpec spec, InstanceStatus status) {
    return saved(move(startAndClaim(spec)).end(status));
  }

  void signal(long id, String name) {
    direct.operators().signal(new SignalRequest(id, name, "1", "bob", null));
  }

  List<InboxMessage> unconsumedMessages(long id) {
    return direct.instances().unconsumedMessages(id);
  }

  void apply(long id, OperatorCommand command) {
    direct.operators().apply(id, command, ACTION);
  }

  ClaimRequest claim(int limit) {
    return new ClaimRequest(executor, GROUP, List.of(definition), limit);
  }

  /** Leaves the tables as a process does that ends in between. */
  void execute(String... statements) {
    try (Connection connection = pool().getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
      if (!connection.getAutoCommit()) {
        connection.commit();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** True if the history contains the entry of the action. */
  boolean hasAction(long id, HistoryEntryType type) {
    List<HistoryEntry> history = new ArrayList<>(direct.queries().history(id, 0, 100));
    return history.stream().anyMatch(historyEntry -> historyEntry.type() == type);
  }

  @Override
  public String toString() {
    return name;
  }

  @Override
  public void close() {
    faulty.close();
    open.close();
  }
}
