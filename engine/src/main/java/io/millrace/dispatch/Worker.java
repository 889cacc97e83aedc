package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.instance.ActionType;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.lifecycle.Runner;
import io.millrace.lifecycle.Task;
import io.millrace.store.Fence;
import io.millrace.store.Save;
import io.millrace.store.SaveResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries held instances through run, save, and the next step of a chain, until they are given
 * back.
 */
final class Worker implements Reconciler.Losses {

  private static final Logger LOG = LoggerFactory.getLogger(Worker.class);

  private final Node node;
  private final HeldSet held;
  private final Exits exits;
  private final Committer committer;
  private final StepRunner steps;
  private final Outcomes outcomes;
  private final WorkQueue queue;
  private final Hooks hooks;
  private final Batcher<Fence, Boolean> releases;
  private final Refresher refresher;
  private volatile boolean draining;

  /** What the worker tells the rest of the engine. */
  interface Hooks {
    /** True while nobody else can have taken over what is held. */
    boolean stillHolds(Held held);

    /** A handler has ended, or an instance has left; there may be room. */
    void roomChanged();

    /** Something may be due at once. */
    void look();

    /** Something is due after this time. */
    void expect(Duration delay);

    /** A message is to be sent. */
    void messageWritten();
  }

  Worker(
      Node node,
      HeldSet held,
      Exits exits,
      Committer committer,
      StepContext.Services services,
      Hooks hooks) {
    this.node = node;
    this.held = held;
    this.exits = exits;
    this.committer = committer;
    this.hooks = hooks;
    this.outcomes = new Outcomes(node);
    this.steps = new StepRunner(node, outcomes, services, results());
    this.queue =
        new WorkQueue(
            node.settings().dispatching(),
            held,
            exits,
            node.clock(),
            this::start,
            hooks::roomChanged);
    this.refresher = new Refresher(node.runtime().runner(), this::refresh);
    this.releases = Batcher.impatient(node.runtime(), "millrace-releases", this::release);
  }

  WorkQueue queue() {
    return queue;
  }

  void accept(List<Held> claimed) {
    boolean interrupt = node.store().interruptible();
    List<Held> latest = claimed.stream().filter(one -> held.add(one, interrupt)).toList();
    if (!queue.addAll(latest)) {
      latest.forEach(this::giveBack);
    }
  }

  /** From now on no chain goes on. */
  void drain() {
    draining = true;
  }

  /**
   * What was held here has passed to another holder; its handler is stopped and its answer will be
   * ignored.
   */
  void fence(Held lost, String why) {
    if (giveUp(lost, why)) {
      LOG.warn(
          "The lease of {} has passed on ({}); what its handler answers is ignored", lost, why);
      tellFenced(lost);
    }
  }

  @Override
  public void lost(Held held) {
    fence(held, "the database shows another holder");
  }

  @Override
  public void disowned(long executorId) {
    committer.disown(executorId);
  }

  /** An operator has taken the instance, as operators may. */
  void withdraw(Held taken, String why) {
    if (giveUp(taken, why)) {
      LOG.info("The handler of {} is told to stop: {}", taken, why);
      tellFenced(taken);
    }
  }

  private void tellFenced(Held gone) {
    node.events()
        .send(new EngineEvent.Fenced(gone.id(), gone.origin.type(), gone.fence().leaseVersion()));
  }

  /** Stops the handler and forgets the instance; false when that had happened before. */
  boolean giveUp(Held unwanted, String why) {
    if (unwanted.phase() == Held.Phase.GONE) {
      return false;
    }
    try {
      if (held.drop(unwanted, why, node.store().interruptible()) == Held.Phase.GONE) {
        return false;
      }
    } finally {
      leave(unwanted);
    }
    return true;
  }

  /**
   * Ends an attempt whose handler does not heed its timeout; the handler's own answer will be
   * ignored.
   */
  void abandon(Held late, Held.Attempt attempt, Duration limit, Duration took) {
    if (late.end(attempt)) {
      StepTimeoutException failure = new StepTimeoutException(late.state, limit);
      save(late, steps.outcome(late, new Attempted.Threw(failure, took)));
    }
  }

  /**
   * The executor stops and waits no longer; what the handler answers, if it ever does, will be
   * ignored.
   */
  void cutShort(Held late) {
    Held.Attempt attempt = late.attempt();
    if (attempt != null && late.end(attempt)) {
      Duration took = Duration.ofNanos(node.clock().nanoTime() - attempt.startedNanos());
      save(late, steps.cutShort(late, took));
    } else {
      giveBack(late);
    }
  }

  private StepRunner.Results results() {
    return new StepRunner.Results() {
      @Override
      public void ended(Held held, StepRunner.Outcome outcome) {
        save(held, outcome);
      }
    };
  }

  private void start(Held next) {
    next.started(node.clock().nanoTime());
    Runner runner = node.runtime().runner();
    String name = "millrace-" + next.id();
    Task task =
        next.isComputing()
            ? runner.runOnPlatform(name, () -> runStep(next))
            : runner.run(name, () -> runSharing(next));
    next.task(task);
    if (next.phase() == Held.Phase.GONE && node.store().interruptible()) {
      task.interrupt();
    }
  }

  /** Runs on a thread that shares processors with other handlers. */
  private void runSharing(Held next) {
    endStall();
    try {
      runStep(next);
    } finally {
      endStall();
    }
  }

  private void endStall() {
    if (queue.endStall()) {
      hooks.roomChanged();
    }
  }

  /** Gives back an instance whose handler has not started; false if it has. */
  boolean giveBackUnstarted(Held late) {
    if (!late.move(Held.Phase.QUEUED, Held.Phase.SAVING)) {
      return false;
    }
    giveBack(late);
    return true;
  }

  private void runStep(Held next) {
    try {
      if (hooks.stillHolds(next)) {
        steps.run(next);
      } else {
        giveBack(next);
      }
    } finally {
      if (next.endHandler()) {
        exits.ended(next);
      }
      queue.handlerEnded();
      hooks.roomChanged();
    }
  }

  private void save(Held done, StepRunner.Outcome outcome) {
    committer.submit(
        outcome.save(),
        new Batcher.Reply<>() {
          @Override
          public void done(Committer.Written written) {
            done.prove(written.askedNanos());
            saved(done, outcome, written.result());
          }

          @Override
          public void failed(StoreException fault) {
            refused(done, outcome, fault);
          }
        });
  }

  private void saved(Held done, StepRunner.Outcome outcome, SaveResult result) {
    switch (result) {
      case SaveResult.Fenced fenced ->
          fence(done, "another executor or an operator took the instance over");
      case SaveResult.Saved saved -> {
        report(done, outcome);
        if (outcome.save().target().keepLease() && saved.held()) {
          goOn(done, outcome.save(), saved.inbox());
        } else {
          release(done, outcome.save(), saved.inbox());
        }
      }
    }
  }

  /**
   * Writes the refusal itself instead; that has no variables, children or long texts that could be
   * refused again.
   */
  private void refused(Held done, StepRunner.Outcome outcome, StoreException fault) {
    if (!fault.refused() || outcome.failure() instanceof StoreException) {
      LOG.error("The result of {} cannot be stored; the instance is left to recovery", done, fault);
      done.drop("its result was refused", false);
      leave(done);
      return;
    }
    LOG.warn(
        "The result of {} was refused by the database and counts as failed: {}",
        done,
        fault.getMessage());
    save(done, steps.outcome(done, new Attempted.Threw(fault, outcome.took(), fault.permanent())));
  }

  private void report(Held done, StepRunner.Outcome outcome) {
    Save save = outcome.save();
    Save.Target target = save.target();
    log(done, outcome);
    node.events()
        .send(
            new EngineEvent.StepSaved(
                done.id(),
                done.origin.type(),
                new EngineEvent.Step(
                    save.entry().type(),
                    save.entry().from(),
                    target.state(),
                    target.status(),
                    outcome.took(),
                    outcome.failure())));
  }

  /**
   * What an operator should know: ends and parks by failure are warnings, further attempts are life
   * as usual.
   */
  private static void log(Held done, StepRunner.Outcome outcome) {
    Save.Entry entry = outcome.save().entry();
    Save.Target target = outcome.save().target();
    if (entry.type() == ActionType.ABANDONED) {
      LOG.info("{} is given up by this executor, which stops, and begins anew elsewhere", done);
    } else if (entry.type() != ActionType.STATE_EXECUTION_FAILED) {
      LOG.debug("{} goes to {}: {}", done, target.state(), entry.reason());
    } else if (target.status() == InstanceStatus.FAILED) {
      LOG.warn("{} has ended as failed: {}", done, entry.reason());
    } else if (target.status() == InstanceStatus.MANUAL) {
      LOG.warn("{} waits for a person: {}", done, entry.reason());
    } else if (target.entering()) {
      LOG.info("{} gave up its state and goes to {}: {}", done, target.state(), entry.reason());
    } else {
      LOG.info(
          "{} failed in attempt {} and is tried again: {}", done, entry.attempt(), entry.reason());
    }
  }

  /** The next step of a chain: the same lease, the new state. */
  private void goOn(Held done, Save save, int inboxNow) {
    if (done.phase() == Held.Phase.GONE) {
      return;
    }
    advance(done, save);
    if (draining || !hooks.stillHolds(done)) {
      giveBack(done);
    } else if (inboxNow > done.inbox.size() || !save.changes().children().isEmpty()) {
      refresher.submit(done);
    } else {
      requeue(done);
    }
  }

  private void advance(Held done, Save save) {
    done.advance(save.target().state(), save.target().entering(), node.clock().nanoTime());
    Save.Changes changes = save.changes();
    if (!changes.variables().isEmpty()) {
      done.variables = Held.changed(done.variables, changes.variables());
    }
    if (!changes.consumed().isEmpty()) {
      Set<Long> used = new HashSet<>(changes.consumed());
      done.inbox = done.inbox.stream().filter(s -> !used.contains(s.id())).toList();
    }
  }

  /** Messages have come since the claim, or children were started; the next step must see them. */
  private void refresh(Held chained) {
    try {
      chained.inbox = List.copyOf(node.store().work().inbox(chained.id()));
      node.store().queries().find(chained.id()).ifPresent(now -> chained.children = now.children());
      requeue(chained);
    } catch (Throwable e) {
      LOG.debug("{} could not be read again; it is given back", chained, e);
      giveBack(chained);
    }
  }

  private void requeue(Held chained) {
    chained.queued(node.clock().nanoTime());
    if (chained.move(Held.Phase.SAVING, Held.Phase.QUEUED)) {
      if (!queue.resume(chained)) {
        giveBack(chained);
      }
    }
  }

  /** Gives a held instance back without running it; whoever is free claims it anew. */
  void giveBack(Held unbegun) {
    if (unbegun.drop("given back", false) == Held.Phase.GONE) {
      return;
    }
    releases.submit(
        unbegun.fence(),
        new Batcher.Reply<>() {
          @Override
          public void done(Boolean released) {
            leave(unbegun);
          }

          @Override
          public void failed(StoreException fault) {
            LOG.debug("{} could not be given back; the next heartbeat will do it", unbegun, fault);
            leave(unbegun);
          }
        });
  }

  private List<Boolean> release(List<Fence> fences) {
    node.store().work().release(fences);
    hooks.look();
    return Collections.nCopies(fences.size(), true);
  }

  ExecutorInfo.Load load() {
    int concurrency = node.settings().dispatching().concurrency();
    int unstarted = 0;
    for (Held one : held.all()) {
      unstarted += one.phase() == Held.Phase.QUEUED && one.isStarted() ? 1 : 0;
    }
    return new ExecutorInfo.Load(
        Math.max(0, queue.running() - unstarted),
        concurrency,
        held.size(),
        queue.waiting() + unstarted,
        node.runtime().process().heapPercent());
  }

  /** Results and releases that are not written yet. */
  int unwritten() {
    return committer.pending() + releases.pending();
  }

  void stop(Duration patience) {
    releases.stop(patience);
  }

  private void release(Held done, Save save, int inbox) {
    done.drop("done", false);
    leave(done);
    Save.Target target = save.target();
    if (target.status() == InstanceStatus.IN_PROGRESS || save.changes().parentId() != null) {
      announce(target.due(), save);
    }
    if (inbox > 0 || !save.changes().children().isEmpty()) {
      hooks.look();
    }
    if (save.handover() != null
        || save.changes().children().stream().anyMatch(child -> child.handover() != null)) {
      hooks.messageWritten();
    }
  }

  private void announce(Due due, Save save) {
    switch (due) {
      case Due.Now now -> hooks.look();
      case Due.After after -> hooks.expect(after.delay());
      case Due.At at -> hooks.expect(Times.between(node.clock().instant(), at.instant()));
      case Due.Never never -> {
        if (save.changes().parentId() != null || save.target().waitingFor() != null) {
          hooks.look();
        }
      }
    }
  }

  private void leave(Held gone) {
    held.remove(gone);
    hooks.roomChanged();
  }
}
