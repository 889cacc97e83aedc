package io.millrace.continuous;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.ContinuousStore.OfferedEvent;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run of a workflow's trigger on this engine, from open to close. After its close another one
 * takes its place. Thread-safe; one thread at a time uses its source.
 */
final class TriggerRun implements TriggerContext {

  private static final Logger LOG = LoggerFactory.getLogger(TriggerRun.class);

  /** The phase of a run. */
  enum Phase {
    OPENING,
    /** The run waits for the end of its pause, or until it is woken. */
    IDLE,
    /** The run waits to be polled as soon as a thread is free. */
    QUEUED,
    POLLING,
    /** An execution of the run is running. */
    AWAITING,
    /** The thread that uses the source closes it. */
    CLOSING,
    CLOSED
  }

  private static final Map<Phase, Set<Phase>> NEXT = new EnumMap<>(Phase.class);

  static {
    NEXT.put(Phase.OPENING, EnumSet.of(Phase.QUEUED, Phase.AWAITING, Phase.CLOSING));
    NEXT.put(Phase.IDLE, EnumSet.of(Phase.QUEUED, Phase.CLOSING));
    NEXT.put(Phase.QUEUED, EnumSet.of(Phase.POLLING, Phase.CLOSING));
    NEXT.put(Phase.POLLING, EnumSet.of(Phase.IDLE, Phase.QUEUED, Phase.AWAITING, Phase.CLOSING));
    NEXT.put(Phase.AWAITING, EnumSet.of(Phase.QUEUED, Phase.CLOSING));
    NEXT.put(Phase.CLOSING, EnumSet.of(Phase.CLOSED));
    NEXT.put(Phase.CLOSED, EnumSet.noneOf(Phase.class));
  }

  private final ContinuousWorkflow workflow;
  private final Owner owner;
  private final StartInformation start;
  private final Optional<Instant> since;
  private final int failuresBefore;
  private final boolean crashLoop;
  private final TriggerScheduler scheduler;
  private final List<Runnable> afterwards = new ArrayList<>();
  private Phase phase = Phase.OPENING;
  private Trigger.@Nullable Source source;
  private @Nullable String position;
  private @Nullable Long executing;
  private @Nullable Long executionEnded;
  private boolean woken;
  private boolean retired;
  private boolean iterated;
  private long openedNanos;

  TriggerRun(
      ContinuousWorkflow workflow,
      Owner owner,
      StoredContinuousWorkflow row,
      TriggerScheduler scheduler) {
    StoredContinuousWorkflow.Run run = row.run();
    this.workflow = workflow;
    this.owner = owner;
    this.start =
        StartInformation.of(
            row,
            ContinuousStartMode.of(run == null ? "" : run.mode()),
            run == null ? "" : run.reason(),
            scheduler.clock().instant());
    this.since = Optional.ofNullable(run).map(StoredContinuousWorkflow.Run::seriesStarted);
    this.failuresBefore = row.health().failures();
    this.crashLoop = row.health().crashLoop();
    this.scheduler = scheduler;
    this.position = row.position();
    this.executing = row.activity().executionId();
    this.iterated = row.activity().iterations() > 0;
    this.openedNanos = scheduler.clock().nanoTime();
  }

  ContinuousWorkflow workflow() {
    return workflow;
  }

  Owner owner() {
    return owner;
  }

  long generation() {
    return start.ids().generation();
  }

  StartInformation start() {
    return start;
  }

  int failuresBefore() {
    return failuresBefore;
  }

  boolean wasCrashLoop() {
    return crashLoop;
  }

  long openedNanos() {
    return openedNanos;
  }

  /** Returns the execution that the run waits for; null for none. */
  synchronized @Nullable Long executing() {
    return executing;
  }

  /** Returns true if an execution has ended since the run started, and none is running. */
  synchronized boolean hasIterated() {
    return iterated && executing == null;
  }

  synchronized Phase phase() {
    return phase;
  }

  /** Returns true until the run is closed. */
  synchronized boolean isAlive() {
    return phase != Phase.CLOSING && phase != Phase.CLOSED;
  }

  synchronized boolean isClosed() {
    return phase == Phase.CLOSED;
  }

  /**
   * Marks that no other run of the same generation may take the place of this one: its workflow is
   * released, or has failed.
   */
  synchronized void retire() {
    retired = true;
  }

  synchronized boolean isRetired() {
    return retired;
  }

  private void move(Phase next) {
    if (!NEXT.getOrDefault(phase, Set.of()).contains(next)) {
      throw new IllegalStateException(this + " cannot become " + next);
    }
    phase = next;
  }

  /** Opens the source, unless it has been closed meanwhile. */
  void open() throws Exception {
    if (isAlive()) {
      Trigger.Source opened = workflow.trigger().open(this);
      if (opened == null) {
        throw new IllegalStateException("open() of the trigger has answered null");
      }
      boolean ask = false;
      synchronized (this) {
        source = opened;
        if (phase == Phase.OPENING) {
          openedNanos = scheduler.clock().nanoTime();
          executing = isOver() ? null : executing;
          ask = executing == null;
          move(ask ? Phase.QUEUED : Phase.AWAITING);
        }
      }
      if (ask) {
        scheduler.queued(this);
      }
    }
  }

  /** Marks the start of a poll. Returns false if the run must not be polled any more. */
  synchronized boolean begin() {
    if (phase != Phase.QUEUED) {
      return false;
    }
    move(Phase.POLLING);
    woken = false;
    return true;
  }

  /** Polls the source, on the thread that has started. */
  PollResult poll() throws Exception {
    Trigger.Source present;
    synchronized (this) {
      present = source;
    }
    PollResult answer = present == null ? null : present.poll();
    if (answer == null) {
      throw new IllegalStateException("poll() of the trigger has answered null");
    }
    return answer;
  }

  /**
   * Ends a poll without an event.
   *
   * @param untilNanos null to wait until woken
   */
  void pause(@Nullable Long untilNanos) {
    synchronized (this) {
      if (phase != Phase.POLLING) {
        return;
      }
      if (!woken) {
        move(Phase.IDLE);
        if (untilNanos != null) {
          scheduler.pausesUntil(this, untilNanos);
        }
        return;
      }
      move(Phase.QUEUED);
    }
    scheduler.queued(this);
  }

  @Override
  public void wake() {
    synchronized (this) {
      woken = true;
      if (phase != Phase.IDLE) {
        return;
      }
      move(Phase.QUEUED);
    }
    scheduler.queued(this);
  }

  /** Records that an execution was started and that the position is behind the event. */
  synchronized void fired(long executionId, @Nullable String newPosition) {
    executing = executionId;
    if (newPosition != null) {
      position = newPosition;
    }
  }

  /** Records that the event has started nothing and that the position is behind it. */
  void passed(@Nullable String newPosition) {
    synchronized (this) {
      if (newPosition != null) {
        position = newPosition;
      }
      if (phase != Phase.POLLING) {
        return;
      }
      move(Phase.QUEUED);
    }
    scheduler.queued(this);
  }

  /** Waits for the execution of the accepted event, unless it has ended already. */
  void await() {
    synchronized (this) {
      if (phase != Phase.POLLING) {
        return;
      }
      if (!isOver()) {
        move(Phase.AWAITING);
        return;
      }
      executing = null;
      move(Phase.QUEUED);
    }
    scheduler.queued(this);
  }

  private boolean isOver() {
    return executing == null || executing.equals(executionEnded);
  }

  /** Records that the execution has ended; its end may be known here before its start is. */
  void executionEnded(long executionId) {
    synchronized (this) {
      executionEnded = executionId;
      iterated = true;
      if (phase != Phase.AWAITING || executing == null || executing != executionId) {
        return;
      }
      executing = null;
      move(Phase.QUEUED);
    }
    scheduler.queued(this);
  }

  /** Closes the run: the source is closed now, or by the thread that uses it. */
  void close() {
    synchronized (this) {
      if (!isAlive()) {
        return;
      }
      boolean used = phase == Phase.OPENING || phase == Phase.POLLING;
      move(Phase.CLOSING);
      if (used) {
        return;
      }
    }
    finish();
  }

  /** Records that the thread no longer uses the source, and closes the source if requested. */
  void releaseSource() {
    if (phase() == Phase.CLOSING) {
      finish();
    }
  }

  private void finish() {
    scheduler.forgotten(this);
    Trigger.Source last;
    synchronized (this) {
      last = source;
      source = null;
    }
    try {
      if (last != null) {
        last.close();
      }
    } catch (Throwable e) {
      LOG.warn("The trigger of '{}' could not be closed", name(), e);
    }
    List<Runnable> waiting;
    synchronized (this) {
      move(Phase.CLOSED);
      waiting = List.copyOf(afterwards);
      afterwards.clear();
    }
    waiting.forEach(Runnable::run);
  }

  /** Calls {@code listener} when the source is closed, at once if it already is. */
  void whenClosed(Runnable listener) {
    synchronized (this) {
      if (phase != Phase.CLOSED) {
        afterwards.add(listener);
        return;
      }
    }
    listener.run();
  }

  @Override
  public String name() {
    return workflow.name();
  }

  @Override
  public Optional<Instant> enabledSince() {
    return since;
  }

  @Override
  public synchronized Optional<String> position() {
    return Optional.ofNullable(position);
  }

  @Override
  public EngineClock clock() {
    return scheduler.clock();
  }

  @Override
  public Optional<OfferedEvent> nextOfferedEvent() {
    return scheduler.nextOfferedEvent(name());
  }

  @Override
  public Set<String> memory() {
    return scheduler.memory(name());
  }

  @Override
  public String toString() {
    return "trigger of '" + name() + "', " + start.ids().runId() + ", " + phase();
  }
}
