package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.Signal;
import io.millrace.instance.TimeLimits;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.RunningTask;
import io.millrace.store.ClaimResult.Payload;
import io.millrace.store.Fence;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An instance that this engine leases. Its data belong to whichever thread moved {@link #phase}
 * last: the claim, the handler's thread or the committer. Other threads may only {@link #drop} it.
 */
final class LeasedInstance {

  /** The phase of a leased instance on its way through the engine. */
  enum Phase {
    QUEUED,
    RUNNING,
    SAVING,
    /** The lease is lost; results are discarded. */
    DROPPED
  }

  /** The running attempt. */
  record Attempt(
      DefaultCancelToken token,
      StopSignalSource.AttemptSignal stop,
      long startedNanos,
      @Nullable Duration timeout) {}

  final Origin origin;
  final WorkflowDefinition definition;
  final long claimedNanos;
  final @Nullable String input;

  /** Characters of the data that came with the claim. */
  final long dataSize;

  final Map<String, Integer> visits = new HashMap<>();

  private volatile Phase phase = Phase.QUEUED;
  private volatile @Nullable Attempt attempt;
  private volatile @Nullable RunningTask runningTask;
  private volatile Fence fence;
  private volatile boolean stopping;
  private volatile boolean started;
  private int threads;
  private volatile long queuedNanos;

  String state;
  int enteredSeq;
  int attempts;
  @Nullable String waitingFor;
  boolean waitTimedOut;
  @Nullable Instant waitUntil;
  ChildCounts children;
  Map<String, String> variables;
  Map<String, String> steps;
  Inbox inbox;
  volatile @Nullable Progress progress;
  private volatile long leaseConfirmedNanos;
  private long enteredNanos;

  /**
   * @param databaseNow when the database made this engine the holder
   * @param askedNanos when it was asked to
   * @param nanos when it had answered
   */
  LeasedInstance(
      WorkflowInstance instance,
      WorkflowDefinition definition,
      Payload payload,
      Instant databaseNow,
      long askedNanos,
      long nanos) {
    Lease lease = instance.lease();
    Position position = instance.position();
    if (lease.executorId() == null) {
      throw new IllegalArgumentException("Instance " + instance.id() + " is held by nobody");
    }
    this.origin = instance.origin();
    this.definition = definition;
    this.leaseConfirmedNanos = askedNanos;
    this.claimedNanos = nanos;
    this.queuedNanos = nanos;
    this.input = payload.input();
    this.fence = new Fence(instance.id(), lease.executorId(), lease.leaseVersion(), lease.seq());
    this.state = position.state();
    this.enteredSeq = position.enteredSeq();
    this.attempts = lease.attempt();
    this.waitingFor = position.waitingFor();
    this.waitUntil = position.waitUntil();
    this.waitTimedOut = waitUntil != null && !databaseNow.isBefore(waitUntil);
    this.children = instance.children();
    this.variables = payload.variables();
    this.steps = new HashMap<>(payload.steps());
    this.inbox = Inbox.of(payload.inbox(), instance.attachments().inbox());
    this.dataSize = payload.size();
    this.enteredNanos =
        nanos - TimeLimits.nanos(Duration.between(instance.timing().entered(), databaseNow));
  }

  long id() {
    return fence.instanceId();
  }

  Fence fence() {
    return fence;
  }

  /** True if this executor has claimed the instance again since. */
  boolean isOlderThan(LeasedInstance leased) {
    return fence.leaseVersion() < leased.fence.leaseVersion();
  }

  Phase phase() {
    return phase;
  }

  @Nullable Attempt attempt() {
    return attempt;
  }

  @Nullable RunningTask task() {
    return runningTask;
  }

  void task(RunningTask running) {
    runningTask = running;
  }

  /** Variables after changes, of which null ones remove. */
  static Map<String, String> changed(
      Map<String, String> variables, Map<String, @Nullable String> changes) {
    Map<String, String> all = new HashMap<>(variables);
    changes.forEach((name, json) -> {
      if (json == null) {
        all.remove(name);
      } else {
        all.put(name, json);
      }
    });
    return all;
  }

  /** A state of the definition that is known to exist. */
  State state(String name) {
    State found = definition.state(name);
    if (found == null) {
      throw new IllegalStateException("State '" + name + "' was checked to exist in " + definition);
    }
    return found;
  }

  /**
   * A moment after which the database is known to have called this engine the holder. Whoever holds
   * the lease without a gap from then on is the holder still.
   */
  long leaseConfirmedNanos() {
    return leaseConfirmedNanos;
  }

  /** The database has accepted a write that it was asked for at {@code askedNanos}. */
  void confirmLease(long askedNanos) {
    leaseConfirmedNanos = askedNanos;
  }

  Duration inState(long nanos) {
    return Duration.ofNanos(nanos - enteredNanos);
  }

  /** Moves on if the instance is where the caller believes it to be; the winner owns the data. */
  synchronized boolean changePhase(Phase from, Phase to) {
    if (phase != from) {
      return false;
    }
    phase = to;
    return true;
  }

  /** Waits for a handler from now on. */
  void queued(long nanos) {
    started = false;
    queuedNanos = nanos;
  }

  /** A handler's thread was started for it, and may still wait for a processor. */
  synchronized void started(long nanos) {
    queuedNanos = nanos;
    threads++;
    started = true;
  }

  /** A thread has left its handler; true if no other thread of the chain is in one. */
  synchronized boolean endHandler() {
    threads--;
    return threads == 0;
  }

  /** True if all threads that were started for it have left their handlers. */
  synchronized boolean handlersEnded() {
    return threads == 0;
  }

  /** True if the handler is declared to compute, and therefore runs on a platform thread. */
  boolean isComputing() {
    State current = definition.state(state);
    return current != null && current.cpuBound();
  }

  /** True if a thread was started for it since it was queued. */
  boolean isStarted() {
    return started;
  }

  /** The time when it was queued, or when its thread was started. */
  long queuedNanos() {
    return queuedNanos;
  }

  void begin(Attempt begun) {
    attempt = begun;
  }

  /** Ends exactly this attempt; false when it was abandoned or dropped meanwhile. */
  synchronized boolean end(Attempt mine) {
    return mine.equals(attempt) && changePhase(Phase.RUNNING, Phase.SAVING);
  }

  /** Tells exactly this attempt's handler to stop. */
  void cancel(Attempt late, String why, boolean interrupt) {
    late.token().cancel(why);
    RunningTask thread = runningTask;
    if (interrupt && thread != null && late.equals(attempt)) {
      thread.interrupt();
    }
  }

  /** Takes over what an accepted write has made of the instance. */
  void advance(String newState, boolean entered, long nanos) {
    attempt = null;
    fence = fence.advanced();
    state = newState;
    waitingFor = null;
    waitUntil = null;
    waitTimedOut = false;
    if (entered) {
      enteredSeq = fence.seq();
      enteredNanos = nanos;
      attempts = 1;
      steps = new HashMap<>();
    }
  }

  /**
   * Gives the instance up: its handler is told to stop and its result will be thrown away.
   *
   * @param interrupt also interrupt the handler's thread
   * @return the phase it was in
   */
  Phase drop(String why, boolean interrupt) {
    Phase before = leave();
    cancel(why, interrupt && before == Phase.RUNNING);
    return before;
  }

  private synchronized Phase leave() {
    Phase before = phase;
    phase = Phase.DROPPED;
    return before;
  }

  /** Tells the handler to stop without giving the instance up. */
  void cancel(String why, boolean interrupt) {
    Attempt running = attempt;
    if (running != null) {
      running.token().cancel(why);
    }
    RunningTask thread = runningTask;
    if (interrupt && thread != null) {
      thread.interrupt();
    }
  }

  /** The engine stops: what the handler cannot finish is for another engine, and no failure. */
  void stop(boolean interrupt) {
    stopping = true;
    cancel("the engine stops", interrupt);
  }

  boolean stopping() {
    return stopping;
  }

  @Override
  public String toString() {
    return "instance " + id() + " (" + origin.type() + ", state " + state + ")";
  }

  /** Reads what may have come since the claim: messages, and the ends of children. */
  void readAgain(Store store) {
    List<Signal> page = store.instances().inbox(id());
    Optional<WorkflowInstance> now = store.queries().find(id());
    // What came between the two reads is looked up by name.
    inbox = Inbox.of(page, now.map(read -> read.attachments().inbox()).orElse(page.size()));
    now.ifPresent(read -> children = read.children());
  }
}
