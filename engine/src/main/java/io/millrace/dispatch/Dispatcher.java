package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.lifecycle.Loop;
import io.millrace.store.ClaimRequest;
import io.millrace.store.ClaimResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that claims due instances, as many as there is room for. One per executor. It pauses for
 * a random time when there is nothing to do, and ends the pause when an instance is inserted here,
 * inserted by another engine that sends a hint, or known to become due.
 */
final class Dispatcher {

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final int MAX_BATCH = 500;

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final PollRequests polls;
  private final InstanceProcessor processor;
  private final PendingClaims pendingClaims;
  private final LeasedInstanceFactory leasedInstanceFactory;
  private final Backoff backoff;
  private final IntervalThrottle warnings;
  private final ClaimCursor claimCursor;
  private final Loop loop;
  private int batch = MAX_BATCH;

  Dispatcher(
      EngineContext engine,
      ExecutorLease lease,
      PollRequests polls,
      InstanceProcessor processor,
      PendingClaims pendingClaims) {
    this.engine = engine;
    this.lease = lease;
    this.polls = polls;
    this.processor = processor;
    this.pendingClaims = pendingClaims;
    this.leasedInstanceFactory = new LeasedInstanceFactory(engine);
    this.backoff = new Backoff(engine.runtime().random());
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
    this.claimCursor = new ClaimCursor(engine.clock().nanoTime());
    this.loop = engine.runtime().runner().loop("millrace-dispatcher", this::tick);
    polls.attach(loop);
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  /** Claims once and returns the pause, which is zero if a poll was requested meanwhile. */
  private Duration tick() {
    Duration pause = polls.untilNext();
    if (!pause.isZero()) {
      return pause;
    }
    polls.take(randomPause());
    int most = lease.canClaim() ? batch : 0;
    WorkQueue.Reservation room = processor.queue().reserve(most);
    if (room.size() > 0) {
      claimDue(room);
    } else {
      polls.noteBacklog(true);
      if (most > 0) {
        processor.queue().requestRefill();
      }
    }
    return polls.untilNext();
  }

  private void claimDue(WorkQueue.Reservation room) {
    boolean hadBacklog = polls.hasBacklog();
    // While a backlog is noted, the end of the reservation would request another poll, even if this
    // one claimed all that is due.
    polls.noteBacklog(false);
    try {
      ClaimResult result = claimFor(room);
      backoff.reset();
      boolean backlog = result.cut() || result.claimed().size() == room.size();
      polls.noteBacklog(backlog);
      // A claimed instance that does not fit costs two writes.
      batch = result.cut() ? result.claimed().size() : Math.min(MAX_BATCH, 2 * batch);
      if (backlog) {
        processor.queue().requestRefill();
      } else if (result.nextDue() != null) {
        polls.shortenPause(Duration.between(result.now(), result.nextDue()));
      }
    } catch (StoreException e) {
      polls.noteBacklog(hadBacklog);
      polls.postpone(backoff.next());
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
            lease.executorId(),
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

  private Duration randomPause() {
    long most = engine.settings().dispatching().maxSleep().toMillis();
    return Duration.ofMillis(engine.runtime().random().nextLong(most + 1));
  }
}
