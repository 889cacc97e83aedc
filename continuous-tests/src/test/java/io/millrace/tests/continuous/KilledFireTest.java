package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodState;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.StoredContinuousWorkflow;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests that kill a process by kill -9 between every two steps of a fire. Whatever it had done,
 * each period has exactly one run that counts, and none is lost.
 */
@Timeout(300)
@Tag("kills")
class KilledFireTest {

  private static TestDatabase database;

  @BeforeAll
  static void open() {
    database = TestDatabase.postgres(32);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @ParameterizedTest
  @EnumSource(FireKillPoint.class)
  void eachPeriodIsRunOnce(FireKillPoint fireKillPoint) throws Exception {
    String name = KilledFireProcess.name(fireKillPoint);
    try (ChildJvm victim =
        ChildJvm.start(KilledFireProcess.class, database.url(), "" + fireKillPoint)) {
      victim.await(1, "CUT " + fireKillPoint);
      victim.kill();
    }
    try (Engine heir = KilledFireProcess.heir(database.pool(), fireKillPoint)) {
      ConditionPoller.await(
          "all periods are over",
          () ->
              heir.continuous()
                  .find(name)
                  .map(StoredContinuousWorkflow::activity)
                  .filter(activity -> activity.fires() == KilledFireProcess.PERIODS)
                  .filter(activity -> activity.executionId() == null)
                  .isPresent());
      assertThat(heir.continuous().get(name).position()).isEqualTo("" + KilledFireProcess.PERIODS);
      List<WorkflowInstance> executions =
          heir.client().search(InstanceQuery.all().type(name)).items();
      assertThat(executions)
          .hasSize(KilledFireProcess.PERIODS)
          .allMatch(one -> one.status() == InstanceStatus.FINISHED)
          .extracting(one -> one.origin().externalId())
          .containsExactlyInAnyOrderElementsOf(periods().map(n -> name + "|n" + n).toList());
      for (WorkflowInstance one : executions) {
        assertThat(heir.client().history(one.id()))
            .filteredOn(historyEntry -> historyEntry.type() == HistoryEntryType.STATE_EXECUTION)
            .singleElement()
            .satisfies(
                historyEntry -> assertThat(historyEntry.outcome().reason()).isEqualTo("closed"));
      }
      for (int n = 1; n <= KilledFireProcess.PERIODS; n++) {
        assertWritten(heir, name, "n" + n);
      }
    }
  }

  private static Stream<Integer> periods() {
    return IntStream.rangeClosed(1, KilledFireProcess.PERIODS).boxed();
  }

  private static void assertWritten(Engine engine, String name, String period) throws Exception {
    PeriodId id = new PeriodId("guard:" + name, period);
    ConditionPoller.await(
        id + " is closed",
        () ->
            engine
                .periodLedger()
                .find(id)
                .map(PeriodEntry::state)
                .filter(PeriodState.SUCCEEDED::equals)
                .isPresent());
    assertThat(engine.periodLedger().find(id)).map(PeriodEntry::attempt).contains(1);
    assertThat(engine.keyValues().get(name, period)).isPresent();
    assertThat(engine.reduce(name).key("/id").reduce(List.of(Map.of("id", period))).changed())
        .as("not committed")
        .isEmpty();
  }
}
