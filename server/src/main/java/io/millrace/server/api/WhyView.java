package io.millrace.server.api;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WhyHere;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Schema Why.
 *
 * @param unblock the action that helps; null for none
 */
record WhyView(
    String kind,
    String sentence,
    @Nullable Instant until,
    @Nullable String signal,
    @Nullable String unblock) {

  /**
   * @param manualState true when the current state is one that only a person leaves, so that a
   *     retry would lead nowhere
   */
  static WhyView of(WhyHere why, boolean manualState) {
    return switch (why) {
      case WhyHere.WaitingForTimer w -> new WhyView("timer", w.sentence(), w.due(), null, "wake");
      case WhyHere.WaitingForSignal w ->
          new WhyView("signal", w.sentence(), w.until(), w.signal(), "signal");
      case WhyHere.WaitingForChildren w -> plain("children", w, null);
      case WhyHere.WaitingForExecutor w -> plain("executor", w, null);
      case WhyHere.BackingOff w ->
          new WhyView("backingOff", w.sentence(), w.retryAt(), null, "retry");
      case WhyHere.Paused w -> plain("paused", w, "resume");
      case WhyHere.UnknownType w -> plain("unknownType", w, null);
      case WhyHere.Executing w -> plain("executing", w, null);
      case WhyHere.Queued w -> plain("queued", w, null);
      case WhyHere.HolderGone w -> plain("holderGone", w, null);
      case WhyHere.Manual w -> plain("manual", w, manualState ? "move" : "retry");
      case WhyHere.Ended w ->
          plain("ended", w, w.status() == InstanceStatus.FAILED ? "retry" : null);
    };
  }

  private static WhyView plain(String kind, WhyHere why, @Nullable String unblock) {
    return new WhyView(kind, why.sentence(), null, null, unblock);
  }
}
