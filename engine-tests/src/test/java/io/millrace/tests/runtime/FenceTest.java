package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.FaultyStore;
import io.millrace.fixtures.FaultyStore.Fault;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StartedInstance;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.ClaimRequest;
import io.millrace.store.SaveRequest;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import io.millrace.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of lost messages, lost leases and zombies: a step is accepted at most once, and an executor
 * without lease stops.
 */
class FenceTest {

  private final List<String> calls = new ArrayList<>();
  private FaultyStore store;
  private Runnable inFirst = () -> {};

  private final WorkflowDefinition steps =
      WorkflowDefinition.of("steps")
          .start("first", ctx -> call("first", inFirst, Next.moveTo("second", "1 done")))
          .state("second", ctx -> call("second", () -> {}, Next.moveTo("end", "2 done")))
          .end("end")
          .build();

  private Next call(String name, Runnable action, Next next) {
    calls.add(name);
    action.run();
    return next;
  }

  private ManualEngine engine() {
    return ManualEngine.with(ManualEngine.defaultSettings(), this::faulty, steps);
  }

  private FaultyStore faulty(SettableClock clock) {
    store = new FaultyStore(new MemoryStore(clock));
    return store;
  }

  @Test
  void aLostCommitReplyIsReadBackAndNothingRunsTwice() {
    try (ManualEngine engine = engine()) {
      store.failNext("save", Fault.LOST_REPLY);
      long id = engine.client().start(StartRequest.of("steps")).id();
      engine.advance(Duration.ofSeconds(5));
      assertThat(calls).containsExactly("first", "second");
      assertLinear(engine, id, 2);
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    }
  }

  @Test
  void aLostSaveRequestIsRepeated() {
    try (ManualEngine engine = engine()) {
      store.failNext("save", Fault.LOST_REQUEST);
      store.failNext("save", Fault.LOST_REQUEST);
      long id = engine.client().start(StartRequest.of("steps")).id();
      engine.advance(Duration.ofSeconds(5));
      assertThat(calls).containsExactly("first", "second");
      assertLinear(engine, id, 2);
    }
  }

  @Test
  void aClaimWhoseReplyWasLostIsReleasedByItsOwnExecutor() {
    try (ManualEngine engine = engine()) {
      long id = engine.client().start(StartRequest.of("steps").after(Duration.ofSeconds(1))).id();
      store.failNext("claim", Fault.LOST_REPLY, args -> isDue(engine));
      engine.advance(Duration.ofSeconds(30));
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.EXECUTING);
      assertThat(calls).isEmpty();
      engine.advance(Duration.ofMinutes(3));
      assertThat(calls).containsExactly("first", "second");
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    }
  }

  private static boolean isDue(ManualEngine engine) {
    return engine.clock().instant().isAfter(ManualEngine.START.plusMillis(999));
  }

  @Test
  void aHandedOverStartWhoseReplyWasLostIsReleasedToo() {
    try (ManualEngine engine = engine()) {
      store.failNext("start", Fault.LOST_REPLY);
      StartRequest request = StartRequest.of("steps").externalId("A-1");
      assertThat(catchThrowable(() -> engine.client().start(request)))
          .hasMessageContaining("reply of start was lost");
      long id = engine.client().start(request).id();
      engine.advance(Duration.ofMinutes(3));
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(calls).containsExactly("first", "second");
    }
  }

  @Test
  void aZombieIsIgnoredAndStopsAfterItsStep() {
    try (ManualEngine engine = engine()) {
      inFirst = onlyNow(() -> recover(engine));
      long id = engine.client().start(StartRequest.of("steps")).id();
      engine.advance(Duration.ofMinutes(10));
      assertThat(calls).containsExactly("first", "first", "second");
      assertLinear(engine, id, 3);
      assertThat(engine.client().history(id).getFirst().type())
          .isEqualTo(HistoryEntryType.RECOVERY);
    }
  }

  @Test
  void aZombieOfTheSameExecutorIsIgnoredToo() {
    try (ManualEngine engine = engine()) {
      inFirst = onlyNow(() -> recoverAndClaimAgain(engine));
      long id = engine.client().start(StartRequest.of("steps")).id();
      engine.advance(Duration.ofMinutes(10));
      assertThat(calls).containsExactly("first", "first", "second");
      assertLinear(engine, id, 3);
      assertThat(engine.client().history(id))
          .extracting(historyEntry -> historyEntry.author().leaseVersion())
          .containsExactly(1, 3, 3);
    }
  }

  /**
   * The lease expired, another executor recovered the instance, and the lease was renewed, all
   * while the answer was under way.
   */
  @Test
  void aStartWhoseAnswerComesAfterAGapOfTheLeaseIsNotRunHere() {
    try (ManualEngine engine = engine()) {
      store.beforeReply(
          "start",
          args -> true,
          () -> {
            recover(engine);
            claimElsewhere();
            engine.runDue();
          });
      long id = engine.client().start(StartRequest.of("steps")).id();
      engine.runDue();
      assertThat(engine.client().get(id).lease().leaseVersion()).isEqualTo(2);
      assertThat(calls).isEmpty();
    }
  }

  /**
   * The same, but this executor itself has claimed the instance in the meantime and run its step.
   */
  @Test
  void aStartWhoseAnswerComesAfterALaterClaimDoesNotDisplaceThatClaim() {
    try (ManualEngine engine = engine()) {
      store.failNext("save", Fault.LOST_REQUEST);
      store.beforeReply(
          "start",
          args -> true,
          () -> {
            recover(engine);
            engine.runDue();
            assertThat(calls).containsExactly("first");
          });
      long id = engine.client().start(StartRequest.of("steps")).id();
      engine.advance(Duration.ofMinutes(10));
      assertThat(calls).containsExactly("first", "second");
      assertLinear(engine, id, 3);
      assertThat(engine.client().history(id))
          .extracting(historyEntry -> historyEntry.author().leaseVersion())
          .containsExactly(1, 2, 2);
    }
  }

  private void claimElsewhere() {
    ExecutorInfo.Identity other =
        new ExecutorInfo.Identity("other", 1, "millrace", List.of(), "1.0");
    long id = store.executors().register(other, Duration.ofHours(1));
    assertThat(store.instances().claim(new ClaimRequest(id, "millrace", List.of(1), 10)).claimed())
        .hasSize(1);
  }

  private Runnable onlyNow(Runnable action) {
    return () -> {
      inFirst = () -> {};
      action.run();
    };
  }

  /** Recovers the instances of this executor, as another node does when this one seems dead. */
  private long recover(ManualEngine engine) {
    long mine = engine.engine().executorId();
    engine.clock().advance(EngineSettings.defaults().leasing().ttl().plus(Duration.ofMinutes(6)));
    ExecutorInfo.Identity other =
        new ExecutorInfo.Identity("other", 1, "millrace", List.of(), "1.0");
    long otherId = store.executors().register(other, Duration.ofHours(1));
    assertThat(store.executors().recover(mine, otherId, 10, 5)).hasSize(1);
    return mine;
  }

  private void recoverAndClaimAgain(ManualEngine engine) {
    long mine = recover(engine);
    store.executors().renew(mine, Duration.ofHours(1), ExecutorInfo.Load.NONE);
    assertThat(
            store.instances().claim(new ClaimRequest(mine, "millrace", List.of(1), 10)).claimed())
        .hasSize(1);
  }

  @Test
  void resultsAreSavedHoweverLongTheDatabaseIsAway() {
    try (ManualEngine engine = engine()) {
      inFirst = onlyNow(() -> store.setDown(true));
      long id = engine.client().start(StartRequest.of("steps")).id();
      engine.advance(Duration.ofHours(3));
      assertThat(calls).containsExactly("first");
      store.setDown(false);
      engine.advance(Duration.ofMinutes(5));
      assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      assertThat(calls).containsExactly("first", "second");
      assertLinear(engine, id, 2);
    }
  }

  @Test
  void aRefusedResultFailsAloneAndItsNeighboursAreSaved() {
    try (ManualEngine engine = engine()) {
      List<Long> ids =
          engine.client().startAll(Collections.nCopies(10, StartRequest.of("steps"))).stream()
              .map(StartedInstance::id)
              .toList();
      long bad = ids.get(4);
      for (int i = 0; i < 2; i++) {
        store.failNext("save", Fault.REFUSED, args -> savesSuccessOf(args, bad));
      }
      engine.runDue();
      for (long id : ids) {
        InstanceStatus expected = id == bad ? InstanceStatus.IN_PROGRESS : InstanceStatus.FINISHED;
        assertThat(engine.client().get(id).status()).isEqualTo(expected);
      }
      assertThat(engine.client().history(bad).getFirst().outcome().error()).contains("was refused");
      engine.advance(Duration.ofMinutes(1));
      assertThat(engine.client().get(bad).status()).isEqualTo(InstanceStatus.FINISHED);
    }
  }

  private static boolean savesSuccessOf(Object[] args, long id) {
    return ((List<?>) args[0])
        .stream()
            .map(SaveRequest.class::cast)
            .anyMatch(saveRequest ->
                saveRequest.fence().instanceId() == id
                    && saveRequest.entry().type() == HistoryEntryType.STATE_EXECUTION);
  }

  private static void assertLinear(ManualEngine engine, long id, int actions) {
    List<HistoryEntry> history = engine.client().history(id);
    assertThat(history)
        .extracting(HistoryEntry::seq)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, actions).boxed().toList());
    for (int i = 1; i < history.size(); i++) {
      assertThat(history.get(i).move().from()).isEqualTo(history.get(i - 1).move().to());
    }
    assertThat(engine.client().get(id).seq()).isEqualTo(actions);
  }
}
