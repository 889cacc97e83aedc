package io.millrace.server.api;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StatusReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The schema Why.
 *
 * @param unblock the action that helps; null for none
 */
record StatusReasonView(
    String kind,
    String sentence,
    @Nullable Instant until,
    @Nullable String signal,
    @Nullable String unblock) {

  /**
   * Returns the view of a reason.
   *
   * @param manualState true if only an operator can leave the current state, so that a retry would
   *     not help
   */
  static StatusReasonView of(StatusReason why, boolean manualState) {
    return switch (why) {
      case StatusReason.WaitingForTimer w ->
          new StatusReasonView("timer", w.sentence(), w.due(), null, "wake");
      case StatusReason.WaitingForChannel w ->
          new StatusReasonView("channel", w.sentence(), w.until(), null, null);
      case StatusReason.WaitingForSignal w ->
          new StatusReasonView("signal", w.sentence(), w.until(), w.signal(), "signal");
      case StatusReason.WaitingForChildren w -> plain("children", w, null);
      case StatusReason.WaitingForExecutor w -> plain("executor", w, null);
      case StatusReason.BackingOff w ->
          new StatusReasonView("backingOff", w.sentence(), w.retryAt(), null, "retry");
      case StatusReason.Paused w -> plain("paused", w, "resume");
      case StatusReason.NoMatchingExecutor w -> plain("unknownType", w, null);
      case StatusReason.Executing w -> plain("executing", w, null);
      case StatusReason.Queued w -> plain("queued", w, null);
      case StatusReason.ExecutorLost w -> plain("holderGone", w, null);
      case StatusReason.Manual w -> plain("manual", w, manualState ? "move" : "retry");
      case StatusReason.Ended w ->
          plain("ended", w, w.status() == InstanceStatus.FAILED ? "retry" : null);
    };
  }

  private static StatusReasonView plain(String kind, StatusReason why, @Nullable String unblock) {
    return new StatusReasonView(kind, why.sentence(), null, null, unblock);
  }
}
