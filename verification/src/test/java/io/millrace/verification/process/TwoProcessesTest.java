package io.millrace.verification.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests of two real processes on one PostgreSQL, in which no lease expires however slow they are.
 */
class TwoProcessesTest {

  private static final int INSTANCES = 20;
  private static final int TERMINATED = 143;
  private static final String LEASE_MILLIS = "600000";

  private static final String OWNED =
      "SELECT count(*) FROM millrace_instance WHERE executor_id IS NOT NULL";
  private static final String FINISHED =
      "SELECT count(*) FROM millrace_instance WHERE status = 'finished'";

  @Test
  void aTerminatedProcessOwnsNothingAndAnotherGoesOn() throws Exception {
    try (TestDatabase database = TestDatabase.postgres();
        ChildJvm first = worker(database, "two");
        Engine client = client(database)) {
      first.await(1, "READY");
      List<StartedInstance> started =
          client.client().startAll(Collections.nCopies(INSTANCES, StartRequest.of("steps")));
      first.await(INSTANCES, "BEGIN two");
      assertThat(first.terminate()).isEqualTo(TERMINATED);
      assertThat(database.number(OWNED)).isZero();
      try (ChildJvm second = worker(database, "none")) {
        ConditionPoller.await(
            "all instances have ended", () -> database.number(FINISHED) == INSTANCES);
        assertThat(second.terminate()).isEqualTo(TERMINATED);
        assertThat(second.seen()).noneMatch(line -> line.startsWith("BEGIN one"));
      }
      for (StartedInstance s : started) {
        assertThat(client.client().history(s.id()))
            .noneMatch(entry -> entry.type() == HistoryEntryType.RECOVERY);
      }
    }
  }

  private static ChildJvm worker(TestDatabase database, String hangsIn) throws Exception {
    return ChildJvm.start(WorkerProcess.class, database.url(), hangsIn, LEASE_MILLIS);
  }

  private static Engine client(TestDatabase database) {
    return Engine.builder()
        .dataSource(database.pool())
        .workflows(WorkerProcess.definition("none"))
        .settings(s -> s.runsInstances(false))
        .start();
  }
}
