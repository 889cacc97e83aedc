package io.millrace.dispatch;

import io.millrace.definition.State;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.Lease;
import io.millrace.instance.Origin;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.TimeLimits;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.RunningTask;
import io.millrace.store.ClaimResult.ClaimedData;
import io.millrace.store.Fence;
import io.millrace.store.SaveRequest;
import io.millrace.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An instance that an executor holds. Its data belong to the thread that last moved {@link #phase}:
 * the claim, the handler's thread or the committer. Other threads may only end the hold, by {@link
 * #endHold}.
 */
final class LeasedInstance {

  /**
   * The phase of a leased instance on its way through the executor.
   *
   * <table>
   *   <caption>The changes of the phase</caption>
   *   <tr><th>from</th><th>to</th><th>when</th></tr>
   *   <tr><td>QUEUED</td><td>RUNNING</td><td>its thread begins the attempt</td></tr>
   *   <tr><td>RUNNING</td><td>SAVING</td><td>the attempt ends, times out or is abandoned</td></tr>
   *   <tr><td>SAVING</td><td>QUEUED</td><td>the result is saved and the chain goes on</td></tr>
   *   <tr><td>QUEUED</td><td>SAVING</td><td>it is taken from the queue to be released</td></tr>
   *   <tr><td>any</td><td>GONE</td><td>it is finished, released or dropped</td></tr>
   * </table>
   */
  enum Phase {
    /** The instance waits for its handler, perhaps with a thread that has no processor yet. */
    QUEUED,
    /** An attempt is under way. */
    RUNNING,
    /** The result of the ended attempt is not saved yet, or the release from the queue. */
    SAVING,
    /**
     * The executor runs and saves nothing more of the instance. Its release may still be on the way
     * to the database; until the reply, {@link LeasedInstances} has it.
     */
    GONE
  }

  /** The running attempt. */
  record Attempt(
      DefaultCancelToken token,
      StopRequest.AttemptSignal stop,
      long startedNanos,
      @Nullable Duration timeout) {}

  final Origin origin;
  final WorkflowDefinition definition;
  final long claimedNanos;
  final @Nullable String input;

  /** Number of characters of the data that came with the claim. */
  final long dataSize;

  /** Number of visits of each state under this claim, to find chains that run in a circle. */
  final Map<String, Integer> visitCounts = new HashMap<>();

  private volatile Phase phase = Phase.QUEUED;
  private volatile @Nullable Attempt attempt;
  private volatile @Nullable RunningTask runningTask;
  private volatile Fence fence;
  private volatile boolean stopping;
  private volatile boolean threadCreated;
  private int threads;
  private volatile long waitingSinceNanos;

  String state;

  /** The current visit of the state, by the {@code seq} with which it began. */
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
   * @param databaseNow the database's time of the claim
   * @param requestedNanos when the claim was sent
   * @param nanos when its result arrived
   */
  LeasedInstance(
      WorkflowInstance instance,
      WorkflowDefinition definition,
      ClaimedData data,
      Instant databaseNow,
      long requestedNanos,
      long nanos) {
    Lease lease = instance.lease();
    Position position = instance.position();
    if (lease.executorId() == null) {
      throw new IllegalArgumentException("Instance " + instance.id() + " is held by nobody");
    }
    this.origin = instance.origin();
    this.definition = definition;
    this.leaseConfirmedNanos = requestedNanos;
    this.claimedNanos = nanos;
    this.waitingSinceNanos = nanos;
    this.input = data.input();
    this.fence = new Fence(instance.id(), lease.executorId(), lease.leaseVersion(), lease.seq());
    this.state = position.state();
    this.enteredSeq = position.enteredSeq();
    this.attempts = lease.attempt();
    this.waitingFor = position.waitingFor();
    this.waitUntil = position.waitUntil();
    this.waitTimedOut = waitUntil != null && !databaseNow.isBefore(waitUntil);
    this.children = instance.children();
    this.variables = data.variables();
    this.steps = new HashMap<>(data.steps());
    this.inbox = Inbox.of(data.inboxMessages(), instance.details().inboxCount());
    this.dataSize = data.size();
    this.enteredNanos =
        nanos - TimeLimits.nanos(Duration.between(instance.timing().entered(), databaseNow));
  }

  long id() {
    return fence.instanceId();
  }

  Fence fence() {
    return fence;
  }

  /** Returns true if this executor has claimed the instance again since. */
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

  /** Returns the variables after changes; a change to null removes a variable. */
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

  /** Returns a state of the definition that is known to exist. */
  State state(String name) {
    State found = definition.state(name);
    if (found == null) {
      throw new IllegalStateException("State '" + name + "' was checked to exist in " + definition);
    }
    return found;
  }

  /**
   * Returns a moment after which the database is known to have recorded the executor as the holder.
   * If the executor's lease has been valid without a gap since that moment, it is still the holder.
   */
  long leaseConfirmedNanos() {
    return leaseConfirmedNanos;
  }

  /** Records that the database has accepted a write that was sent at {@code requestedNanos}. */
  void confirmLease(long requestedNanos) {
    leaseConfirmedNanos = requestedNanos;
  }

  Duration inState(long nanos) {
    return Duration.ofNanos(nanos - enteredNanos);
  }

  /**
   * Moves to another phase if the instance is in the expected one. The caller that succeeds owns
   * the data.
   */
  synchronized boolean changePhase(Phase from, Phase to) {
    if (phase != from) {
      return false;
    }
    phase = to;
    return true;
  }

  /** Records that the instance waits for a handler from now on. */
  void queued(long nanos) {
    threadCreated = false;
    waitingSinceNanos = nanos;
  }

  /**
   * Records that a thread was created for the instance's handler; it may still wait for a
   * processor.
   */
  synchronized void threadCreated(long nanos) {
    waitingSinceNanos = nanos;
    threads++;
    threadCreated = true;
  }

  /**
   * Records that a thread has left its handler. Returns true if no other thread of the chain is in
   * one.
   */
  synchronized boolean endHandler() {
    threads--;
    return threads == 0;
  }

  /** Returns true if all threads that were created for the instance have left their handlers. */
  synchronized boolean handlersEnded() {
    return threads == 0;
  }

  /**
   * Returns true if the handler is declared as CPU-bound, and therefore runs on a platform thread.
   */
  boolean isCpuBound() {
    State current = definition.state(state);
    return current != null && current.cpuBound();
  }

  /** Returns true if a thread was created for the instance since it was queued. */
  boolean hasThread() {
    return threadCreated;
  }

  /** Returns the time when the instance was queued, or when its thread was created. */
  long waitingSinceNanos() {
    return waitingSinceNanos;
  }

  void begin(Attempt begun) {
    attempt = begun;
  }

  /** Ends exactly this attempt. Returns false if it has ended, or the instance is gone. */
  synchronized boolean end(Attempt mine) {
    return mine.equals(attempt) && changePhase(Phase.RUNNING, Phase.SAVING);
  }

  /** Cancels exactly this attempt's handler. */
  void cancel(Attempt late, String why, boolean interrupt) {
    late.token().cancel(why);
    RunningTask thread = runningTask;
    if (interrupt && thread != null && late.equals(attempt)) {
      thread.interrupt();
    }
  }

  /**
   * Applies the effect of a saved transition to the instance.
   *
   * @param newVisit as in {@link SaveRequest.Target}
   */
  void advance(String newState, boolean newVisit, long nanos) {
    attempt = null;
    fence = fence.advanced();
    state = newState;
    waitingFor = null;
    waitUntil = null;
    waitTimedOut = false;
    if (newVisit) {
      enteredSeq = fence.seq();
      enteredNanos = nanos;
      attempts = 1;
      steps = new HashMap<>();
    }
  }

  /**
   * Ends the executor's work on the instance, which is finished, released or dropped: cancels its
   * handler, if one still runs, and ignores the result.
   *
   * @param interrupt true to interrupt the handler's thread as well
   * @return the phase in which it was
   */
  Phase endHold(String why, boolean interrupt) {
    Phase before = changeToGone();
    cancel(why, interrupt && before == Phase.RUNNING);
    return before;
  }

  private synchronized Phase changeToGone() {
    Phase before = phase;
    phase = Phase.GONE;
    return before;
  }

  /** Cancels the handler, and keeps the instance. */
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

  /**
   * Cancels the handler because the executor stops: an unfinished attempt is left to another
   * executor and does not count as a failure.
   */
  void stop(boolean interrupt) {
    stopping = true;
    cancel("the executor stops", interrupt);
  }

  boolean stopping() {
    return stopping;
  }

  @Override
  public String toString() {
    return "instance " + id() + " (" + origin.type() + ", state " + state + ")";
  }

  /** Reads what may have changed since the claim: messages, and the ends of children. */
  void readAgain(Store store) {
    List<InboxMessage> page = store.instances().unconsumedMessages(id());
    Optional<WorkflowInstance> now = store.queries().find(id());
    // Messages that arrived between the two reads are looked up by name.
    inbox = Inbox.of(page, now.map(read -> read.details().inboxCount()).orElse(page.size()));
    now.ifPresent(read -> children = read.children());
  }
}
