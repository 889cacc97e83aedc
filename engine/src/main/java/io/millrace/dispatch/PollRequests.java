package io.millrace.dispatch;

import io.millrace.instance.Due;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.Loop;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests for polls of due instances, and the time of the next poll without a request. All
 * parts that know of due instances make them, and the {@link Dispatcher} meets them. Requests from
 * before its start are kept. Thread-safe.
 */
final class PollRequests {

  private final EngineContext engine;
  private final AtomicLong nextPollNanos;
  private volatile boolean requested;

  /**
   * True if instances that are due may have been left in the database, for lack of room or by the
   * limit of a claim. The {@link Dispatcher} notes it at each poll, also at one without room.
   * {@link WorkQueue#requestRefill} turns it into a request for one poll as soon as there is room
   * for a batch, and {@link InstanceStarter} hands no new instances over while it is noted.
   */
  private volatile boolean backlog;

  /** Null until the dispatcher starts, which an engine that runs no instances lacks. */
  private volatile @Nullable Loop dispatcher;

  PollRequests(EngineContext engine) {
    this.engine = engine;
    this.nextPollNanos = new AtomicLong(engine.clock().nanoTime());
  }

  /** Wakes {@code loop} at each request from now on, and at once if there has been one. */
  void attach(Loop loop) {
    dispatcher = loop;
    if (requested) {
      loop.wake();
    }
  }

  void wake() {
    Loop loop = dispatcher;
    if (loop != null) {
      loop.wake();
    }
  }

  /** Requests a poll at once, because an instance may be due. */
  void poll() {
    requested = true;
    wake();
  }

  /** Requests a poll at once, here and by the other executors. */
  void pollEverywhere() {
    poll();
    engine.store().hints().publish(engine.settings().executorGroup());
  }

  /** Requests a poll after {@code delay} at the latest, because an instance will be due. */
  void pollWithin(Duration delay) {
    if (shortenPause(delay)) {
      wake();
    }
  }

  /** Requests a poll for an instance that was written without a lease. */
  void pollWhen(Due due) {
    switch (due) {
      case Due.Now now -> pollEverywhere();
      case Due.After after -> pollWithin(after.delay());
      case Due.At at -> pollWithin(Durations.between(engine.clock().instant(), at.instant()));
      case Due.Never never -> {}
    }
  }

  /** Shortens the planned pause to {@code delay}. Returns true if it was longer. */
  boolean shortenPause(Duration delay) {
    if (delay.compareTo(engine.settings().dispatching().maxSleep()) >= 0) {
      return false;
    }
    long due = engine.clock().nanoTime() + TimeLimits.nanos(delay);
    return due - nextPollNanos.getAndAccumulate(due, PollRequests::earlier) < 0;
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  /** Postpones the next poll without a request to {@code delay} from now. */
  void postpone(Duration delay) {
    nextPollNanos.set(engine.clock().nanoTime() + TimeLimits.nanos(delay));
  }

  /** Returns the time until the next poll; zero if it is due or requested. */
  Duration untilNext() {
    return requested
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, nextPollNanos.get() - engine.clock().nanoTime()));
  }

  /** Takes all requests, since a poll starts now. The next one follows after {@code pause}. */
  void take(Duration pause) {
    requested = false;
    postpone(pause);
  }

  /** Returns true if a backlog is noted. */
  boolean hasBacklog() {
    return backlog;
  }

  /** Notes that there is a backlog, or that there is none. */
  void noteBacklog(boolean left) {
    backlog = left;
  }

  /**
   * Requests a poll for the backlog, which is then no longer noted, without waking the dispatcher.
   * Returns false if none was noted.
   */
  boolean requestBacklog() {
    if (!backlog) {
      return false;
    }
    backlog = false;
    requested = true;
    return true;
  }
}
