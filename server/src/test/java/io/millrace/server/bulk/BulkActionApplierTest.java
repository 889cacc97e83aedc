package io.millrace.server.bulk;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.jackson3.Jackson3Codec;
import io.millrace.retry.RetryPolicy;
import io.millrace.server.LongLease;
import io.millrace.server.Patience;
import io.millrace.testing.MemoryStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the action of a run on an instance that changes at the same time. */
final class BulkActionApplierTest {

  private static final long RUN = 17;

  private final Engine engine =
      Engine.builder()
          .store(new MemoryStore(InstantSource.system()))
          .workflows(
              WorkflowDefinition.of("later").start("go", ctx -> Next.done("gone")).build(),
              WorkflowDefinition.of("limited")
                  .start("go", ctx -> Next.moveTo("checked", "went"))
                  .manual("checked")
                  .end("skipped")
                  .permit("go", "checked")
                  .permit("checked", "skipped")
                  .build(),
              WorkflowDefinition.of("fails")
                  .start(
                      "go",
                      ctx -> {
                        throw new IllegalStateException("broken");
                      })
                  .end("done")
                  .retry(RetryPolicy.never())
                  .build())
          .settings(LongLease::of)
          .start();

  private final long id =
      engine
          .client()
          .start(StartRequest.of("later").at(Instant.parse("2999-01-01T00:00:00Z")))
          .id();

  @AfterEach
  void stop() {
    engine.close();
  }

  private BulkActionApplier action(
      BulkAction action, InstanceFilter filter, @Nullable String reason) {
    return new BulkActionApplier(
        engine.client(),
        new BulkRequest(action, filter, null, false, null, reason, "ann", 100, 1, null),
        RUN);
  }

  private BulkActionApplier move(long moved, String state, boolean force) {
    return new BulkActionApplier(
        engine.client(),
        new BulkRequest(
            BulkAction.MOVE,
            InstanceFilter.ofIds(List.of(moved)),
            state,
            force,
            null,
            "paid by phone",
            "ann",
            100,
            1,
            null),
        RUN);
  }

  private static InstanceFilter failed() {
    return InstanceFilter.ofFailure("3f9c");
  }

  private List<HistoryEntryType> history() {
    return engine.client().history(id).stream().map(historyEntry -> historyEntry.type()).toList();
  }

  @Test
  void anInstanceThatIsNoLongerMeantIsLeftAlone() {
    assertThat(action(BulkAction.RETRY, failed(), null).apply(id, false))
        .contains("Instance " + id, "created", "'go'", "no longer");
    assertThat(history()).isEmpty();
    InstanceFilter named = InstanceFilter.ofIds(List.of(id));
    assertThat(action(BulkAction.PAUSE, named, null).apply(id, false)).isEmpty();
    assertThat(history()).containsExactly(HistoryEntryType.PAUSE);
  }

  @Test
  void whatTheRunHasDoneBeforeACrashIsDone() {
    InstanceFilter named = InstanceFilter.ofIds(List.of(id));
    assertThat(action(BulkAction.PAUSE, named, "look").apply(id, false)).isEmpty();
    assertThat(action(BulkAction.PAUSE, named, "look").apply(id, true)).isEmpty();
    assertThat(history()).containsExactly(HistoryEntryType.PAUSE);
    assertThat(action(BulkAction.PAUSE, named, "look").apply(id, false)).contains("paused");
  }

  @Test
  void anActionOfAnotherUserIsNotTakenForTheRuns() {
    engine.client().pause(id, new OperatorAction("bob", "bulk run 17"));
    engine.client().resume(id, new OperatorAction("ann", "bulk run 170"));
    engine.client().wake(id, new OperatorAction("ann", null));
    engine.client().await(id, Patience.LIMIT);
    assertThat(engine.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(action(BulkAction.CANCEL, InstanceFilter.ofIds(List.of(id)), null).apply(id, true))
        .contains("finished");
  }

  @Test
  void aLongReasonIsCutAndStillKnown() {
    InstanceFilter named = InstanceFilter.ofIds(List.of(id));
    String reason = "x".repeat(OperatorAction.MAX_REASON);
    assertThat(action(BulkAction.PAUSE, named, reason).apply(id, false)).isEmpty();
    assertThat(action(BulkAction.PAUSE, named, reason).apply(id, true)).isEmpty();
    assertThat(history()).containsExactly(HistoryEntryType.PAUSE);
  }

  @Test
  void aMoveBeyondWhatTheDefinitionPermitsNeedsForceAndIsRecordedAsForced() {
    long limited =
        engine
            .client()
            .start(StartRequest.of("limited").at(Instant.parse("2999-01-01T00:00:00Z")))
            .id();

    assertThat(move(limited, "skipped", false).apply(limited, false))
        .contains("does not permit", "'go'", "'skipped'", "[checked]");
    assertThat(engine.client().history(limited)).isEmpty();
    assertThat(move(limited, "skipped", true).apply(limited, false)).isEmpty();

    assertThat(engine.client().history(limited))
        .extracting(entry -> entry.outcome().reason())
        .containsExactly("forced: bulk run 17: paid by phone");
    assertThat(move(limited, "skipped", true).apply(limited, true))
        .as("the run knows its forced move after a crash")
        .isEmpty();
    assertThat(engine.client().history(limited)).hasSize(1);
  }

  /** The reason of such a cancel begins with the failure, which it keeps. */
  @Test
  void aCancelOfAFailedInstanceIsKnownAfterACrash() {
    long failed = engine.client().start(StartRequest.of("fails")).id();
    engine.client().await(failed, Patience.LIMIT);
    InstanceFilter named = InstanceFilter.ofIds(List.of(failed));

    assertThat(action(BulkAction.CANCEL, named, "enough").apply(failed, false)).isEmpty();

    assertThat(action(BulkAction.CANCEL, named, "enough").apply(failed, true)).isEmpty();
    assertThat(action(BulkAction.CANCEL, named, "enough").apply(failed, false))
        .contains("cancelled");
  }

  @Test
  void aRunThatWasStoredBeforeThereWasForceIsReadAsOneWithoutIt() {
    BulkRequest stored =
        new Jackson3Codec()
            .decode(
                """
                {"action":"move","filter":{"ids":[1]},"state":"pay","actor":"ann",\
                "highestId":5,"total":1}\
                """,
                BulkRequest.class);

    assertThat(stored.force()).isFalse();
  }
}
