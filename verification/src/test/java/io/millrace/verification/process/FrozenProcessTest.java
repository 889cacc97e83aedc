package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of real processes on a real PostgreSQL: one is frozen by SIGSTOP in the middle of its work,
 * and learns nothing of it when SIGCONT lets it continue.
 */
@Timeout(300)
@Tag("kills")
class FrozenProcessTest {

  private static final int INSTANCES = 100;
  private static final String LEASE_MILLIS = "4000";

  /**
   * Length of a lease that does not expire before a busy machine notices how long the pause was.
   */
  private static final String LONG_LEASE_MILLIS = "60000";

  private static final int TERMINATED = 143;

  /**
   * Maximum number of threads that had passed the last check of the lease when they were frozen:
   * few, not the whole queue.
   */
  private static final int ON_THE_WAY = 8;

  @Test
  void whatAFrozenProcessLostIsLeftAloneByIt() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm zombie = worker(database, WorkerProcess.SLOWLY, LEASE_MILLIS);
        Engine client = client(database)) {
      long zombieId = ready(zombie);
      List<Long> ids = start(client.client(), "steps", INSTANCES);
      zombie.await(INSTANCES / 4, "BEGIN two");
      zombie.freeze();
      try (ChildJvm heir = worker(database, WorkerProcess.SLOWLY, LEASE_MILLIS)) {
        long heirId = ready(heir);
        ConditionPoller.await(
            "the heir holds all that is not finished",
            () ->
                count(database, "status <> 'finished' AND executor_id IS DISTINCT FROM " + heirId)
                    == 0);
        long thawed = System.currentTimeMillis();
        zombie.thaw();
        awaitFinished(database, "steps", INSTANCES);
        assertThat(heir.terminate()).isEqualTo(TERMINATED);
        assertThat(count(database, "executor_id = " + heirId)).isZero();

        start(client.client(), "meeting", WorkerProcess.HANDLERS);
        awaitFinished(database, "meeting", WorkerProcess.HANDLERS);
        assertThat(zombie.terminate()).isEqualTo(TERMINATED);
        assertThat(count(database, "executor_id IS NOT NULL")).isZero();

        List<List<HistoryEntry>> histories =
            ids.stream().map(id -> client.client().history(id)).toList();
        histories.forEach(FrozenProcessTest::assertEachStepOnce);
        WorkerOutput said = new WorkerOutput(zombie.seen());
        assertLeftAlone(said, histories, zombieId, thawed);
        assertLossesToldOnce(said);
      }
    }
  }

  @Test
  void aPauseShorterThanTheLeaseCostsTimeAndNothingElse() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm paused = worker(database, WorkerProcess.SLOWLY, LONG_LEASE_MILLIS);
        Engine client = client(database)) {
      long pausedId = ready(paused);
      List<Long> ids = start(client.client(), "steps", INSTANCES);
      paused.await(INSTANCES / 4, "BEGIN two");
      paused.freeze();
      try (ChildJvm other = worker(database, WorkerProcess.SLOWLY, LONG_LEASE_MILLIS)) {
        ready(other);
        ConditionPoller.await(
            "a part of the lease has passed",
            () ->
                database.number(
                        "SELECT count(*) FROM millrace_executor"
                            + " WHERE heartbeat_at < clock_timestamp() - INTERVAL '5 s' AND id = "
                            + pausedId)
                    == 1);
        assertThat(count(database, "executor_id = " + pausedId)).isPositive();
        paused.thaw();
        awaitFinished(database, "steps", INSTANCES);
        assertThat(other.terminate()).isEqualTo(TERMINATED);
        assertThat(paused.terminate()).isEqualTo(TERMINATED);
        assertThat(count(database, "executor_id IS NOT NULL")).isZero();
        assertThat(paused.seen()).noneMatch(line -> line.contains("has passed on"));
      }
      for (long id : ids) {
        List<HistoryEntry> history = client.client().history(id);
        assertThat(history)
            .noneMatch(historyEntry -> historyEntry.type() == HistoryEntryType.RECOVERY);
        assertEachStepOnce(history);
      }
    }
  }

  private static ChildJvm worker(TestDatabase database, String... args) throws Exception {
    String[] all = new String[args.length + 1];
    all[0] = database.url();
    System.arraycopy(args, 0, all, 1, args.length);
    return ChildJvm.start(WorkerProcess.class, all);
  }

  private static long ready(ChildJvm worker) throws InterruptedException {
    String line = worker.await(1, "READY ").getFirst();
    return Long.parseLong(line.substring("READY ".length()));
  }

  private static Engine client(TestDatabase database) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(WorkerProcess.definition("none"), WorkerProcess.meeting())
        .settings(s -> s.runsInstances(false))
        .start();
  }

  private static List<Long> start(WorkflowClient client, String type, int times) {
    return client.startAll(Collections.nCopies(times, StartRequest.of(type))).stream()
        .map(StartedInstance::id)
        .toList();
  }

  private static long count(TestDatabase database, String condition) {
    return database.number("SELECT count(*) FROM millrace_instance WHERE " + condition);
  }

  private static void awaitFinished(TestDatabase database, String type, int times)
      throws Exception {
    ConditionPoller.await(
        times + " instances of '" + type + "' are finished",
        () -> count(database, "status = 'finished' AND type = '" + type + "'") == times);
  }

  /**
   * Asserts that the history is one chain, with each step accepted once, each under its own lease.
   */
  private static void assertEachStepOnce(List<HistoryEntry> history) {
    assertThat(history)
        .extracting(HistoryEntry::seq)
        .isEqualTo(IntStream.rangeClosed(1, history.size()).boxed().toList());
    assertThat(history)
        .filteredOn(historyEntry -> historyEntry.type() != HistoryEntryType.RECOVERY)
        .extracting(historyEntry ->
            historyEntry.type() + " " + historyEntry.move().from() + " " + historyEntry.move().to())
        .containsExactly(
            HistoryEntryType.STATE_EXECUTION + " one two",
            HistoryEntryType.STATE_EXECUTION + " two three",
            HistoryEntryType.STATE_EXECUTION + " three end");
    for (int i = 1; i < history.size(); i++) {
      HistoryEntry before = history.get(i - 1);
      HistoryEntry historyEntry = history.get(i);
      assertThat(historyEntry.move().from()).isEqualTo(before.move().to());
      assertThat(historyEntry.author().leaseVersion())
          .as("lease of %s after %s", historyEntry, before)
          .isGreaterThanOrEqualTo(
              before.author().leaseVersion()
                  + (before.type() == HistoryEntryType.RECOVERY ? 1 : 0));
    }
  }

  private static void assertLeftAlone(
      WorkerOutput said, List<List<HistoryEntry>> histories, long zombieId, long thawed) {
    List<List<HistoryEntry>> lost =
        histories.stream().filter(history -> isLost(history, zombieId)).toList();
    assertThat(lost).as("instances that were taken over").isNotEmpty();
    int onTheWay = 0;
    for (List<HistoryEntry> history : lost) {
      long id = history.getFirst().instanceId();
      List<WorkerOutput.HandlerStart> begins = said.begins(id);
      long accepted =
          history.stream()
              .filter(historyEntry -> historyEntry.type() == HistoryEntryType.STATE_EXECUTION)
              .filter(historyEntry -> historyEntry.author().executorId() == zombieId)
              .count();
      assertThat(begins)
          .as("steps begun of instance %s, of which %s were accepted", id, accepted)
          .hasSizeLessThanOrEqualTo((int) accepted + 1);
      onTheWay +=
          (int) begins.stream().filter(handlerStart -> handlerStart.millis() > thawed).count();
    }
    assertThat(onTheWay).as("steps begun after SIGCONT").isLessThanOrEqualTo(ON_THE_WAY);
  }

  /** True if the instance was recovered and never held by the zombie again. */
  private static boolean isLost(List<HistoryEntry> history, long zombieId) {
    return history.stream()
            .anyMatch(historyEntry -> historyEntry.type() == HistoryEntryType.RECOVERY)
        && history.getLast().author().executorId() != zombieId;
  }

  private static void assertLossesToldOnce(WorkerOutput said) {
    assertThat(said.lossesByInstance().values()).allMatch(times -> times == 1);
    assertThat(said.lossesByInstance().size() + said.leaseLosses())
        .as("lines that tell of a loss")
        .isPositive();
  }
}
