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

/** Watches an engine from its first claim until so many instances have ended durably. */
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
      case EngineEvent.StepSaved saved when saved.step().status() == InstanceStatus.FINISHED -> {
        if (left.getCount() > 0) {
          ended = now();
          left.countDown();
        }
      }
      default -> {
        // Nothing that would be counted.
      }
    }
  }

  /** By the machine's clock, since the runs of several processes are compared. */
  private static double now() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) / 1e3;
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }

  /** Waits for the end; the engine tells how far it came if there is none. */
  void await(Engine engine) throws InterruptedException {
    if (!left.await(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      throw new IllegalStateException(
          "%d instances had not ended after %d minutes; the engine holds %d."
              .formatted(left.getCount(), LIMIT_MINUTES, engine.leasedInstanceCount()));
    }
  }

  /** When the first claim was made, in milliseconds of the epoch; NaN before that. */
  double begun() {
    return begun;
  }

  /** When the last end was saved, in milliseconds of the epoch; NaN before that. */
  double ended() {
    return ended;
  }

  /** From the first claim to the last end that was saved. */
  double seconds() {
    return (ended - begun) / 1e3;
  }

  /** What one claim takes. */
  Distribution claims() {
    return Distribution.of(claimMillis);
  }

  /** What saving a batch takes. */
  Distribution saves() {
    return Distribution.of(saveMillis);
  }
}
