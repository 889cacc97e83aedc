package io.millrace.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A supervisor of the background threads of this process. If a body ends with any {@link
 * Throwable}, that is logged and recorded, and the body runs again after a back-off. Thread-safe.
 */
public final class LoopSupervisor {

  /** The body of a thread, which runs until its owner ends it; may throw anything. */
  @FunctionalInterface
  public interface Body {
    void run() throws Throwable;
  }

  private static final Logger LOG = LoggerFactory.getLogger(LoopSupervisor.class);
  private static final long FIRST_BACKOFF_NANOS = Duration.ofMillis(125).toNanos();
  private static final int MAX_DOUBLINGS = 4;

  /** Time after which a running body counts as recovered. */
  private static final long RECOVERED_NANOS = Duration.ofMinutes(1).toNanos();

  /** Maximum number of names. They are few, but some contain names that users choose. */
  private static final int MAX_LOOPS = 200;

  private static final Map<String, LoopFailure> FAILURES = new ConcurrentHashMap<>();

  private LoopSupervisor() {}

  /** Starts a daemon thread that runs {@code body} until it returns normally. */
  public static Thread daemon(String name, Body body) {
    return Thread.ofPlatform()
        .daemon()
        .name(name)
        .start(() -> run(name, body, LoopSupervisor::pause));
  }

  /** Returns the failures of all loops of this process, ordered by name. */
  public static List<LoopFailure> failures() {
    return FAILURES.values().stream().sorted(Comparator.comparing(LoopFailure::loop)).toList();
  }

  /**
   * Runs {@code body} on the calling thread until it returns normally.
   *
   * @param pause waits for so many nanoseconds, or less if the loop must end
   */
  static void run(String name, Body body, LongConsumer pause) {
    int failures = 0;
    while (true) {
      long begin = System.nanoTime();
      try {
        body.run();
        return;
      } catch (Throwable fault) {
        long ran = System.nanoTime() - begin;
        failures = ran > RECOVERED_NANOS ? 1 : Math.min(failures + 1, MAX_DOUBLINGS + 1);
        report(name, fault);
        pauseAfter(FIRST_BACKOFF_NANOS << (failures - 1), pause);
      }
    }
  }

  /** Reports a failure. Even the report may fail, for example if the memory is exhausted. */
  private static void report(String name, Throwable fault) {
    try {
      String text = text(fault);
      record(name, text);
      LOG.error("Loop {} failed and is restarted: {}", name, text, fault);
    } catch (Throwable unreported) {
      Thread.onSpinWait();
    }
  }

  private static void pauseAfter(long nanos, LongConsumer pause) {
    try {
      pause.accept(nanos);
    } catch (Throwable fault) {
      LockSupport.parkNanos(nanos);
    }
  }

  private static void pause(long nanos) {
    LockSupport.parkNanos(nanos);
  }

  private static void record(String name, String fault) {
    if (FAILURES.size() < MAX_LOOPS || FAILURES.containsKey(name)) {
      FAILURES.merge(
          name,
          new LoopFailure(name, 1, Instant.now(), fault),
          (before, now) -> new LoopFailure(name, before.times() + 1, now.last(), fault));
    }
  }

  private static String text(Throwable fault) {
    try {
      return String.valueOf(fault);
    } catch (Throwable e) {
      return fault.getClass().getName();
    }
  }
}
