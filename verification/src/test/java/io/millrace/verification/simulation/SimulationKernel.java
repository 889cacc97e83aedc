package io.millrace.verification.simulation;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The simulated time, and all events in it, one after the other. Processes are coroutines: they run
 * until they wait, and time passes only while all of them wait. Simultaneous events happen in
 * random order.
 */
final class SimulationKernel {

  private record Event(long time, int tie, long number, Runnable action)
      implements Comparable<Event> {

    @Override
    public int compareTo(Event other) {
      if (time != other.time) {
        return Long.compare(time, other.time);
      }
      return tie != other.tie
          ? Integer.compare(tie, other.tie)
          : Long.compare(number, other.number);
    }
  }

  /**
   * Limit of events in a second; healthy engines have some dozens, and a spinning thread has very
   * many.
   */
  private static final int MAX_EVENTS_IN_A_SECOND = 5_000;

  private static final long SECOND = 1_000_000_000;

  final Random random;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<SimProcess> processes = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private final List<String> spins = new ArrayList<>();
  private final Consumer<String> trace;
  private long now;
  private long added;
  private long count;
  private long second;
  private int eventsInSecond;
  private long fingerprint;
  private SimProcess current;

  /**
   * @param trace receives all events; null for no trace
   */
  SimulationKernel(long seed, Consumer<String> trace) {
    this.random = new Random(seed);
    this.trace = trace;
  }

  /** Returns the nanoseconds since the start. */
  long now() {
    return now;
  }

  /** Returns the number of events so far. */
  long count() {
    return count;
  }

  /** Returns a fingerprint of the run, equal for equal runs. */
  long fingerprint() {
    return fingerprint;
  }

  /** Traces an event and adds it to the fingerprint. */
  void note(Object where, String what, Supplier<?> details) {
    fingerprint = (fingerprint ^ what.hashCode() ^ now) * 0x9E3779B97F4A7C15L;
    fingerprint ^= fingerprint >>> 29;
    if (trace != null) {
      trace.accept(
          String.format(Locale.ROOT, "%9.4f %-7s %s %s", now / 1e9, where, what, details.get()));
    }
  }

  /** Records that a process ended by an unexpected exception. */
  void fault(SimProcess process, Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    faults.add(process + " ended with " + text);
  }

  /** Returns the unexpected exceptions of processes. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  /** Returns the seconds with so many events that a thread must have been spinning. */
  List<String> spins() {
    return List.copyOf(spins);
  }

  void at(long time, Runnable action) {
    events.add(new Event(Math.max(now, time), random.nextInt(), added++, action));
  }

  void after(Duration delay, Runnable action) {
    at(now + delay.toNanos(), action);
  }

  /** Starts a process on a host; it runs a little later. */
  SimProcess spawn(SimHost simHost, String name, Runnable body) {
    SimProcess process = new SimProcess(this, simHost, name, body);
    processes.add(process);
    at(now + jitter(), process::proceed);
    return process;
  }

  /** Returns the process that is running now. */
  SimProcess current() {
    if (current == null) {
      throw new IllegalStateException("No simulated process is running");
    }
    return current;
  }

  /** Returns the time a thread takes to be scheduled, occasionally a long one. */
  long jitter() {
    return random.nextInt(100) == 0 ? random.nextInt(20_000_000) : random.nextInt(50_000);
  }

  /** Returns a random time between the two, in nanoseconds. */
  long between(Duration least, Duration most) {
    return random.nextLong(least.toNanos(), most.toNanos() + 1);
  }

  /** Lets a process run until it waits. */
  void run(SimProcess process) {
    current = process;
    process.coroutine().resume();
    current = null;
    if (process.ended()) {
      processes.remove(process);
    }
  }

  /** Advances the time and runs all events in it. */
  void run(Duration time) {
    long end = now + time.toNanos();
    while (!events.isEmpty() && events.peek().time <= end) {
      Event next = events.remove();
      now = next.time;
      count++;
      countInSecond();
      next.action.run();
    }
    now = end;
  }

  private void countInSecond() {
    if (now / SECOND != second) {
      second = now / SECOND;
      eventsInSecond = 0;
    }
    if (++eventsInSecond == MAX_EVENTS_IN_A_SECOND) {
      spins.add(eventsInSecond + " events in second " + second);
    }
  }

  /** Ends every process that still waits, so that no thread is left. */
  void close() {
    for (SimProcess process : List.copyOf(processes)) {
      process.host().die();
      while (!process.ended()) {
        run(process);
      }
    }
  }
}
