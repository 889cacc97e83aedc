package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ProcessTicker;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of real processes on a real PostgreSQL at default settings: a surviving process finishes
 * the work of a killed one.
 */
@Timeout(300)
@Tag("kills")
class KilledProcessTest {

  private static final int INSTANCES = 20;

  @Test
  void whatAKilledProcessHeldIsFinishedByAnotherWithinTwentySeconds() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm victim = ChildJvm.start(WorkerProcess.class, database.url(), "two");
        Engine client = client(database)) {
      victim.await(1, "READY");
      List<StartedInstance> started = start(client.client());
      victim.await(INSTANCES, "BEGIN two");
      try (ChildJvm heir = ChildJvm.start(WorkerProcess.class, database.url(), "none")) {
        heir.await(1, "READY");
        victim.kill();
        try (ProcessTicker processTicker = ProcessTicker.start()) {
          heir.await(INSTANCES, "BEGIN three");
          assertThat(processTicker.runTime()).isLessThan(Duration.ofSeconds(20));
        }
        assertThat(heir.terminate()).isNotZero();
        assertThat(heir.seen()).noneMatch(line -> line.startsWith("BEGIN one"));
      }
      assertThat(
              client.client().search(InstanceQuery.all().status(InstanceStatus.FINISHED)).items())
          .hasSize(INSTANCES);
      started.forEach(s -> assertRecoveredOnce(client.client().history(s.id())));
    }
  }

  private static Engine client(TestDatabase database) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(WorkerProcess.definition("none"))
        .settings(s -> s.runsInstances(false))
        .start();
  }

  private static List<StartedInstance> start(WorkflowClient client) {
    return client.startAll(Collections.nCopies(INSTANCES, StartRequest.of("steps")));
  }

  private static void assertRecoveredOnce(List<HistoryEntry> history) {
    assertThat(history)
        .extracting(HistoryEntry::type)
        .containsExactly(
            HistoryEntryType.STATE_EXECUTION,
            HistoryEntryType.RECOVERY,
            HistoryEntryType.STATE_EXECUTION,
            HistoryEntryType.STATE_EXECUTION);
    assertThat(history)
        .extracting(HistoryEntry::seq)
        .isEqualTo(IntStream.rangeClosed(1, 4).boxed().toList());
    assertThat(history).extracting(a -> a.author().leaseVersion()).isSorted();
  }
}
