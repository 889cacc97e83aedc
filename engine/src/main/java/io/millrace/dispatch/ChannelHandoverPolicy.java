package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.AttachedWrite;
import io.millrace.store.ChannelMessage;
import io.millrace.store.SaveRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The handover of an instance that enters a state with a channel. A message is sent when the
 * instance is due, and the dispatcher claims the instance only if no executor claims it by message
 * in time.
 */
record ChannelHandoverPolicy(Duration patience) {

  static ChannelHandoverPolicy of(EngineSettings settings) {
    return new ChannelHandoverPolicy(settings.dispatching().channelPatience());
  }

  /** Returns the channel of a state, or null for none. */
  @Nullable String channel(@Nullable State state) {
    return patience.isZero() || state == null ? null : state.channel();
  }

  /** Returns when the dispatcher claims an instance that is announced by a message. */
  Due later(Due due) {
    return switch (due) {
      case Due.Now now -> new Due.After(patience);
      case Due.After after -> new Due.After(after.delay().plus(patience));
      case Due.At at -> new Due.At(TimeLimits.after(at.instant(), patience));
      case Due.Never never -> never;
    };
  }

  /**
   * Returns the message for an instance that becomes due; empty for one that never does.
   *
   * @param now the time by the engine's wall clock
   */
  static List<AttachedWrite> message(String channel, Due due, boolean retry, Instant now) {
    return switch (due) {
      case Due.Now at -> List.of(new ChannelMessage(channel, Duration.ZERO, retry));
      case Due.After after -> List.of(new ChannelMessage(channel, after.delay(), retry));
      case Due.At at ->
          List.of(new ChannelMessage(channel, Durations.between(now, at.instant()), retry));
      case Due.Never never -> List.of();
    };
  }

  /** Returns the stored target of an instance that is announced by a message. */
  SaveRequest.Target postponed(SaveRequest.Target target) {
    return new SaveRequest.Target(
        target.state(),
        target.status(),
        later(target.due()),
        null,
        target.newVisit(),
        false,
        target.newVisit() ? 0 : target.attempt());
  }

  /** Returns true for a target whose handler runs without waiting for an event. */
  static boolean isRun(SaveRequest.Target target) {
    return target.status() == InstanceStatus.IN_PROGRESS
        && target.waitingFor() == null
        && !(target.due() instanceof Due.Never);
  }
}
