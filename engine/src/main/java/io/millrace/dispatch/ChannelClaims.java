package io.millrace.dispatch;

import io.millrace.lifecycle.Loop;
import io.millrace.lifecycle.Waiter;
import io.millrace.store.ChannelClaimOutcome;
import io.millrace.store.ChannelClaimRequest;
import io.millrace.store.ChannelClaimRequest.Candidate;
import io.millrace.store.ChannelClaimResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Claims the instances for which channel messages came, many in one request, as long as handlers
 * are free for them.
 */
final class ChannelClaims {

  /** Time that a message waits for a handler before it is returned for other executors. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final InstanceProcessor processor;
  private final PendingClaims pendingClaims;
  private final LeasedInstanceFactory leasedInstanceFactory;
  private final Batcher<Candidate, ChannelClaimOutcome> batcher;
  private volatile boolean closed;

  ChannelClaims(
      EngineContext engine,
      ExecutorLease lease,
      InstanceProcessor processor,
      PendingClaims pendingClaims) {
    this.engine = engine;
    this.lease = lease;
    this.processor = processor;
    this.pendingClaims = pendingClaims;
    this.leasedInstanceFactory = new LeasedInstanceFactory(engine);
    this.batcher = Batcher.failFast(engine.runtime(), "millrace-channel-claims", this::claimBatch);
  }

  /**
   * Claims an instance and returns the outcome for its message. Waits a while for a free place.
   *
   * @throws StoreException if the database does not answer; the executor may own the instance then
   */
  ChannelClaimOutcome claim(long instanceId, int seq) {
    long end = engine.clock().nanoTime() + PATIENCE.toNanos();
    ChannelClaimOutcome answer = submit(instanceId, seq);
    while (answer == ChannelClaimOutcome.NO_CAPACITY && !closed && awaitHandler(end)) {
      answer = submit(instanceId, seq);
    }
    return answer;
  }

  /** Waits for a free place. Returns false at the end of the waiting time. */
  private boolean awaitHandler(long end) {
    long left = end - engine.clock().nanoTime();
    if (left <= 0) {
      return false;
    }
    Waiter waiter = engine.runtime().runner().waiter();
    processor.queue().addWaiter(waiter);
    try {
      if (room() == 0) {
        waiter.await(Duration.ofNanos(left));
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      processor.queue().removeWaiter(waiter);
    }
  }

  private ChannelClaimOutcome submit(long instanceId, int seq) {
    Pending pending = new Pending(engine.runtime().runner().waiter());
    batcher.submit(new Candidate(instanceId, seq), pending);
    return pending.await();
  }

  /** Stops claiming. */
  void stop(Duration patience) {
    closed = true;
    processor.queue().wakeWaiters();
    batcher.stop(patience);
  }

  private List<ChannelClaimOutcome> claimBatch(List<Candidate> candidates) {
    List<ChannelClaimOutcome> answers = new ArrayList<>(candidates.size());
    try (WorkQueue.Reservation room =
        processor.queue().reservePlaces(canClaim() ? candidates.size() : 0)) {
      if (room.size() > 0) {
        claimFor(candidates.subList(0, room.size()), answers);
      }
    }
    while (answers.size() < candidates.size()) {
      answers.add(ChannelClaimOutcome.NO_CAPACITY);
    }
    return answers;
  }

  private int room() {
    return canClaim() ? processor.queue().freePlaces() : 0;
  }

  /**
   * Returns true if this executor may claim now. False without a lease, however many handlers are
   * free: the claims could be lost. False on a cordoned executor.
   */
  private boolean canClaim() {
    return !closed && lease.canClaim();
  }

  private void claimFor(List<Candidate> candidates, List<ChannelClaimOutcome> answers) {
    long ticket = pendingClaims.start();
    try {
      long requestedNanos = engine.clock().nanoTime();
      List<LeasedInstance> claimed = new ArrayList<>();
      ChannelClaimRequest request =
          new ChannelClaimRequest(
              lease.executorId(),
              engine.settings().executorGroup(),
              engine.definitions().ids(),
              candidates,
              engine.maxClaimBytes());
      for (ChannelClaimResult result : engine.store().instances().claimForChannel(request)) {
        answers.add(outcome(result));
        LeasedInstance leased =
            result instanceof ChannelClaimResult.Claimed one
                ? leasedInstanceFactory.create(one.claimed(), one.now(), requestedNanos)
                : null;
        if (leased != null) {
          claimed.add(leased);
        }
      }
      processor.accept(claimed);
    } finally {
      pendingClaims.end(ticket);
    }
  }

  private static ChannelClaimOutcome outcome(ChannelClaimResult result) {
    return switch (result) {
      case ChannelClaimResult.Claimed claimed -> ChannelClaimOutcome.CLAIMED;
      case ChannelClaimResult.Superseded superseded -> ChannelClaimOutcome.SUPERSEDED;
      case ChannelClaimResult.NotEligible notEligible -> ChannelClaimOutcome.NOT_ELIGIBLE;
      case ChannelClaimResult.TooMuch tooMuch -> ChannelClaimOutcome.NO_CAPACITY;
      case ChannelClaimResult.NotFound notFound -> ChannelClaimOutcome.NOT_FOUND;
    };
  }

  /** A message whose receiver waits. */
  private static final class Pending implements Batcher.Callback<ChannelClaimOutcome> {
    private final Waiter waiter;
    private volatile @Nullable ChannelClaimOutcome channelClaimOutcome;
    private volatile @Nullable StoreException fault;

    Pending(Waiter waiter) {
      this.waiter = waiter;
    }

    @Override
    public void done(ChannelClaimOutcome result) {
      channelClaimOutcome = result;
      waiter.wake();
    }

    @Override
    public void failed(StoreException cause) {
      fault = cause;
      waiter.wake();
    }

    ChannelClaimOutcome await() {
      waitUntil(waiter, () -> channelClaimOutcome != null || fault != null);
      StoreException cause = fault;
      ChannelClaimOutcome result = channelClaimOutcome;
      if (cause != null) {
        throw cause;
      }
      return result == null ? ChannelClaimOutcome.NO_CAPACITY : result;
    }
  }

  /** Waits even if interrupted, and restores the interrupt for the caller. */
  static void waitUntil(Waiter waiter, BooleanSupplier done) {
    boolean interrupted = false;
    while (!done.getAsBoolean()) {
      try {
        waiter.await(Loop.UNTIL_WOKEN);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
