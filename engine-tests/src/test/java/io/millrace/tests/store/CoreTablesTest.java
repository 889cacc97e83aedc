package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.data.KeyContent;
import io.millrace.data.KeyId;
import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.SaveSpec;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ExecutorStore.Recovered;
import io.millrace.store.KeyValueStore;
import io.millrace.store.KeyValueStore.Put;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.SaveResult;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlDoctor;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a store that has the tables of the core alone. A statement that names a table of a
 * feature fails there.
 */
class CoreTablesTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final OperatorAction BY = OperatorAction.by("operator");

  private static final String TABLES =
      """
      SELECT LOWER(table_name) FROM information_schema.tables
      WHERE table_schema = CURRENT_SCHEMA ORDER BY 1
      """;

  private final AtomicReference<Instant> time =
      new AtomicReference<>(Instant.parse("2026-03-01T00:00:00Z"));

  private static TestDatabase empty(String kind) {
    return kind.equals("h2") ? TestDatabase.emptyH2() : TestDatabase.emptyPostgres(4);
  }

  private SqlStore openCore(TestDatabase database, SchemaMode mode) {
    return SqlStore.open(database.pool(), new SqlStore.Options(mode, time::get, false), List.of());
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void makesNoTableOfAFeature(String kind) {
    try (TestDatabase database = empty(kind)) {
      openCore(database, SchemaMode.CREATE).close();

      assertThat(database.lines(TABLES))
          .containsExactly(
              "millrace_archive_history",
              "millrace_archive_instance",
              "millrace_archive_message",
              "millrace_archive_step",
              "millrace_archive_variable",
              "millrace_audit",
              "millrace_change",
              "millrace_definition",
              "millrace_executor",
              "millrace_history",
              "millrace_instance",
              "millrace_log",
              "millrace_mark",
              "millrace_message",
              "millrace_removal",
              "millrace_schema",
              "millrace_statistics",
              "millrace_step",
              "millrace_variable");
      openCore(database, SchemaMode.VALIDATE).close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void getsTheTablesOfFeaturesLater(String kind) {
    try (TestDatabase database = empty(kind)) {
      openCore(database, SchemaMode.CREATE).close();
      SqlStore.open(database.pool(), SqlStore.Options.DEFAULT).close();

      openCore(database, SchemaMode.VALIDATE).close();
      try (Store store =
          SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.VALIDATE, null, false))) {
        assertThat(store.role(SequenceStore.class).recordEnds(10)).isZero();
      }
      assertThat(database.lines("SELECT component FROM millrace_schema ORDER BY component"))
          .containsExactly("engine", "engine.continuous", "engine.data", "engine.sequences");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void runsInstances(String kind) {
    try (TestDatabase database = empty(kind);
        Store store = openCore(database, SchemaMode.CREATE)) {
      long executor = register(store);
      start(store);
      WorkflowInstance claimed = claim(store, executor);
      SaveSpec kept = new SaveSpec(claimed).set("v", "1").variableCount(1).keepLease();
      save(store, kept.child(new StartSpec("type", "group", 1)));
      WorkflowInstance held = store.queries().find(claimed.id()).orElseThrow();
      save(store, new SaveSpec(held).end(InstanceStatus.FAILED));
      assertThat(store.operators().apply(held.id(), new OperatorCommand.Retry(), BY))
          .isInstanceOf(CommandResult.Applied.class);
      assertThat(store.operators().apply(held.id(), new OperatorCommand.Cancel(), BY))
          .isInstanceOf(CommandResult.Applied.class);
      assertThat(store.queries().search(InstanceQuery.all(), null).items()).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void recoversDeadExecutorsAndForgetsThem(String kind) {
    try (TestDatabase database = empty(kind);
        Store store = openCore(database, SchemaMode.CREATE)) {
      long dead = register(store);
      start(store);
      long id = claim(store, dead).id();
      passes(HOUR.plus(MINUTE));
      long other = register(store);

      assertThat(store.executors().expired("group")).containsExactly(dead);
      assertThat(store.retention().deleteExecutors(MINUTE, 10)).isZero();
      assertThat(store.executors().recover(dead, other, 10, 3))
          .containsExactly(new Recovered(id, false));
      store.executors().markStopped(other);
      database.execute("UPDATE millrace_instance SET executor_id = 999");
      assertThat(store.executors().recoveredOwners("group")).containsExactly(999L);
      passes(HOUR);
      assertThat(store.retention().deleteExecutors(MINUTE, 10)).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void archivesAndDeletes(String kind) {
    try (TestDatabase database = empty(kind);
        Store store = openCore(database, SchemaMode.CREATE)) {
      long executor = register(store);
      for (int i = 0; i < 2; i++) {
        start(store);
        save(store, new SaveSpec(claim(store, executor)).end(InstanceStatus.FINISHED));
      }
      passes(HOUR);

      assertThat(store.retention().overdue(MINUTE)).isPresent();
      assertThat(store.retention().archive(MINUTE, 1)).isEqualTo(1);
      assertThat(store.retention().delete(MINUTE, 10)).isEqualTo(1);
      assertThat(store.retention().overdueArchived(MINUTE)).isPresent();
      assertThat(store.retention().deleteArchived(MINUTE, 10)).isEqualTo(1);
      assertThat(store.retention().resume(10)).isZero();
      assertThat(store.retention().deleteAudit(MINUTE, 10)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void satisfiesTheDoctor(String kind) {
    try (TestDatabase database = empty(kind)) {
      openCore(database, SchemaMode.CREATE).close();

      List<SqlDoctor.Check> checks =
          SqlDoctor.examine(
              database.pool(),
              new SqlDoctor.Intent(
                  SchemaMode.VALIDATE, 2, new Retention(null, HOUR, null, null), List.of()),
              InstantSource.system());

      assertThat(checks)
          .noneMatch(check -> check.level() == SqlDoctor.Level.FAIL)
          .extracting(SqlDoctor.Check::name)
          .contains("schema", "loops", "retention")
          .doesNotContain("schedules");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void refusesWhatOnlyFeaturesHave(String kind) {
    try (TestDatabase database = empty(kind);
        Store store = openCore(database, SchemaMode.CREATE)) {
      assertThatThrownBy(() -> store.role(KeyValueStore.class))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith(
              "This store has no KeyValueStore: it was opened with the tables of the core alone.");

      long executor = register(store);
      start(store);
      WorkflowInstance held = claim(store, executor);
      Put put = Put.set(new KeyId("group", "key"), KeyContent.of("value"));
      SaveSpec save = new SaveSpec(held).with(List.of(put));
      assertThatThrownBy(() -> save(store, save))
          .isInstanceOf(StoreException.class)
          .hasMessageStartingWith("The transition of instance " + held.id() + " to state 'next'")
          .hasMessageContaining("io.millrace.store.KeyValueStore$Put")
          .hasMessageContaining("it was opened with those of the core alone. Open it with");
      assertThat(store.queries().find(held.id()).orElseThrow().seq()).isEqualTo(held.seq());
    }
  }

  private void passes(Duration duration) {
    time.set(time.get().plus(duration));
  }

  private static long register(Store store) {
    return store
        .executors()
        .register(new ExecutorInfo.Identity("host", 1, "group", List.of(1), "1.0"), HOUR);
  }

  private static void start(Store store) {
    store.instances().start(List.of(new StartSpec("type", "group", 1).build()));
  }

  private static WorkflowInstance claim(Store store, long executor) {
    ClaimRequest request = new ClaimRequest(executor, "group", List.of(1), 1);
    return store.instances().claim(request).claimed().getFirst().instance();
  }

  private static void save(Store store, SaveSpec spec) {
    assertThat(store.instances().save(List.of(spec.build())))
        .singleElement()
        .isInstanceOf(SaveResult.Saved.class);
  }
}
