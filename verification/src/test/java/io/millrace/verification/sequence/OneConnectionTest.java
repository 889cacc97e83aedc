package io.millrace.verification.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.verification.support.TestDatabase;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A schedule is fired inside of a transaction, which must not want a second connection. */
@Timeout(120)
class OneConnectionTest {

  @Test
  void schedulesAreFiredOverAPoolOfOneConnection() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    try (TestDatabase database = TestDatabase.postgres(1);
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .task(Task.of("KPI", "Report"), task -> ran.countDown())
                .task(Task.of("LOST", "Lost").component("com.example.Missing"))
                .sequence(
                    TaskSequence.of("Report_1", "Report", Schedule.of(Frequency.MONTHLY))
                        .task("KPI"))
                .sequence(
                    TaskSequence.of("Lost_1", "Lost", Schedule.of(Frequency.MONTHLY)).task("LOST"))
                .start()) {
      // Whoever waits for a second connection gives up after thirty seconds.
      assertThat(ran.await(25, TimeUnit.SECONDS)).isTrue();
      assertThat(engine.sequences().get("Lost_1").last()).isNotNull();
    }
  }
}
