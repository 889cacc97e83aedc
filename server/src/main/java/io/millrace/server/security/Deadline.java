package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;

/**
 * Until when all must be over.
 *
 * @param nanos on the clock that only grows
 */
record Deadline(EngineClock clock, long nanos) {

  static Deadline in(Duration time, EngineClock clock) {
    return new Deadline(clock, clock.nanoTime() + time.toNanos());
  }

  /** What is left; at least one millisecond. */
  int millis() throws SocketTimeoutException {
    long left = (nanos - clock.nanoTime()) / 1_000_000;
    if (left <= 0) {
      throw new SocketTimeoutException("No whole answer in time");
    }
    return (int) Math.min(left, Integer.MAX_VALUE);
  }

  /** Lets no read of {@code socket} take longer. */
  void limit(Socket socket) throws IOException {
    socket.setSoTimeout(millis());
  }
}
