package io.millrace.benchmarks.workload.sequence;

import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.ResourceUsage;
import io.millrace.benchmarks.process.RoleContext;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A recorder of how late slots start, by the machine's clock. Thread-safe. */
final class LatenessRecorder {

  private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
  private volatile boolean measures;

  /** Records that the handler of a slot has started. */
  void began(Instant slot) {
    if (measures) {
      millis.add(Duration.between(slot, Instant.now()).toNanos() / 1e6);
    }
  }

  /** Waits for the time of the measurement and reports its figures. */
  void measure(RoleContext roleContext) throws InterruptedException, SQLException {
    TimeUnit.SECONDS.sleep(roleContext.number("warmUp"));
    Meter meter = Meter.start(roleContext.database());
    measures = true;
    TimeUnit.SECONDS.sleep(roleContext.number("seconds"));
    measures = false;
    ResourceUsage resourceUsage = meter.stop();
    Distribution all = Distribution.of(millis);
    roleContext.recordMeasurement("late50", all.median());
    roleContext.recordMeasurement("late99", all.quantile(0.99));
    roleContext.recordMeasurement("latest", all.quantile(1));
    roleContext.recordMeasurement("perSecond", all.size() / resourceUsage.seconds());
    roleContext.recordMeasurement("javaMillis", resourceUsage.javaMillis() / all.size());
    roleContext.recordMeasurement("serverMillis", resourceUsage.serverMillis() / all.size());
  }
}
