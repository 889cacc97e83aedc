package io.millrace.continuous;

import io.millrace.extension.EngineServices;
import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.Loop;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.OfferedEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that polls open triggers when their pause has passed. All pausing triggers share one
 * thread, which only reads the clock. Thread-safe.
 */
final class TriggerScheduler {

  /** Minimum pause, so that a source that asks for none does not occupy a processor. */
  private static final Duration MIN_PAUSE = Duration.ofMillis(10);

  private static final Duration MAX_PAUSE = Duration.ofDays(365);

  private final EngineServices services;
  private final ContinuousStore store;
  private final Duration slowAfter;
  private final BoundedExecutor opens;
  private final BoundedExecutor polls;
  private final long origin;

  /** Guarded by {@code timers}, like the next field. */
  private final TreeMap<Timer, TriggerRun> timers = new TreeMap<>();

  private final Map<TriggerRun, Timer> timerOf = new HashMap<>();
  private long timersMade;
  private volatile @Nullable Loop loop;

  /** A timer, ordered by time and then by creation. */
  private record Timer(long nanos, long number) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  TriggerScheduler(
      EngineServices services,
      ContinuousStore store,
      ContinuousSettings settings,
      Consumer<TriggerRun> open,
      Consumer<TriggerRun> ask) {
    this.services = services;
    this.store = store;
    this.slowAfter = settings.polls().slowAfter();
    this.origin = services.runtime().clock().nanoTime();
    this.opens =
        new BoundedExecutor(
            "millrace-open", settings.maxConcurrentStarts(), slowAfter, services.runtime(), open);
    this.polls =
        new BoundedExecutor(
            "millrace-poll", settings.polls().concurrency(), slowAfter, services.runtime(), ask);
  }

  void start() {
    loop = services.runtime().runner().loop("millrace-triggers", this::tick);
  }

  void stop(Duration patience) {
    Loop present = loop;
    if (present != null) {
      present.stop(patience);
    }
  }

  void open(TriggerRun run) {
    opens.add(run);
  }

  /** Returns the number of triggers that are being opened. */
  int opening() {
    return opens.load();
  }

  boolean isBusy() {
    return opens.isBusy() || polls.isBusy();
  }

  /** Interrupts the threads at the end, for calls that do not return. */
  void interrupt() {
    opens.interrupt();
    polls.interrupt();
  }

  /** Schedules the next poll of a source after the pause that it requested. */
  void pause(TriggerRun run, Duration asked) {
    Duration pause = asked.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : asked;
    pause = pause.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : pause;
    run.pause(now() + TimeLimits.nanos(pause));
  }

  /** Returns the time since a fixed origin, so that times can be compared. */
  private long now() {
    return services.runtime().clock().nanoTime() - origin;
  }

  EngineClock clock() {
    return services.runtime().clock();
  }

  /** Returns the oldest event that was offered to a workflow; empty for none. */
  Optional<OfferedEvent> nextOfferedEvent(String name) {
    return store.offeredEvents(name, 1).stream().findFirst();
  }

  /** Returns what a workflow's trigger remembers. */
  Set<String> memory(String name) {
    return store.memory(name);
  }

  /** Queues a run for an immediate poll. */
  void queued(TriggerRun run) {
    forgotten(run);
    polls.add(run);
  }

  /** Schedules a poll of a run; called while the run is locked. */
  void pausesUntil(TriggerRun run, long nanos) {
    boolean first;
    synchronized (timers) {
      remove(run);
      Timer timer = new Timer(nanos, ++timersMade);
      timers.put(timer, run);
      timerOf.put(run, timer);
      first = timers.firstKey().equals(timer);
    }
    Loop present = loop;
    if (first && present != null) {
      present.wake();
    }
  }

  /** Removes a run, which is not polled any more. */
  void forgotten(TriggerRun run) {
    synchronized (timers) {
      remove(run);
    }
  }

  private void remove(TriggerRun run) {
    Timer timer = timerOf.remove(run);
    if (timer != null) {
      timers.remove(timer);
    }
  }

  private Duration tick() {
    opens.check();
    polls.check();
    List<TriggerRun> due = new ArrayList<>();
    Duration pause = slowAfter.dividedBy(2);
    synchronized (timers) {
      long now = now();
      while (!timers.isEmpty() && timers.firstKey().nanos <= now) {
        TriggerRun run = timers.firstEntry().getValue();
        remove(run);
        due.add(run);
      }
      if (!timers.isEmpty()) {
        pause = shorter(pause, Duration.ofNanos(timers.firstKey().nanos - now));
      }
    }
    due.forEach(TriggerRun::wake);
    return pause;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
