package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.RunningTask;
import io.millrace.store.ChannelMessage;
import io.millrace.store.Fence;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs attempts of leased instances and saves their results, until the instances are released. */
final class InstanceProcessor {

  private static final Logger LOG = LoggerFactory.getLogger(InstanceProcessor.class);

  private final EngineContext engine;
  private final ExecutorLease lease;
  private final PollRequests polls;
  private final StopRequest stopRequest;
  private final LeasedInstances leasedInstances;
  private final OrphanedHandlers orphanedHandlers;
  private final Committer committer;
  private final AttemptServices attemptServices;
  private final AttemptRunner attemptRunner;
  private final WorkQueue queue;
  private final Batcher<Fence, Boolean> releases;
  private final InstanceRefresher instanceRefresher;
  private final Set<RunningHandler> handlers = ConcurrentHashMap.newKeySet();

  InstanceProcessor(
      EngineContext engine,
      ExecutorLease lease,
      PollRequests polls,
      StopRequest stopRequest,
      LeasedInstances leasedInstances,
      OrphanedHandlers orphanedHandlers,
      NewInstanceFactory instanceFactory) {
    this.engine = engine;
    this.lease = lease;
    this.polls = polls;
    this.stopRequest = stopRequest;
    this.leasedInstances = leasedInstances;
    this.orphanedHandlers = orphanedHandlers;
    this.committer = new Committer(engine);
    this.attemptServices = AttemptServices.start(engine, stopRequest, instanceFactory);
    this.attemptRunner = new AttemptRunner(engine, new TransitionFactory(engine), attemptServices);
    this.queue =
        new WorkQueue(engine, lease, polls, leasedInstances, orphanedHandlers, this::start);
    this.instanceRefresher = new InstanceRefresher(engine.runtime().runner(), this::refresh);
    this.releases = Batcher.failFast(engine.runtime(), "millrace-releases", this::writeReleases);
  }

  WorkQueue queue() {
    return queue;
  }

  /** Returns the handlers whose threads run, including those whose attempt has ended. */
  Collection<RunningHandler> handlers() {
    return handlers;
  }

  void accept(List<LeasedInstance> claimed) {
    boolean interrupt = engine.store().interruptible();
    List<LeasedInstance> latest =
        claimed.stream().filter(leased -> leasedInstances.add(leased, interrupt)).toList();
    if (!queue.addAll(latest)) {
      latest.forEach(this::submitRelease);
    }
  }

  /**
   * Drops an instance whose lease has passed to another holder: stops its handler and ignores the
   * result.
   */
  void dropLost(LeasedInstance leased, String why) {
    if (drop(leased, why)) {
      LOG.warn(
          "The lease of {} has passed on ({}); what its handler answers is ignored", leased, why);
      reportFenced(leased);
    }
  }

  /**
   * Withdraws all saves under an executor id whose leases belong to another process, or to none.
   * Reconciling drops the instances.
   */
  void dropSaves(long executorId) {
    committer.dropSaves(executorId);
  }

  /** Drops an instance that an operator has changed. */
  void dropChanged(LeasedInstance leased, String why) {
    if (drop(leased, why)) {
      LOG.info("The handler of {} is told to stop: {}", leased, why);
      reportFenced(leased);
    }
  }

  private void reportFenced(LeasedInstance leased) {
    engine
        .events()
        .send(
            new EngineEvent.ResultFenced(
                leased.id(), leased.origin.type(), leased.fence().leaseVersion()));
  }

  /** Stops the handler and drops the instance. Returns false if that had happened before. */
  boolean drop(LeasedInstance leased, String why) {
    if (leased.phase() == LeasedInstance.Phase.GONE) {
      return false;
    }
    try {
      if (leasedInstances.drop(leased, why, engine.store().interruptible())
          == LeasedInstance.Phase.GONE) {
        return false;
      }
    } finally {
      remove(leased);
    }
    return true;
  }

  /**
   * Ends an attempt whose handler does not react to its timeout. The handler's own answer is
   * ignored.
   */
  void timeOut(
      LeasedInstance leased, LeasedInstance.Attempt attempt, Duration limit, Duration took) {
    if (leased.end(attempt)) {
      AttemptTimeoutException failure = new AttemptTimeoutException(leased.state, limit);
      save(leased, attemptRunner.transition(leased, new AttemptResult.Failed(failure, took)));
    }
  }

  /**
   * Abandons an attempt, because the executor stops and waits no longer. The handler's own answer,
   * if it ever comes, is ignored. A save that still waits for the database is dropped.
   */
  void abandon(LeasedInstance leased) {
    LeasedInstance.Attempt attempt = leased.attempt();
    if (attempt != null && leased.end(attempt)) {
      Duration took = Duration.ofNanos(engine.clock().nanoTime() - attempt.startedNanos());
      save(leased, attemptRunner.abandoned(leased, took));
    } else {
      committer.dropSave(leased.fence());
      submitRelease(leased);
    }
  }

  private void start(LeasedInstance leased) {
    leased.threadCreated(engine.clock().nanoTime());
    Runner runner = engine.runtime().runner();
    String name = "millrace-" + leased.id();
    RunningHandler handler = new RunningHandler(leased);
    RunningTask runningTask =
        handler.isCpuBound()
            ? runner.runOnPlatform(name, () -> runAttempt(handler))
            : runner.run(name, () -> runSharing(handler));
    leased.task(runningTask);
    handler.task(runningTask);
    if (leased.phase() == LeasedInstance.Phase.GONE && engine.store().interruptible()) {
      runningTask.interrupt();
    }
  }

  /** Runs one attempt on a thread that shares processors with other handlers. */
  private void runSharing(RunningHandler handler) {
    endStarvation();
    try {
      runAttempt(handler);
    } finally {
      endStarvation();
    }
  }

  private void endStarvation() {
    if (queue.endStarvation()) {
      queue.roomChanged();
    }
  }

  /** Releases an instance whose handler has not started. Returns false if it has. */
  boolean releaseUnstarted(LeasedInstance leased) {
    if (!leased.changePhase(LeasedInstance.Phase.QUEUED, LeasedInstance.Phase.SAVING)) {
      return false;
    }
    submitRelease(leased);
    return true;
  }

  private void runAttempt(RunningHandler handler) {
    LeasedInstance leased = handler.leased();
    handler.threadRuns(engine.clock().nanoTime());
    handlers.add(handler);
    try {
      if (holds(leased)) {
        runAttempt(leased);
      } else {
        submitRelease(leased);
      }
    } finally {
      handlers.remove(handler);
      if (leased.endHandler()) {
        orphanedHandlers.ended(leased);
      }
      queue.handlerEnded();
    }
  }

  /** Returns true while no other executor can have recovered the instance. */
  private boolean holds(LeasedInstance leased) {
    return lease.isValidSince(leased.leaseConfirmedNanos());
  }

  private void runAttempt(LeasedInstance leased) {
    AttemptRunner.PendingTransition transition;
    try {
      transition = attemptRunner.run(leased);
    } catch (StoreException fault) {
      LOG.debug("The inbox of {} could not be read; it is released", leased, fault);
      submitRelease(leased);
      return;
    }
    if (transition != null) {
      save(leased, transition);
    }
  }

  private void save(LeasedInstance leased, AttemptRunner.PendingTransition transition) {
    committer.submit(
        transition.save(),
        new Batcher.Callback<>() {
          @Override
          public void done(Committer.SaveReply saveReply) {
            leased.confirmLease(saveReply.requestedNanos());
            saved(leased, transition, saveReply.result());
          }

          @Override
          public void failed(StoreException fault) {
            rejected(leased, transition, fault);
          }
        });
  }

  private void saved(
      LeasedInstance leased, AttemptRunner.PendingTransition transition, SaveResult result) {
    switch (result) {
      case SaveResult.Fenced fenced ->
          dropLost(leased, "another executor or an operator took the instance over");
      case SaveResult.Saved saved -> {
        report(leased, transition);
        if (transition.save().target().keepLease() && saved.held()) {
          continueChain(leased, transition.save(), saved.inboxCount());
        } else {
          finish(leased, transition.save(), saved.inboxCount());
        }
      }
    }
  }

  /**
   * Saves the rejection of a save as a failed attempt, without variables, children or long texts
   * that could be rejected again. If that is rejected too, or the save failed without an answer of
   * the database, the instance is left to be released.
   */
  private void rejected(
      LeasedInstance leased, AttemptRunner.PendingTransition transition, StoreException fault) {
    if (leased.phase() == LeasedInstance.Phase.GONE) {
      LOG.debug(
          "The result of {} is not stored; its instance was dropped or released", leased, fault);
      return;
    }
    if (!fault.rejected() || transition.failure() instanceof StoreException) {
      LOG.error(
          "The result of {} cannot be stored; a heartbeat of this executor releases the instance, or"
              + " another executor recovers it",
          leased,
          fault);
      leased.endHold("its result could not be stored", false);
      remove(leased);
      return;
    }
    LOG.warn(
        "The result of {} was rejected by the database and counts as failed: {}",
        leased,
        fault.getMessage());
    save(
        leased,
        attemptRunner.transition(
            leased,
            new AttemptResult.Failed(fault, transition.save().entry().took(), fault.permanent())));
  }

  private void report(LeasedInstance leased, AttemptRunner.PendingTransition transition) {
    SaveRequest save = transition.save();
    SaveRequest.Target target = save.target();
    log(leased, transition);
    engine
        .events()
        .send(
            new EngineEvent.TransitionSaved(
                leased.id(),
                leased.origin.type(),
                new EngineEvent.Transition(
                    save.entry().type(),
                    save.entry().from(),
                    target.state(),
                    target.status(),
                    save.entry().took(),
                    transition.failure())));
  }

  /** Logs failures that end or park an instance as warnings, and retries at debug level. */
  private static void log(LeasedInstance leased, AttemptRunner.PendingTransition transition) {
    SaveRequest.Entry entry = transition.save().entry();
    SaveRequest.Target target = transition.save().target();
    if (entry.type() == HistoryEntryType.ABANDONED) {
      LOG.info(
          "The attempt of {} is abandoned, since this executor stops; another one repeats it",
          leased);
    } else if (entry.type() != HistoryEntryType.STATE_EXECUTION_FAILED) {
      LOG.debug("{} goes to {}: {}", leased, target.state(), entry.reason());
    } else if (target.status() == InstanceStatus.FAILED) {
      LOG.warn("{} has ended as failed: {}", leased, entry.reason());
    } else if (target.status() == InstanceStatus.MANUAL) {
      LOG.warn("{} waits for an operator: {}", leased, entry.reason());
    } else if (target.newVisit()) {
      LOG.info("{} gave up its state and goes to {}: {}", leased, target.state(), entry.reason());
    } else {
      LOG.info(
          "{} failed in attempt {} and is tried again: {}",
          leased,
          entry.attempt(),
          entry.reason());
    }
  }

  /** Continues the chain with the next attempt, under the same lease, in the new state. */
  private void continueChain(LeasedInstance leased, SaveRequest save, int inboxCount) {
    if (leased.phase() == LeasedInstance.Phase.GONE) {
      return;
    }
    advance(leased, save);
    if (stopRequest.isRequested() || !holds(leased)) {
      submitRelease(leased);
    } else if (leased.inbox.isBehind(inboxCount) || !save.changes().children().isEmpty()) {
      instanceRefresher.submit(leased);
    } else {
      requeue(leased);
    }
  }

  private void advance(LeasedInstance leased, SaveRequest save) {
    leased.advance(save.target().state(), save.target().newVisit(), engine.clock().nanoTime());
    SaveRequest.Changes changes = save.changes();
    if (!changes.variables().isEmpty()) {
      leased.variables = LeasedInstance.changed(leased.variables, changes.variables());
    }
    if (!changes.consumed().isEmpty()) {
      leased.inbox = leased.inbox.without(changes.consumed());
    }
  }

  /** Rereads an instance, so that the next attempt sees new messages and started children. */
  private void refresh(LeasedInstance leased) {
    try {
      leased.readAgain(engine.store());
      requeue(leased);
    } catch (Throwable e) {
      LOG.debug("{} could not be read again; it is released", leased, e);
      submitRelease(leased);
    }
  }

  private void requeue(LeasedInstance leased) {
    leased.queued(engine.clock().nanoTime());
    if (leased.changePhase(LeasedInstance.Phase.SAVING, LeasedInstance.Phase.QUEUED)) {
      if (!queue.resume(leased)) {
        submitRelease(leased);
      }
    }
  }

  /** Releases an instance without running it, for any free executor to claim. */
  void submitRelease(LeasedInstance leased) {
    if (leased.endHold("released", false) == LeasedInstance.Phase.GONE) {
      return;
    }
    releases.submit(
        leased.fence(),
        new Batcher.Callback<>() {
          @Override
          public void done(Boolean released) {
            remove(leased);
          }

          @Override
          public void failed(StoreException fault) {
            LOG.debug("{} could not be released; the next heartbeat will do it", leased, fault);
            remove(leased);
          }
        });
  }

  private List<Boolean> writeReleases(List<Fence> fences) {
    engine.store().instances().release(fences);
    polls.pollEverywhere();
    return Collections.nCopies(fences.size(), true);
  }

  ExecutorInfo.Load load() {
    int concurrency = engine.settings().dispatching().concurrency();
    int awaitingProcessor = 0;
    for (LeasedInstance leased : leasedInstances.all()) {
      awaitingProcessor +=
          leased.phase() == LeasedInstance.Phase.QUEUED && leased.hasThread() ? 1 : 0;
    }
    return new ExecutorInfo.Load(
        Math.max(0, queue.running() - awaitingProcessor),
        concurrency,
        leasedInstances.size(),
        queue.waiting() + awaitingProcessor,
        engine.runtime().process().heapPercent());
  }

  /** Returns the number of results and releases that are not written yet. */
  int unwritten() {
    return committer.pending() + releases.pending();
  }

  void stop(StopDeadline deadline) {
    attemptServices.stop(deadline);
    committer.stop(deadline.left());
    releases.stop(deadline.left());
  }

  private void finish(LeasedInstance leased, SaveRequest save, int inboxCount) {
    leased.endHold("done", false);
    remove(leased);
    SaveRequest.Target target = save.target();
    if (target.status() == InstanceStatus.IN_PROGRESS || save.changes().parentId() != null) {
      pollWhenDue(save);
    }
    if (inboxCount > 0 || !save.changes().children().isEmpty()) {
      polls.pollEverywhere();
    }
    if (ChannelMessage.isAmong(save.attached())
        || save.changes().children().stream()
            .anyMatch(child -> ChannelMessage.isAmong(child.attached()))) {
      engine.events().messageWritten();
    }
  }

  private void pollWhenDue(SaveRequest save) {
    Due due = save.target().due();
    boolean mayBeWoken = save.changes().parentId() != null || save.target().waitingFor() != null;
    if (due instanceof Due.Never && mayBeWoken) {
      polls.pollEverywhere();
    } else {
      polls.pollWhen(due);
    }
  }

  private void remove(LeasedInstance leased) {
    leasedInstances.remove(leased);
    queue.roomChanged();
  }
}
