package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.InsightsViews;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.sequence.TaskMessage;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.ChangeResult;
import io.millrace.store.TaskStore.CompiledState;
import io.millrace.store.TaskStore.HandlerReference;
import io.millrace.store.TaskStore.StoredTask;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the views of {@code docs/insights-views.sql} on both databases. */
class InsightsViewsTest {

  private static final Instant SLOT = Instant.parse("2026-03-01T00:00:01Z");
  private static final String ID = "\"quo\\ted\"";

  static Stream<Arguments> databases() {
    Supplier<TestDatabase> h2 = TestDatabase::h2;
    Supplier<TestDatabase> postgres = TestDatabase::postgres;
    return Stream.of(Arguments.of("H2", h2), Arguments.of("POSTGRES", postgres));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("databases")
  void haveTheColumnsOfTheFormerTables(String name, Supplier<TestDatabase> open) {
    try (TestDatabase database = open.get();
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
      InsightsViews.create(database::execute);
      HandlerReference work = new HandlerReference("channel", "class");
      StoredTask task = new StoredTask(0, "task", "type", work, 3, "{}", 0);
      int taskId = ((ChangeResult.Done) store.role(TaskStore.class).add(task)).id();
      store
          .role(TaskStore.class)
          .compiledSequence(
              "type", "print", "{}", List.of(new CompiledState("start", 1, taskId, -1)));
      StoredSequenceSpec spec = new StoredSequenceSpec(ID, "type").tasks(taskId);
      Flags flags = new Flags(true, true, false, false, null, null);
      store
          .role(SequenceStore.class)
          .add(spec.flags(flags).times(SLOT, null).lastEnded(SLOT).build());
      StoredSequence sequence = store.role(SequenceStore.class).find(ID).orElseThrow();
      store
          .role(SequenceStore.class)
          .writeFire(
              StoredSequenceSpec.fire(sequence)
                  .start(SLOT, 0, new StartSpec("type", "group", 1))
                  .build());
      long execution = store.role(SequenceStore.class).find(ID).orElseThrow().last().executionId();
      database.execute(
          "UPDATE millrace_instance SET state = 'start', business_key = '%s', attempt = 2, created_at = '%s', entered_at = created_at"
              .formatted(ID, SLOT));
      String message = new TaskMessage(execution, ID, taskId, -1, 1, false).json();

      assertThat(database.lines(row("TYPE", "id, workflowtype"))).containsExactly("1 type");
      assertThat(
              database.lines(
                  row(
                      "TASK",
                      "taskid, description, mqchannel, componentname, dependency, workflowtype")))
          .containsExactly(taskId + " task channel class 3 type");
      assertThat(database.lines(row("TASK_SEQUENCE", "workflowid, taskid, sequence, nexttask")))
          .containsExactly(ID + " " + taskId + " 1 -1");
      assertThat(
              database.lines(
                  row("CONFIG", "workflowid, workflowtype, scheduletype, lastrun, status")))
          .containsExactly("%s type DAILY %d ERROR".formatted(ID, SLOT.getEpochSecond()));
      assertThat(
              database.number(
                  "SELECT count(*) FROM \"INSIGHTS_WORKFLOW_CONFIG\" WHERE reoccurence AND isactive AND NOT runimmediate"))
          .isEqualTo(1);
      assertThat(
              database.lines(
                  row(
                      "EXECUTION_HISTORY",
                      "executionid, workflowid, currenttask, endtime, taskstatus, requestmessage, retrycount")))
          .containsExactly("%d %s %d 0 ERROR %s 0".formatted(execution, ID, taskId, message));
    }
  }

  /** Returns a query for the columns of a view as one text. */
  private static String row(String view, String columns) {
    return "SELECT CONCAT_WS(' ', %s) FROM \"INSIGHTS_WORKFLOW_%s\"".formatted(columns, view);
  }
}
