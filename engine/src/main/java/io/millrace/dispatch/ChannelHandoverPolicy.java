package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.store.ChannelMessage;
import io.millrace.store.SaveRequest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an instance that comes to a state with a channel: a message is sent when it is
 * due, and the dispatcher takes it only when nobody has come with that message in time.
 */
record ChannelHandoverPolicy(Duration patience) {

  static ChannelHandoverPolicy of(EngineSettings settings) {
    return new ChannelHandoverPolicy(settings.dispatching().channelPatience());
  }

  /** The channel over which an instance goes that comes to {@code state}; null for none. */
  @Nullable String channel(@Nullable State state) {
    return patience.isZero() || state == null ? null : state.channel();
  }

  /** When the dispatcher is to take what is {@code due} and comes by message. */
  Due later(Due due) {
    return switch (due) {
      case Due.Now now -> new Due.After(patience);
      case Due.After after -> new Due.After(after.delay().plus(patience));
      case Due.At at -> new Due.At(TimeLimits.after(at.instant(), patience));
      case Due.Never never -> never;
    };
  }

  /**
   * The message for what is {@code due}.
   *
   * @param now the time by the engine's wall clock
   */
  static @Nullable ChannelMessage message(String channel, Due due, boolean retry, Instant now) {
    return switch (due) {
      case Due.Now at -> new ChannelMessage(channel, Duration.ZERO, retry);
      case Due.After after -> new ChannelMessage(channel, after.delay(), retry);
      case Due.At at -> new ChannelMessage(channel, Durations.between(now, at.instant()), retry);
      case Due.Never never -> null;
    };
  }

  /** The target as it is stored when the instance comes to its state by message. */
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

  /** True for a target in which a handler is to run, with nothing else to wait for. */
  static boolean isRun(SaveRequest.Target target) {
    return target.status() == InstanceStatus.IN_PROGRESS
        && target.waitingFor() == null
        && !(target.due() instanceof Due.Never);
  }
}
