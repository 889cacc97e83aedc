package io.millrace.dispatch;

import io.millrace.lifecycle.EndSteps;
import io.millrace.store.HintChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The loops of an executor; an engine that only starts instances has none. */
record ExecutorLoops(
    Heartbeat heartbeat,
    Dispatcher dispatcher,
    RecoveryLoop recovery,
    @Nullable ChannelClaims channelClaims,
    HandlerWatch watch,
    RetentionCleaner cleaner,
    HintChannel.Subscription hints) {

  /** Stops claiming; nothing is claimed after the return. */
  void stopClaiming(Duration patience) {
    EndSteps.run(
        hints::close,
        () -> dispatcher.stop(patience),
        () -> {
          if (channelClaims != null) {
            channelClaims.stop(patience);
          }
        });
  }

  /** Stops the remaining loops, the heartbeat last. */
  void stop(StopDeadline deadline) {
    EndSteps.run(
        () -> watch.stop(deadline.left()),
        () -> recovery.stop(deadline.left()),
        () -> cleaner.stop(deadline.left()),
        () -> heartbeat.stop(deadline.left()));
  }
}
