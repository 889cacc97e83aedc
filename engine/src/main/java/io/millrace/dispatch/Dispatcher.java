package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that claims due instances, as many as there is room for. One per engine. It pauses for a
 * random time when there is nothing to do, and ends the pause when an instance is inserted here,
 * inserted by another node that sends a hint, or known to become due.
 */
final class Dispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final int MAX_BATCH = 500;

  private final EngineContext engine;
  private final LeaseKeeper keeper;
  private final InstanceProcessor processor;
  private final PendingClaims pendingClaims;
  private final LeasedInstanceFactory leasedInstanceFactory;
  private final Backoff backoff;
  private final IntervalThrottle warnings;
  private final ClaimCursor claimCursor;
  private final AtomicLong nextPollNanos;
  private final Loop loop;
  private int batch = MAX_BATCH;
  private volatile boolean pollRequested = true;
  private volatile boolean backlog;

  Dispatcher(
      EngineContext engine,
      LeaseKeeper keeper,
      InstanceProcessor processor,
      PendingClaims pendingClaims) {
    this.engine = engine;
    this.keeper = keeper;
    this.processor = processor;
    this.pendingClaims = pendingClaims;
    this.leasedInstanceFactory = new LeasedInstanceFactory(engine);
    this.backoff = new Backoff(engine.runtime().random());
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
    this.claimCursor = new ClaimCursor(engine.clock().nanoTime());
    this.nextPollNanos = new AtomicLong(engine.clock().nanoTime());
    this.loop = engine.runtime().runner().loop("millrace-dispatcher", this::tick);
  }

  /** Polls at once, because an instance may be due. */
  void poll() {
    pollRequested = true;
    loop.wake();
  }

  /** Polls after {@code delay} at the latest, because an instance will be due. */
  void pollWithin(Duration delay) {
    if (shortenPause(delay)) {
      loop.wake();
    }
  }

  /** Shortens the planned pause to {@code delay}. Returns true if it was longer. */
  private boolean shortenPause(Duration delay) {
    if (delay.compareTo(engine.settings().dispatching().maxSleep()) >= 0) {
      return false;
    }
    long due = engine.clock().nanoTime() + TimeLimits.nanos(delay);
    return due - nextPollNanos.getAndAccumulate(due, Dispatcher::earlier) < 0;
  }

  /** Polls if instances were left in the database, since there may be room again. */
  void roomChanged() {
    if (requestRefill()) {
      loop.wake();
    }
  }

  private boolean requestRefill() {
    if (!backlog || !processor.queue().runsLow()) {
      return false;
    }
    backlog = false;
    pollRequested = true;
    return true;
  }

  /** Returns true if more instances may be due than were claimed. */
  boolean hasBacklog() {
    return backlog;
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  /**
   * Claims once and returns the pause. Never wakes its own loop, which need not be known yet in the
   * first round.
   */
  private Duration tick() {
    long now = engine.clock().nanoTime();
    if (!pollRequested && now - nextPollNanos.get() < 0) {
      return Duration.ofNanos(nextPollNanos.get() - now);
    }
    pollRequested = false;
    nextPollNanos.set(now + randomPause().toNanos());
    int most = keeper.canClaim() ? batch : 0;
    WorkQueue.Reservation room = processor.queue().reserve(most);
    if (room.size() > 0) {
      claimDue(room);
    } else {
      backlog = true;
      if (most > 0) {
        requestRefill();
      }
    }
    return pollRequested ? Duration.ZERO : untilNextPoll(engine.clock().nanoTime());
  }

  private void claimDue(WorkQueue.Reservation room) {
    boolean hadBacklog = backlog;
    // Unused room of this poll is no reason for another one.
    backlog = false;
    try {
      ClaimResult result = claimFor(room);
      backoff.reset();
      backlog = result.cut() || result.claimed().size() == room.size();
      // A claimed instance that does not fit costs two writes.
      batch = result.cut() ? result.claimed().size() : Math.min(MAX_BATCH, 2 * batch);
      if (backlog) {
        requestRefill();
      } else if (result.nextDue() != null) {
        shortenPause(Duration.between(result.now(), result.nextDue()));
      }
    } catch (StoreException e) {
      backlog = hadBacklog;
      postponePoll(backoff.next());
      if (warnings.permits()) {
        LOG.warn("Due instances could not be claimed, this will be repeated: {}", e.getMessage());
      }
    }
  }

  private ClaimResult claimFor(WorkQueue.Reservation room) {
    long ticket = pendingClaims.start();
    try (room) {
      long requestedNanos = engine.clock().nanoTime();
      ClaimResult result = claim(room.size());
      processor.accept(leasedOf(result, requestedNanos));
      return result;
    } finally {
      pendingClaims.end(ticket);
    }
  }

  private ClaimResult claim(int limit) {
    long begin = engine.clock().nanoTime();
    List<Instant> dueFrom = claimCursor.dueFrom(begin);
    ClaimRequest request =
        new ClaimRequest(
            keeper.executorId(),
            engine.settings().executorGroup(),
            engine.definitions().ids(),
            limit,
            dueFrom,
            engine.maxClaimBytes());
    ClaimResult result = engine.store().instances().claim(request);
    long end = engine.clock().nanoTime();
    claimCursor.record(
        dueFrom, result, result.cut() || result.claimed().size() == limit, begin, end);
    if (!result.claimed().isEmpty()) {
      engine
          .events()
          .send(
              new EngineEvent.BatchClaimed(
                  result.claimed().size(), Duration.ofNanos(end - begin), lag(result)));
    }
    return result;
  }

  /**
   * Returns the longest delay. The claim is ordered by priority, so any of the instances may have
   * it.
   */
  private static Duration lag(ClaimResult result) {
    Instant oldest = result.now();
    for (ClaimResult.Claimed claimed : result.claimed()) {
      Instant due = claimed.instance().nextActivation();
      if (due != null && due.isBefore(oldest)) {
        oldest = due;
      }
    }
    return Duration.between(oldest, result.now());
  }

  private List<LeasedInstance> leasedOf(ClaimResult result, long requestedNanos) {
    List<LeasedInstance> all = new ArrayList<>(result.claimed().size());
    for (ClaimResult.Claimed claimed : result.claimed()) {
      LeasedInstance leased = leasedInstanceFactory.create(claimed, result.now(), requestedNanos);
      if (leased != null) {
        all.add(leased);
      }
    }
    return all;
  }

  private Duration untilNextPoll(long now) {
    return Duration.ofNanos(Math.max(0, nextPollNanos.get() - now));
  }

  private void postponePoll(Duration delay) {
    nextPollNanos.set(engine.clock().nanoTime() + TimeLimits.nanos(delay));
  }

  private Duration randomPause() {
    long most = engine.settings().dispatching().maxSleep().toMillis();
    return Duration.ofMillis(engine.runtime().random().nextLong(most + 1));
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
