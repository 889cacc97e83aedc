package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.fixtures.EngineFixture;
import io.millrace.instance.ConflictException;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WakeResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests of operator actions on an instance whose handler is running. */
class OperatorWhileExecutingTest extends EngineFixture {

  private final List<Throwable> faults = new ArrayList<>();

  /** Runs {@code meanwhile} inside the first handler call, which returns {@code answer}. */
  private long runWith(Next answer, Consumer<StateContext> meanwhile) {
    run(
        job(
                ctx -> {
                  log.add("work");
                  if (log.size() == 1) {
                    try {
                      meanwhile.accept(ctx);
                    } catch (Throwable fault) {
                      faults.add(fault);
                    }
                  }
                  return answer;
                })
            .state(
                "second",
                ctx -> {
                  log.add("second");
                  return Next.moveTo("end", "x");
                })
            .await("wait", "sig", (ctx, s) -> Next.moveTo("end", "x"))
            .build());
    long id = startAndRun();
    assertThat(faults).isEmpty();
    return id;
  }

  @Test
  void itIsExecutingMeanwhile() {
    runWith(
        Next.moveTo("end", "x"),
        ctx -> {
          assertThat(status(ctx.instanceId())).isEqualTo(InstanceStatus.EXECUTING);
          assertThat(client().statusReason(ctx.instanceId()))
              .isEqualTo(new StatusReason.Executing(engine.engine().executorId(), 1));
          assertThat(engine.engine().leasedInstanceCount()).isEqualTo(1);
        });
    assertThat(engine.engine().leasedInstanceCount()).isZero();
  }

  @Test
  void pauseTakesEffectAfterTheStepOfAChain() {
    long id = runWith(Next.moveTo("second", "x"), ctx -> client().pause(ctx.instanceId(), BY_ANN));
    assertThat(log).containsExactly("work");
    assertThat(status(id)).isEqualTo(InstanceStatus.PAUSED);
    assertThat(get(id).state()).isEqualTo("second");
    assertThat(last(id).type()).isEqualTo(HistoryEntryType.PAUSE);
    assertThat(last(id).author().actor()).isEqualTo("ann");
    assertThat(last(id).outcome().reason()).isEqualTo("because");
    client().resume(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(last(id).author().attempt()).isEqualTo(1);
  }

  @Test
  void pauseTakesEffectAfterAStepThatMovesLater() {
    long id =
        runWith(
            Next.moveAfter("second", Duration.ofHours(1), "x"),
            ctx -> client().pause(ctx.instanceId(), BY_ANN));
    engine.advance(Duration.ofHours(2));
    assertThat(log).containsExactly("work");
    assertThat(status(id)).isEqualTo(InstanceStatus.PAUSED);
  }

  @Test
  void aPausedDelayIsNotCutShortByTheResume() {
    long id =
        runWith(
            Next.moveAfter("second", Duration.ofHours(1), "x"),
            ctx -> client().pause(ctx.instanceId(), BY_ANN));
    client().resume(id, BY_ANN);
    engine.runUntilIdle();
    assertThat(log).containsExactly("work");
    engine.advance(Duration.ofHours(1));
    assertThat(log).containsExactly("work", "second");
  }

  @Test
  void pauseOfAStepThatWaitsLeavesTheWaitInPlace() {
    long id = runWith(Next.moveTo("wait", "x"), ctx -> client().pause(ctx.instanceId(), BY_ANN));
    assertThat(status(id)).isEqualTo(InstanceStatus.PAUSED);
    client().resume(id, BY_ANN);
    engine.advance(Duration.ofDays(1));
    assertThat(client().statusReason(id)).isEqualTo(new StatusReason.WaitingForSignal("sig", null));
    client().signal(id, "sig");
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void pauseOfAStepThatFinishesIsDropped() {
    long id = runWith(Next.moveTo("end", "x"), ctx -> client().pause(ctx.instanceId(), BY_ANN));
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aWakeIsNotLost() {
    long id =
        runWith(
            Next.moveAfter("second", Duration.ofHours(1), "x"),
            ctx -> {
              assertThat(client().wake(ctx.instanceId(), "later", BY_ANN))
                  .isEqualTo(WakeResult.OTHER_STATE);
              assertThat(client().wake(ctx.instanceId(), "work", BY_ANN))
                  .isEqualTo(WakeResult.AFTER_ATTEMPT);
            });
    assertThat(log).containsExactly("work", "second");
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void cancelEndsItAtOnceAndTheAnswerIsIgnored() {
    long id =
        runWith(
            Next.moveTo("second", "ignored"),
            ctx -> {
              ctx.set("a", 1);
              client().cancel(ctx.instanceId(), BY_ANN);
              assertThat(status(ctx.instanceId())).isEqualTo(InstanceStatus.CANCELLED);
              assertThat(ctx.cancelToken().isCancelled()).isTrue();
            });
    assertThat(log).containsExactly("work");
    assertThat(status(id)).isEqualTo(InstanceStatus.CANCELLED);
    assertThat(history(id)).extracting(HistoryEntry::type).containsExactly(HistoryEntryType.CANCEL);
    assertThat(client().variables(id)).isEmpty();
    assertThat(engine.engine().leasedInstanceCount()).isZero();
  }

  @Test
  void aStepOfACancelledInstanceIsNotRun() {
    runWith(
        Next.moveTo("end", "x"),
        ctx -> {
          client().cancel(ctx.instanceId(), BY_ANN);
          assertThatThrownBy(() -> ctx.once("s", () -> log.add("effect")))
              .hasMessageContaining("cancel");
        });
    assertThat(log).containsExactly("work");
  }

  @Test
  void otherActionsAreRefusedWithACure() {
    runWith(
        Next.moveTo("end", "x"),
        ctx -> {
          long id = ctx.instanceId();
          List<Runnable> actions =
              List.of(
                  () -> client().move(id, "end", BY_ANN),
                  () -> client().retry(id, BY_ANN),
                  () -> client().resume(id, BY_ANN),
                  () -> client().editVariables(id, Map.of("a", 1), BY_ANN));
          assertThat(actions)
              .allSatisfy(action ->
                  assertThatThrownBy(action::run)
                      .isInstanceOf(ConflictException.class)
                      .hasMessageContaining("is executing")
                      .hasMessageContaining("after its current attempt"));
        });
  }
}
