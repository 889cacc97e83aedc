package io.millrace.store.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.KeyId;
import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodId;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Origin;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.ChannelMessage;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.Fence;
import io.millrace.store.KeyValueStore;
import io.millrace.store.NewInstance;
import io.millrace.store.NewInstance.Payload;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.SaveRequest;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of stores that are opened with the tables of some features. */
class SqlExtensionTest {

  private static final String LACKS_DATA =
      "The tables of 'continuous' need those of 'data', which are not among the given ones."
          + " Give the tables of 'data' too.";

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final ChannelMessage MESSAGE = new ChannelMessage("channel", Duration.ZERO, false);

  private final JdbcDataSource database = new JdbcDataSource();
  private final AtomicInteger connections = new AtomicInteger();
  private final DataSource counted = counted();

  SqlExtensionTest() {
    database.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
  }

  /** Returns the database as one that counts the connections which it is asked for. */
  private DataSource counted() {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, args) -> {
              connections.incrementAndGet();
              return method.invoke(database, args);
            });
  }

  @AfterEach
  void shutDown() throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN");
    }
  }

  private SqlStore open(SqlExtension... tables) {
    return SqlStore.open(
        counted, new SqlStore.Options(SchemaMode.CREATE, null, false), List.of(tables));
  }

  @Test
  void refusesTablesThatLackOthersWhichTheyNeed() throws SQLException {
    assertThatThrownBy(() -> open(TaskSequenceTables.TABLES, ContinuousTables.TABLES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(LACKS_DATA);
    assertThatThrownBy(() -> SqlStore.printSchema("h2", List.of(ContinuousTables.TABLES)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(LACKS_DATA);

    try (Connection connection = database.getConnection();
        ResultSet tables = connection.getMetaData().getTables(null, "PUBLIC", null, null)) {
      assertThat(tables.next()).as("a table was made").isFalse();
    }
  }

  @Test
  void theDoctorIsNotAskedForTablesThatLackOthers() {
    assertThatThrownBy(() ->
            SqlDoctor.examine(
                database,
                new SqlDoctor.Intent(
                    SchemaMode.CREATE, 2, Retention.NONE, List.of(ContinuousTables.TABLES)),
                InstantSource.system()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(LACKS_DATA);
  }

  @Test
  void refusesTheSameTablesTwice() {
    assertThatThrownBy(() -> open(DataTables.TABLES, DataTables.TABLES))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The tables of 'data' are given twice. Give them once.");
  }

  @Test
  void opensWithAllThatIsNeededInAnyOrder() {
    try (Store store = open(ContinuousTables.TABLES, DataTables.TABLES)) {
      assertThat(store.role(ContinuousStore.class).find("files")).isEmpty();
      assertThat(store.role(KeyValueStore.class).get(new KeyId("group", "key"))).isEmpty();
    }
  }

  @Test
  void createsTheTablesOfAFeatureAfterThoseThatItNeeds() {
    assertThat(
            Schema.with(
                    List.of(ContinuousTables.TABLES, TaskSequenceTables.TABLES, DataTables.TABLES))
                .components())
        .containsExactly("engine", "engine.data", "engine.sequences", "engine.continuous");
  }

  @Test
  void runsTheHooksOfAFeatureBeforeThoseThatItNeeds() throws SQLException {
    List<String> called = new ArrayList<>();
    SqlExtension needed = extension("b", called);
    SqlExtension user = extension("d", called, needed);
    SqlExtension userOfUser = extension("c", called, user);
    SqlExtension other = extension("a", called);

    SqlHooks.of(List.of(other, needed, user, userOfUser)).executorStopped(null, 1);
    SqlHooks.of(List.of(user, userOfUser, other, needed)).executorStopped(null, 1);

    assertThat(called).containsExactly("c", "d", "a", "b", "c", "d", "a", "b");
  }

  private static SqlExtension extension(String name, List<String> called, SqlExtension... needs) {
    return new SqlExtension(
        name,
        "V1__none.sql",
        List.of(needs),
        hooks -> hooks.executorStopped((session, executorId) -> called.add(name)));
  }

  @Test
  void refusesAttachedWritesWithoutTablesBeforeTheTransaction() throws SQLException {
    NewInstance start =
        new NewInstance(
            new Origin("order", 1, "group", 4, null, null, null),
            1,
            "begin",
            new Payload(null, Map.of(), List.of()),
            Due.NOW,
            null,
            List.of(MESSAGE));
    SaveRequest save = transition(List.of()).with(List.of(MESSAGE));
    SaveRequest parent = transition(List.of(start));
    PeriodClaimRequest claim =
        new PeriodClaimRequest(new PeriodId("report", "2026-03"), "me", null, null, MINUTE, 1);
    String transition = "The transition of instance 7 to state 'next'";
    String begin = "The start of workflow 'order' in state 'begin'";
    try (Store store = open(DataTables.TABLES, ContinuousTables.TABLES);
        Connection own = database.getConnection()) {
      refused(transition, () -> store.instances().save(List.of(save)));
      refused(begin, () -> store.instances().save(List.of(parent)));
      refused(begin, () -> store.instances().start(List.of(start)));
      refused(begin, () -> store.instances().startWithoutWaiting(List.of(start)));
      refused(begin, () -> store.instances().start(own, start));
      refused(begin, () -> store.role(PeriodLedgerStore.class).claimAndStart(claim, start));
      refused(
          begin,
          () ->
              store
                  .role(ContinuousStore.class)
                  .fire(new TriggerFire(new Owner("files", 1, 1), 1, null, start, null)));
    }
  }

  private static SaveRequest transition(List<NewInstance> children) {
    return new SaveRequest(
        new Fence(7, 1, 1, 0),
        new SaveRequest.Entry(
            HistoryEntryType.STATE_EXECUTION, "begin", null, null, 1, Duration.ZERO, null),
        new SaveRequest.Target("next", InstanceStatus.IN_PROGRESS, Due.NOW, null, true, false, 0),
        new SaveRequest.Changes(Map.of(), 0, children, List.of(), null, null, null));
  }

  private void refused(String carrier, ThrowingCallable call) {
    int before = connections.get();
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StoreException.class, refusal -> assertThat(refusal.permanent()).isTrue())
        .hasMessage(
            carrier
                + " writes io.millrace.store.ChannelMessage, for which this store has no tables:"
                + " it was opened with those of the core and of continuous, data. Open it with"
                + " those of the feature that makes such writes as well.");
    assertThat(connections).as("connections").hasValue(before);
  }
}
