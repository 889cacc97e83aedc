package io.millrace.benchmarks.workload.millrace;

import io.millrace.Engine;
import io.millrace.benchmarks.measure.Distribution;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.InstanceStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A listener that observes an engine from its first claim until a given number of instances have
 * ended durably.
 */
final class DrainMonitor implements EngineListener {

  private static final long LIMIT_MINUTES = 10;

  private final CountDownLatch left;
  private final Queue<Double> claimMillis = new ConcurrentLinkedQueue<>();
  private final Queue<Double> saveMillis = new ConcurrentLinkedQueue<>();
  private volatile double begun = Double.NaN;
  private volatile double ended = Double.NaN;

  DrainMonitor(int count) {
    left = new CountDownLatch(count);
  }

  @Override
  public void onEvent(EngineEvent event) {
    switch (event) {
      case EngineEvent.BatchClaimed claimed -> {
        claimMillis.add(millis(claimed.took()));
        if (Double.isNaN(begun)) {
          begun = now() - millis(claimed.took());
        }
      }
      case EngineEvent.BatchSaved saved -> saveMillis.add(millis(saved.took()));
      case EngineEvent.TransitionSaved saved
          when saved.transition().status() == InstanceStatus.FINISHED -> {
        if (left.getCount() > 0) {
          ended = now();
          left.countDown();
        }
      }
      default -> {
        // Other events are not counted.
      }
    }
  }

  /**
   * Returns the time of the machine's clock in milliseconds, because runs of several processes are
   * compared.
   */
  private static double now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) / 1e3;
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  /** Waits for the end; if it does not come, the exception shows the progress of the engine. */
  void await(Engine engine) throws InterruptedException {
    if (!left.await(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(
          "%d instances had not ended after %d minutes; the engine holds %d."
              .formatted(left.getCount(), LIMIT_MINUTES, engine.leasedInstanceCount()));
    }
  }

  /** Returns the time of the first claim in milliseconds since the epoch; NaN before it. */
  double begun() {
    return begun;
  }

  /**
   * Returns the time at which the last end was saved, in milliseconds since the epoch; NaN before
   * it.
   */
  double ended() {
    return ended;
  }

  /** Returns the seconds from the first claim to the last saved end. */
  double seconds() {
    return (ended - begun) / 1e3;
  }

  /** Returns the durations of claims in milliseconds. */
  Distribution claims() {
    return Distribution.of(claimMillis);
  }

  /** Returns the durations of batch saves in milliseconds. */
  Distribution saves() {
    return Distribution.of(saveMillis);
  }
}
