package io.millrace.dispatch;

import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Requests under way that may make this engine a holder: claims, and starts that are handed over.
 * While one is open, a row that the database calls ours and that we do not know may just be its
 * answer.
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

  /** The last ticket given out. */
  long last() {
    return next.get();
  }

  /** True when every request up to {@code ticket} has its answer, or will never have one. */
  boolean isSettled(long ticket) {
    try {
      return open.first() > ticket;
    } catch (NoSuchElementException e) {
      return true;
    }
  }
}
