package io.millrace.tests.sequence.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.sequence.SequenceStatus;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the view for pages and the program derive the same status from every combination of
 * facts.
 */
class SequenceStatusViewTest {

  private static final Instant SLOT = Instant.parse("2026-03-01T00:00:01Z");

  static Stream<Arguments> databases() {
    Supplier<TestDatabase> h2 = TestDatabase::h2;
    Supplier<TestDatabase> postgres = TestDatabase::postgres;
    return Stream.of(Arguments.of("H2", h2), Arguments.of("POSTGRES", postgres));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("databases")
  void agree(String name, Supplier<TestDatabase> open) throws SQLException {
    try (TestDatabase database = open.get();
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false));
        Connection connection = database.pool().getConnection();
        Statement statement = connection.createStatement()) {
      long id = execution(store);
      Set<SequenceStatus> seen = EnumSet.noneOf(SequenceStatus.class);
      for (String change : combinations(id)) {
        for (String sql : change.split(";", -1)) {
          statement.execute(sql);
        }
        SequenceStatus expected =
            SequenceStatus.of(store.role(SequenceStore.class).find("w").orElseThrow());
        assertThat(viewed(statement)).as(change).isEqualTo(expected.name());
        seen.add(expected);
      }
      assertThat(seen).containsExactlyInAnyOrder(SequenceStatus.values());
    }
  }

  private static long execution(Store store) {
    StoredTask task =
        new StoredTask(0, "task", "type", new HandlerReference(null, "class"), 0, "{}", 0);
    int id = ((ChangeResult.Done) store.role(TaskStore.class).add(task)).id();
    StoredSequenceSpec spec = new StoredSequenceSpec("w", "type").tasks(id);
    store
        .role(SequenceStore.class)
        .add(spec.flags(new Flags(true, true, false, false, null, null)).build());
    StoredSequence sequence = store.role(SequenceStore.class).find("w").orElseThrow();
    store
        .role(SequenceStore.class)
        .writeFire(
            StoredSequenceSpec.fire(sequence)
                .start(SLOT, 0, new StartSpec("type", "group", 1))
                .build());
    return store.role(SequenceStore.class).find("w").orElseThrow().last().executionId();
  }

  /** The execution has definition 12; executors know other definitions, or that one. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("databases")
  void anExecutionThatNoLiveExecutorKnowsIsNotInProgress(String name, Supplier<TestDatabase> open)
      throws SQLException {
    try (TestDatabase database = open.get();
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false));
        Connection connection = database.pool().getConnection();
        Statement statement = connection.createStatement()) {
      execution(store);
      statement.execute("UPDATE millrace_instance SET definition_id = 12, version = 3");
      Executors executors = new Executors(store, statement);
      executors.see("", "10", null);
      statement.execute(
          "UPDATE millrace_instance SET modified_at = CURRENT_TIMESTAMP - INTERVAL '20' SECOND");
      executors.see("", "10", 3);
      executors.see("", "1,2,112,120", 3);
      executors.see("", "", 3);
      executors.see("", "10,12", null);
      executors.see("executor_group = 'other'", "10", null);
      executors.see("state = 'CORDONED'", "10", null);
      executors.see("expires_at = CURRENT_TIMESTAMP - INTERVAL '1' SECOND", "10", null);
      executors.see("stopped_at = CURRENT_TIMESTAMP", "10", null);
      statement.execute("UPDATE millrace_instance SET attempt = 1");
      executors.see("", "10", 3);
      statement.execute("UPDATE millrace_instance SET executor_id = 7");
      executors.see("", "10", null);
    }
  }

  private record Executors(Store store, Statement statement) {
    void see(String change, String definitions, @Nullable Integer unknown) throws SQLException {
      statement.execute("DELETE FROM millrace_executor");
      statement.execute(
          "INSERT INTO millrace_executor (host, pid, executor_group, definition_ids, version,"
              + " started_at, heartbeat_at, expires_at) VALUES ('h', 1, 'group', '%s', '1', CURRENT_TIMESTAMP,"
                  .formatted(definitions)
              + " CURRENT_TIMESTAMP, CURRENT_TIMESTAMP + INTERVAL '60' SECOND)");
      if (!change.isEmpty()) {
        statement.execute("UPDATE millrace_executor SET " + change);
      }
      StoredSequence sequence = store.role(SequenceStore.class).find("w").orElseThrow();
      assertThat(sequence.last().obstacle().unknownVersion())
          .as("%s %s", change, definitions)
          .isEqualTo(unknown);
      assertThat(viewed(statement)).isEqualTo(SequenceStatus.of(sequence).name());
      assertThat(SequenceStatus.of(sequence) == SequenceStatus.TASK_INITIALIZE_ERROR)
          .isEqualTo(unknown != null);
    }
  }

  private static String viewed(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT status FROM millrace_sequence_status WHERE sequence_id = 'w'")) {
      row.next();
      return row.getString(1);
    }
  }

  /** Returns statements that create each combination. */
  private static List<String> combinations(long id) {
    List<String> all = new ArrayList<>();
    String outbox =
        "DELETE FROM millrace_outbox; INSERT INTO millrace_outbox (instance_id, seq, channel, state,"
            + " retry, error, due_at) SELECT w.id, %s, 'c', 's', FALSE, %s, w.created_at FROM"
            + " millrace_instance w";
    List<String> messages =
        List.of(
            "DELETE FROM millrace_outbox",
            outbox.formatted("w.seq", "NULL"),
            outbox.formatted("w.seq", "'away'"),
            outbox.formatted("w.seq - 1", "'away'"));
    for (String restart : List.of("FALSE", "TRUE")) {
      for (String status :
          List.of(
              "created",
              "inProgress",
              "paused",
              "manual",
              "finished",
              "failed",
              "cancelled",
              "unheardOf")) {
        boolean ended = List.of("finished", "failed", "cancelled").contains(status);
        for (String executor : ended ? List.of("NULL") : List.of("NULL", "7")) {
          for (int attempt = 0; attempt < 2; attempt++) {
            for (String message : messages) {
              all.add(
                  "UPDATE millrace_instance SET status = '%s', ended_at = %s, executor_id = %s, attempt = %s, seq = 3;"
                          .formatted(status, ended ? "created_at" : "NULL", executor, attempt)
                      + "UPDATE millrace_sequence SET restart = "
                      + restart
                      + ", execution_id = "
                      + id
                      + ";"
                      + message);
            }
          }
        }
      }
      all.add("UPDATE millrace_sequence SET execution_id = NULL");
    }
    all.add(
        "UPDATE millrace_sequence SET restart = FALSE, execution_id = "
            + id
            + "; DELETE FROM millrace_instance");
    for (String result : List.of("finished", "failed", "cancelled")) {
      all.add(
          "UPDATE millrace_slot_record SET end_recorded = TRUE, ended_at = recorded_at, result = '"
              + result
              + "'");
    }
    return all;
  }
}
