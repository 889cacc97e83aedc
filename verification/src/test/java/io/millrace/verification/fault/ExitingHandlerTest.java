package io.millrace.verification.fault;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.Patience;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a handler which calls System.exit ends its process, but only a limited number of
 * times.
 */
@Timeout(300)
@Tag("kills")
class ExitingHandlerTest {

  @ParameterizedTest(name = "an engine that stops with its JVM: {0}")
  @ValueSource(booleans = {false, true})
  void isParkedAfterItsLastDeathAndTheOthersGoOn(boolean stopsWithJvm) throws Exception {
    try (TestDatabase database = TestDatabase.postgres(4);
        Engine engine =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(ExitingProcess.deadly(), ExitingProcess.harmless())
                .settings(s -> s.runsInstances(false))
                .start()) {
      WorkflowClient client = engine.client();
      long deadly = client.start(StartRequest.of("deadly")).id();
      List<StartedInstance> others = List.of();
      for (int death = 1; death <= ExitingProcess.MAX_DEATHS; death++) {
        if (death == ExitingProcess.MAX_DEATHS) {
          others = client.startAll(Collections.nCopies(5, StartRequest.of("harmless")));
        }
        try (ChildJvm victim = start(database, stopsWithJvm)) {
          victim.await(1, ExitingProcess.BEGIN);
          assertThat(victim.exitCode()).isEqualTo(ExitingProcess.EXIT_CODE);
        }
      }
      try (ChildJvm survivor = start(database, stopsWithJvm)) {
        for (StartedInstance other : others) {
          assertThat(client.await(other.id(), Patience.LIMIT).status())
              .isEqualTo(InstanceStatus.FINISHED);
        }
        ConditionPoller.await(
            "it is parked", () -> client.get(deadly).status() == InstanceStatus.MANUAL);
        assertThat(survivor.isAlive()).isTrue();
        assertThat(survivor.seen()).noneMatch(line -> line.contains(ExitingProcess.BEGIN));
      }
      assertThat(client.get(deadly).status()).isEqualTo(InstanceStatus.MANUAL);
      assertThat(client.get(deadly).reason()).contains("the last of 3 in a row");
      assertThat(client.history(deadly))
          .hasSize(ExitingProcess.MAX_DEATHS)
          .extracting(HistoryEntry::type)
          .containsOnly(HistoryEntryType.RECOVERY);
    }
  }

  private static ChildJvm start(TestDatabase database, boolean stopsWithJvm) throws IOException {
    return ChildJvm.start(ExitingProcess.class, database.url(), String.valueOf(stopsWithJvm));
  }
}
