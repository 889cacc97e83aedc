package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.verification.support.JavaCommand;
import io.millrace.verification.support.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler that calls System.exit takes its process with it, but not for ever. */
@Timeout(300)
@Tag("kills")
class ExitingHandlerTest {

  private static final long PATIENCE_SECONDS = 60;

  @Test
  void isParkedAfterItsLastDeathAndTheOthersGoOn() throws Exception {
    try (TestDatabase database = TestDatabase.postgres(4);
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(ExitingProcess.deadly(), ExitingProcess.harmless())
                .settings(s -> s.autostart(false))
                .start()) {
      WorkflowClient client = engine.client();
      long deadly = client.start(StartRequest.of("deadly")).id();
      List<StartedInstance> others = List.of();
      for (int death = 1; death <= ExitingProcess.MOST_DEATHS; death++) {
        if (death == ExitingProcess.MOST_DEATHS) {
          others = client.startAll(Collections.nCopies(5, StartRequest.of("harmless")));
        }
        dies(start(database));
      }
      Process survivor = start(database);
      try {
        for (StartedInstance other : others) {
          assertThat(client.await(other.id(), Duration.ofMinutes(1)).status())
              .isEqualTo(InstanceStatus.FINISHED);
        }
        awaitParked(database, deadly);
        assertThat(survivor.isAlive()).isTrue();
      } finally {
        survivor.destroyForcibly().waitFor();
      }
      assertThat(client.get(deadly).status()).isEqualTo(InstanceStatus.MANUAL);
      assertThat(client.get(deadly).reason()).contains("the last of 3 in a row");
      assertThat(client.history(deadly))
          .hasSize(ExitingProcess.MOST_DEATHS)
          .extracting(HistoryEntry::type)
          .containsOnly(HistoryEntryType.RECOVERY);
    }
  }

  private static Process start(TestDatabase database) throws IOException {
    return new JavaCommand("-Xmx256m", "-XX:TieredStopAtLevel=1")
        .builder(ExitingProcess.class, List.of(database.url()))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static void dies(Process process) throws InterruptedException {
    try {
      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .as("the process ends within %s s", PATIENCE_SECONDS)
          .isTrue();
      assertThat(process.exitValue()).isEqualTo(ExitingProcess.EXIT_CODE);
    } finally {
      process.destroyForcibly();
    }
  }

  /** What another process does can only be looked at again and again. */
  private static void awaitParked(TestDatabase database, long id) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (database.number(
            "SELECT count(*) FROM millrace_workflow WHERE status = 'manual' AND id = " + id)
        == 0) {
      assertThat(System.nanoTime()).as("parked within %s s", PATIENCE_SECONDS).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
