package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.instance.StatusReason;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of handlers that compute without ever waiting and occupy all processors of a node. */
@Timeout(300)
@Tag("kills")
class BusyProcessorsTest {

  private static final int PROCESSORS = 2;
  private static final int SPINNING = 4;
  private static final int QUICK = 50;

  private static Engine engine(TestDatabase database, boolean runs) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(SpinningProcess.quick())
        .settings(s -> s.runsInstances(runs))
        .start();
  }

  private static List<StartedInstance> start(WorkflowClient client, String type, int count) {
    return client.startAll(Collections.nCopies(count, StartRequest.of(type)));
  }

  private static int count(WorkflowClient client, String type, InstanceStatus status) {
    return client.search(InstanceQuery.all().type(type).status(status).limit(100)).items().size();
  }

  private static boolean isFailed(WorkflowClient client, long id) {
    return client.find(id).orElseThrow().status() == InstanceStatus.FAILED;
  }

  private static List<Long> ids(List<String> lines) {
    return lines.stream().map(line -> Long.valueOf(line.replaceAll("\\D", ""))).toList();
  }

  @Test
  void theirTimeoutsAreRecordedAndOtherNodesTakeWhatCannotStart() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm busy = ChildJvm.start(SpinningProcess.class, database.url(), "plain");
        Engine client = engine(database, false)) {
      busy.await(1, "READY");
      start(client.client(), "spin", SPINNING);
      List<Long> spinning = ids(busy.await(PROCESSORS, "BEGIN spin"));
      List<StartedInstance> quick = start(client.client(), "quick", QUICK);
      ConditionPoller.await(
          "the busy node holds quick instances without having started them",
          () ->
              quick.stream()
                  .anyMatch(one ->
                      client.client().statusReason(one.id()) instanceof StatusReason.Queued queued
                          && queued.among() > 0));
      try (Engine idle = engine(database, true)) {
        assertThat(idle.executorId()).isNotNull();
        ConditionPoller.await(
            "the idle node has done all quick instances",
            () -> count(client.client(), "quick", InstanceStatus.FINISHED) == QUICK);
      }
      // A third handler has started, but waits for a processor; it times out as well.
      ConditionPoller.await(
          "the timeouts of the spinning handlers are recorded",
          () -> spinning.stream().allMatch(id -> isFailed(client.client(), id)));
      assertThat(client.client().history(spinning.getFirst()).getLast())
          .satisfies(historyEntry -> {
            assertThat(historyEntry.type()).isEqualTo(HistoryEntryType.STATE_EXECUTION_FAILED);
            assertThat(historyEntry.outcome().error()).contains("AttemptTimeoutException");
          });
      assertThat(
              busy.await(
                  1,
                  line ->
                      line.contains("claims no more until handlers start")
                          && line.contains("(spin, state turn)")
                          && line.contains("SpinningProcess")))
          .isNotEmpty();
      start(client.client(), "quick", 1);
      busy.tell("stop");
    }
  }

  @Test
  void declaredAsComputingTheyHoldUpNothing() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm busy = ChildJvm.start(SpinningProcess.class, database.url(), "computing");
        Engine client = engine(database, false)) {
      busy.await(1, "READY");
      start(client.client(), "spin", SPINNING);
      assertThat(busy.await(SPINNING, "BEGIN spin")).allMatch(line -> line.endsWith("false"));
      start(client.client(), "quick", QUICK);
      ConditionPoller.await(
          "the busy node has done all quick instances",
          () -> count(client.client(), "quick", InstanceStatus.FINISHED) == QUICK);
      ConditionPoller.await(
          "the timeouts of the computing handlers are recorded",
          () -> count(client.client(), "spin", InstanceStatus.FAILED) == SPINNING);
      busy.tell("stop");
    }
  }

  @Test
  void theNodeClaimsAgainWhenHandlersStartAgain() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm busy = ChildJvm.start(SpinningProcess.class, database.url(), "plain");
        Engine client = engine(database, false)) {
      busy.await(1, "READY");
      start(client.client(), "spin", SPINNING);
      busy.await(PROCESSORS, "BEGIN spin");
      start(client.client(), "quick", QUICK);
      busy.await(1, line -> line.contains("claims no more until handlers start"));
      ConditionPoller.await(
          "the busy node holds nothing that has not started",
          () ->
              database.number(
                      "SELECT COUNT(*) FROM millrace_instance WHERE executor_id IS NOT NULL"
                          + " AND type = 'quick'")
                  == 0);
      busy.tell("stop");
      ConditionPoller.await(
          "the node has done all instances",
          () -> count(client.client(), "quick", InstanceStatus.FINISHED) == QUICK);
    }
  }
}
