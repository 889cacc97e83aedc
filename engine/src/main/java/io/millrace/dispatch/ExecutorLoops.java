package io.millrace.dispatch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The loops of an engine that runs instances; an engine that only starts them has none. */
record ExecutorLoops(
    LeaseKeeper keeper,
    RecoveryLoop recovery,
    Dispatcher dispatcher,
    @Nullable ChannelClaims channelClaims,
    StuckHandlerMonitor watch,
    RetentionCleaner cleaner) {

  void stopClaiming(Duration patience) {
    dispatcher.stop(patience);
    if (channelClaims != null) {
      channelClaims.stop(patience);
    }
  }

  /** Stops the remaining loops, the heartbeat last. */
  void signOff(StopDeadline deadline) {
    watch.stop(deadline.left());
    recovery.stop(deadline.left());
    cleaner.stop(deadline.left());
    keeper.stop(deadline.left());
  }
}
