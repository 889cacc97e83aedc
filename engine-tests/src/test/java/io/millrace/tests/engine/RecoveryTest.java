package io.millrace.tests.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.EngineFixture;
import io.millrace.fixtures.StoreProxy;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StatusReason;
import io.millrace.store.StoreException;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that let the executor die at every possible point of a step. */
class RecoveryTest extends EngineFixture {

  private int killsLeft = 1;

  private void dieOnce() {
    if (killsLeft > 0) {
      killsLeft--;
      engine.killExecutor();
      throw new StoreException("the process is dead", false, null);
    }
  }

  private final WorkflowDefinition twoStates =
      job(
              ctx -> {
                log.add("work " + ctx.attempt());
                ctx.set("n", ctx.find("n", Integer.class).orElse(0) + 1);
                return Next.moveTo("second", "x");
              })
          .state(
              "second",
              ctx -> {
                log.add("second " + ctx.attempt());
                ctx.set("n", ctx.get("n", Integer.class) + 1);
                return Next.moveTo("end", "x");
              })
          .build();

  private void assertDoneOnce(long id) {
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(client().variables(id)).containsEntry("n", "2");
    assertThat(history(id))
        .filteredOn(a -> a.type() == HistoryEntryType.STATE_EXECUTION)
        .extracting(a -> a.move().to())
        .containsExactly("second", "end");
  }

  private void runDyingAt(String call, int nth) {
    int[] seen = {0};
    run(
        ManualEngine.defaultSettings(),
        clock ->
            StoreProxy.around(
                new MemoryStore(clock),
                on -> {
                  if (on.equals(call) && ++seen[0] == nth) {
                    dieOnce();
                  }
                }),
        twoStates);
  }

  @Test
  void beforeTheHandlerRuns() {
    run(twoStates);
    long id = start("job");
    engine.killExecutor();
    assertThat(engine.runUntilIdle()).isZero();
    engine.advance(engine.leaseTime());
    assertDoneOnce(id);
    assertThat(log).containsExactly("work 2", "second 1");
    assertThat(history(id).getFirst().type()).isEqualTo(HistoryEntryType.RECOVERY);
    assertThat(history(id).getFirst().outcome().reason()).contains("died", "1 in a row");
  }

  @Test
  void nobodyTakesAnythingBeforeTheLeaseHasEnded() {
    run(twoStates);
    long id = start("job");
    engine.killExecutor();
    engine.advance(ManualEngine.defaultSettings().leasing().ttl().minusSeconds(1));
    assertThat(status(id)).isEqualTo(InstanceStatus.EXECUTING);
    assertThat(log).isEmpty();
  }

  @Test
  void inTheHandler() {
    run(
        job(
                ctx -> {
                  log.add("work " + ctx.attempt());
                  ctx.set("n", 1);
                  if (ctx.attempt() == 1) {
                    engine.killExecutor();
                  }
                  return Next.moveTo("end", "x");
                })
            .build());
    long id = startAndRun();
    assertThat(history(id)).isEmpty();
    engine.advance(engine.leaseTime());
    assertThat(log).containsExactly("work 1", "work 2");
    assertThat(history(id))
        .extracting(HistoryEntry::type)
        .containsExactly(HistoryEntryType.RECOVERY, HistoryEntryType.STATE_EXECUTION);
    assertThat(get(id).lease().recoveries()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void afterTheHandlerBeforeTheSave(int step) {
    runDyingAt("before save", step);
    long id = startAndRun();
    assertThat(history(id)).hasSize(step - 1);
    engine.advance(engine.leaseTime());
    assertDoneOnce(id);
    assertThat(log).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void afterTheSaveBeforeItsAnswer(int step) {
    runDyingAt("after save", step);
    long id = startAndRun();
    engine.advance(engine.leaseTime());
    assertDoneOnce(id);
    assertThat(log).hasSize(2);
  }

  @Test
  void afterTheClaimBeforeItsAnswer() {
    runDyingAt("after claim", 3);
    long id = start(StartRequest.of("job").after(Duration.ofSeconds(1)));
    engine.advance(Duration.ofHours(1));
    assertDoneOnce(id);
  }

  @Test
  void aSaveWhoseAnswerIsLostIsNotWrittenTwice() {
    int[] saves = {0};
    run(
        ManualEngine.defaultSettings(),
        clock ->
            StoreProxy.around(
                new MemoryStore(clock),
                on -> {
                  if (on.equals("after save") && ++saves[0] == 1) {
                    throw new StoreException("the answer is lost", false, null);
                  }
                }),
        twoStates);
    long id = start("job");
    engine.advance(Duration.ofMinutes(1));
    assertDoneOnce(id);
    assertThat(log).containsExactly("work 1", "second 1");
    assertThat(history(id)).hasSize(2);
  }

  @Test
  void aDatabaseThatIsAwayForLongLosesNoResult() {
    boolean[] away = {false};
    run(
        ManualEngine.defaultSettings(),
        clock ->
            StoreProxy.around(
                new MemoryStore(clock),
                on -> {
                  if (away[0] && on.startsWith("before")) {
                    throw new StoreException("away", false, null);
                  }
                }),
        twoStates);
    long id = start("job");
    away[0] = true;
    engine.advance(Duration.ofMinutes(2));
    assertThat(history(id)).isEmpty();
    away[0] = false;
    engine.advance(Duration.ofMinutes(1));
    assertDoneOnce(id);
    assertThat(log).containsExactly("work 1", "second 1");
  }

  @Test
  void aClaimWhoseAnswerIsLostIsGivenBackByTheHeartbeat() {
    int[] claims = {0};
    run(
        ManualEngine.defaultSettings(),
        clock ->
            StoreProxy.around(
                new MemoryStore(clock),
                on -> {
                  if (on.equals("after claim") && engine != null && claims[0]++ == 0) {
                    throw new StoreException("the answer is lost", false, null);
                  }
                }),
        twoStates);
    long id = start(StartRequest.of("job").after(Duration.ofMillis(1)));
    engine.clock().advance(Duration.ofMillis(1));
    engine.runDue();
    assertThat(status(id)).isEqualTo(InstanceStatus.EXECUTING);
    engine.advance(Duration.ofMinutes(3));
    assertDoneOnce(id);
    assertThat(log).containsExactly("work 1", "second 1");
  }

  private long killerInstance(int maxRecoveries) {
    run(
        ManualEngine.defaultSettings().maxRecoveries(maxRecoveries),
        job(
                ctx -> {
                  log.add("attempt " + ctx.attempt());
                  if (!ctx.find("healed", Boolean.class).orElse(false)) {
                    engine.killExecutor();
                  }
                  return Next.moveTo("end", "x");
                })
            .build(),
        WorkflowDefinition.of("good").start("a", ctx -> Next.done("x")).build());
    long id = startAndRun();
    engine.advance(engine.leaseTime().multipliedBy(10));
    return id;
  }

  @Test
  void anInstanceThatKillsItsExecutorIsParked() {
    long id = killerInstance(3);
    assertThat(log).containsExactly("attempt 1", "attempt 2", "attempt 3");
    assertThat(status(id)).isEqualTo(InstanceStatus.MANUAL);
    assertThat(history(id))
        .extracting(HistoryEntry::type)
        .containsExactly(
            HistoryEntryType.RECOVERY, HistoryEntryType.RECOVERY, HistoryEntryType.RECOVERY);
    assertThat(client().statusReason(id)).isInstanceOf(StatusReason.Manual.class);
    assertThat(client().statusReason(id).sentence()).contains("3 in a row", "parked");
    long good = start("good");
    engine.runUntilIdle();
    assertThat(status(good)).isEqualTo(InstanceStatus.FINISHED);
  }

  @Test
  void aRetryUnparksAndCountsFromZero() {
    long id = killerInstance(2);
    client().editVariables(id, java.util.Map.of("healed", true), BY_ANN);
    client().retry(id, BY_ANN);
    assertThat(get(id).lease().recoveries()).isZero();
    engine.runUntilIdle();
    assertThat(status(id)).isEqualTo(InstanceStatus.FINISHED);
    assertThat(log).containsExactly("attempt 1", "attempt 2", "attempt 1");
  }

  @Test
  void theLeaseVersionOnlyGrows() {
    long id = killerInstance(3);
    assertThat(history(id)).extracting(a -> a.author().leaseVersion()).isSorted();
    assertThat(get(id).lease().leaseVersion()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void closingGivesBackWhatWasNotBegunWithoutCountingAnAttempt() {
    run(ManualEngine.defaultSettings().concurrency(1), twoStates);
    long id = start("job");
    engine.close();
    assertThat(get(id).status()).isNotEqualTo(InstanceStatus.EXECUTING);
    assertThat(client().executors("millrace").getFirst().stopped()).isNotNull();
  }
}
