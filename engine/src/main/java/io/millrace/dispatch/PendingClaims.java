package io.millrace.dispatch;

import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The pending requests that may make the executor a holder: claims, and starts with a lease. While
 * one is open, an owned row that is unknown here may be its result.
 */
final class PendingClaims {

  private final AtomicLong next = new AtomicLong();
  private final ConcurrentSkipListSet<Long> open = new ConcurrentSkipListSet<>();

  synchronized long start() {
    long ticket = next.incrementAndGet();
    open.add(ticket);
    return ticket;
  }

  void end(long ticket) {
    open.remove(ticket);
  }

  /** Returns the last issued ticket. */
  long last() {
    return next.get();
  }

  /** Returns true if every request up to {@code ticket} has its result, or will never have one. */
  boolean isComplete(long ticket) {
    try {
      return open.first() > ticket;
    } catch (NoSuchElementException e) {
      return true;
    }
  }
}
