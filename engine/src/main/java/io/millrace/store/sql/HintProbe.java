package io.millrace.store.sql;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check whether notifications arrive: the process notifies itself through another connection. A
 * connection pooler in transaction mode accepts LISTEN and delivers nothing. Thread-safe.
 */
final class HintProbe {

  private static final Logger LOG = LoggerFactory.getLogger(HintProbe.class);
  private static final String PREFIX = "millrace_probe_";
  private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long LIMIT_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long WARNING_NANOS = Duration.ofMinutes(10).toNanos();

  /**
   * Number of reads of the connection after the limit, for a process that was suspended meanwhile.
   */
  private static final int LAST_LOOKS = 4;

  private final EngineClock clock;
  private final String channel;
  private boolean requested;
  private long requestedNanos;
  private @Nullable Long sentNanos;
  private int lateLooks;
  private boolean failed;
  private boolean warned;
  private @Nullable Long warnedNanos;

  /**
   * @param node an id that no other process has
   */
  HintProbe(EngineClock clock, String node) {
    this.clock = clock;
    this.channel = PREFIX + node;
  }

  /** Returns the channel to listen on, which no other process uses. */
  String channel() {
    return channel;
  }

  /** Restarts the check on a new connection. */
  synchronized void restart() {
    requested = false;
    sentNanos = null;
    lateLooks = 0;
  }

  /** Records that a notification has been sent to {@code to}. */
  synchronized void sent(String to) {
    if (to.equals(channel) && requested) {
      sentNanos = clock.nanoTime();
    }
  }

  /**
   * Records that the probe has arrived.
   *
   * @return true if the previous one did not
   */
  synchronized boolean arrived() {
    sentNanos = null;
    lateLooks = 0;
    boolean recovered = failed;
    failed = false;
    if (warned) {
      warned = false;
      LOG.info("Notifications arrive again");
    }
    return recovered;
  }

  /**
   * Sends a probe or checks whether one is missing; called each time after the connection was read.
   */
  void look(Consumer<String> notify) {
    if (isDue()) {
      notify.accept(channel);
    }
  }

  private synchronized boolean isDue() {
    long now = clock.nanoTime();
    Long sent = sentNanos;
    if (sent != null && now - sent > LIMIT_NANOS && ++lateLooks > LAST_LOOKS) {
      sentNanos = null;
      lateLooks = 0;
      failed = true;
      warn(now);
    }
    if (requested && now - requestedNanos < INTERVAL_NANOS) {
      return false;
    }
    requested = true;
    requestedNanos = now;
    return true;
  }

  private void warn(long now) {
    Long before = warnedNanos;
    if (!warned && (before == null || now - before > WARNING_NANOS)) {
      warned = true;
      warnedNanos = now;
      LOG.warn(
          "Notifications do not arrive: this process sent a NOTIFY to itself and did not receive it"
              + " within {} s. Work of other processes is found by polling. Connection poolers in"
              + " transaction mode, such as PgBouncer's, do not support LISTEN: use session mode or"
              + " connect directly, or open the store without listening",
          Duration.ofNanos(LIMIT_NANOS).toSeconds());
    }
  }

  /** Returns true if the last probe was lost. */
  synchronized boolean failed() {
    return failed;
  }
}
