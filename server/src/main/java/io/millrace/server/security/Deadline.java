package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * The time by which a whole operation must end.
 *
 * @param nanos time on the monotonic clock
 */
record Deadline(EngineClock clock, long nanos) {

  static Deadline in(Duration time, EngineClock clock) {
    return new Deadline(clock, clock.nanoTime() + time.toNanos());
  }

  /** Returns the remaining time in milliseconds, at least one. */
  int millis() throws SocketTimeoutException {
    long left = (nanos - clock.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new SocketTimeoutException("No whole answer in time");
    }
    return (int) Math.min(left, Integer.MAX_VALUE);
  }

  /** Limits each read of {@code socket} to the remaining time. */
  void limit(Socket socket) throws IOException {
    socket.setSoTimeout(millis());
  }
}
