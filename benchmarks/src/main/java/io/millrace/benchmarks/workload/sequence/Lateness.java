package io.millrace.benchmarks.workload.sequence;

import io.millrace.benchmarks.measure.Distribution;
import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
import io.millrace.benchmarks.process.Stage;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** How late slots began, by the machine's clock. Thread-safe. */
final class Lateness {

  private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
  private volatile boolean measures;

  /** The handler of a slot has begun. */
  void began(Instant slot) {
    if (measures) {
      millis.add(Duration.between(slot, Instant.now()).toNanos() / 1e6);
    }
  }

  /** Lets the time of the measurement pass, and tells what it brought. */
  void measure(Stage stage) throws InterruptedException, SQLException {
    TimeUnit.SECONDS.sleep(stage.number("warmUp"));
    Meter meter = Meter.start(stage.database());
    measures = true;
    TimeUnit.SECONDS.sleep(stage.number("seconds"));
    measures = false;
    Usage usage = meter.stop();
    Distribution all = Distribution.of(millis);
    stage.figure("late50", all.median());
    stage.figure("late99", all.quantile(0.99));
    stage.figure("latest", all.quantile(1));
    stage.figure("perSecond", all.size() / usage.seconds());
    stage.figure("javaMillis", usage.javaMillis() / all.size());
    stage.figure("serverMillis", usage.serverMillis() / all.size());
  }
}
