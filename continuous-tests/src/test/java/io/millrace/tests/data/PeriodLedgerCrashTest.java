package io.millrace.tests.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodState;
import io.millrace.definition.Next;
import io.millrace.fixtures.EngineFixture;
import io.millrace.fixtures.StoreProxy;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Origin;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.NewInstance;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that let the process die between every two steps of claim, start, run and close, while a
 * scheduler asks for the day at each of its ticks. The day is done once: it is never lost, and
 * never done twice.
 */
class PeriodLedgerCrashTest extends EngineFixture {

  private static final PeriodId DAY = new PeriodId("nightly", "2026-01-05");
  private static final Duration TICK = Duration.ofMinutes(5);

  private boolean died;
  private Store store;

  private void die() {
    if (!died) {
      died = true;
      engine.killExecutor();
      throw new StoreException("the process is dead", false, null);
    }
  }

  private void runDyingAt(String point) {
    run(
        ManualEngine.defaultSettings(),
        clock -> {
          store =
              StoreProxy.around(
                  new MemoryStore(clock),
                  on -> {
                    if (on.equals(point) && isUnderWay(on)) {
                      die();
                    }
                  });
          return store;
        },
        job(
                ctx -> {
                  if (point.equals("in the handler")) {
                    die();
                  }
                  ctx.set("n", ctx.find("n", Integer.class).orElse(0) + 1);
                  return Next.moveTo("end", "x");
                })
            .build());
  }

  /** True if the call belongs to the scenario; calls of an idle engine do not matter. */
  private boolean isUnderWay(String call) {
    return engine != null && (call.endsWith("claimAndStart") || claimed);
  }

  private boolean claimed;

  private void tick(int number) {
    int definition = store.definitions().latest("job").orElseThrow().id();
    NewInstance instance =
        new NewInstance(
            new Origin("job", 1, "millrace", 4, null, null, null),
            definition,
            "work",
            null,
            Map.of(),
            Due.NOW,
            null);
    try {
      claimed = true;
      store
          .role(PeriodLedgerStore.class)
          .claimAndStart(PeriodClaimRequest.atLeastOnce(DAY, "tick " + number, TICK), instance);
    } catch (StoreException e) {
      log.add("tick " + number + " died");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "before claimAndStart",
        "after claimAndStart",
        "before claim",
        "after claim",
        "in the handler",
        "before save",
        "after save",
        "before closeEnded",
        "after closeEnded"
      })
  void theDayIsDoneOnce(String point) {
    runDyingAt(point);

    for (int number = 1; number <= 6; number++) {
      tick(number);
      engine.advance(TICK);
    }

    assertThat(died).as("the process has died").isTrue();
    PeriodEntry day = engine.engine().periodLedger().find(DAY).orElseThrow();
    assertThat(day.state()).isEqualTo(PeriodState.SUCCEEDED);
    assertThat(day.attempt()).isEqualTo(1);
    List<WorkflowInstance> all = client().search(InstanceQuery.all()).items();
    assertThat(all).extracting(WorkflowInstance::status).containsExactly(InstanceStatus.FINISHED);
    assertThat(all.getFirst().id()).isEqualTo(day.hold().executionId());
    assertThat(client().variables(all.getFirst().id())).containsEntry("n", "1");
  }
}
