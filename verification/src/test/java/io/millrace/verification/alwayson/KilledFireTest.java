package io.millrace.verification.alwayson;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.data.Fire;
import io.millrace.data.FireId;
import io.millrace.data.FireState;
import io.millrace.instance.ActionType;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.AlwaysOn;
import io.millrace.verification.process.ChildJvm;
import io.millrace.verification.process.Poll;
import io.millrace.verification.support.TestDatabase;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process is killed by kill -9 between every two steps of a fire. Whatever it had done, each
 * period has exactly one run that counts, and none is lost.
 */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
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
  @EnumSource(Cut.class)
  void eachPeriodIsRunOnce(Cut cut) throws Exception {
    String name = FireProcess.name(cut);
    try (ChildJvm victim = ChildJvm.start(FireProcess.class, database.url(), "" + cut)) {
      victim.await(1, "CUT " + cut);
      victim.kill();
    }
    try (Engine heir = FireProcess.heir(database.pool(), cut)) {
      Poll.until(
          "all periods are over",
          () ->
              heir.continuous()
                  .find(name)
                  .map(AlwaysOn::work)
                  .filter(work -> work.fires() == FireProcess.PERIODS)
                  .filter(work -> work.executionId() == null)
                  .isPresent());
      assertThat(heir.continuous().get(name).position()).isEqualTo("" + FireProcess.PERIODS);
      List<WorkflowInstance> executions =
          heir.client().search(InstanceQuery.all().type(name)).items();
      assertThat(executions)
          .hasSize(FireProcess.PERIODS)
          .allMatch(one -> one.status() == InstanceStatus.FINISHED)
          .extracting(one -> one.origin().externalId())
          .containsExactlyInAnyOrderElementsOf(periods().map(n -> name + "|n" + n).toList());
      for (WorkflowInstance one : executions) {
        assertThat(heir.client().history(one.id()))
            .filteredOn(action -> action.type() == ActionType.STATE_EXECUTION)
            .singleElement()
            .satisfies(action -> assertThat(action.outcome().reason()).isEqualTo("closed"));
      }
      for (int n = 1; n <= FireProcess.PERIODS; n++) {
        assertWritten(heir, name, "n" + n);
      }
    }
  }

  private static Stream<Integer> periods() {
    return IntStream.rangeClosed(1, FireProcess.PERIODS).boxed();
  }

  private static void assertWritten(Engine engine, String name, String period) throws Exception {
    FireId id = new FireId("guard:" + name, period);
    Poll.until(
        id + " is closed",
        () ->
            engine
                .fires()
                .find(id)
                .map(Fire::state)
                .filter(FireState.SUCCEEDED::equals)
                .isPresent());
    assertThat(engine.fires().find(id)).map(Fire::attempt).contains(1);
    assertThat(engine.keyValues().get(name, period)).isPresent();
    assertThat(engine.reduce(name).key("/id").reduce(List.of(Map.of("id", period))).due())
        .as("not committed")
        .isEmpty();
  }
}
