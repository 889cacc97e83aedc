package io.millrace.benchmarks.workload.millrace;

import io.millrace.benchmarks.measure.Meter;
import io.millrace.benchmarks.measure.Usage;
import io.millrace.benchmarks.peer.Peers;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.benchmarks.report.Column;
import io.millrace.benchmarks.workload.Lab;
import java.util.List;
import java.util.Map;

/** How near jobs that wait most of the time come to what their number at a time allows. */
final class SlowSteps implements MillraceWorkload {

  private static final int AT_ONCE = 1_000;
  private static final int MILLIS = 100;

  @Override
  public String id() {
    return "X5";
  }

  @Override
  public String title(Lab lab) {
    return "%,d jobs that wait for %d ms, %,d at a time, which allows %,d/s"
        .formatted(count(lab), MILLIS, AT_ONCE, ideal());
  }

  private static int count(Lab lab) {
    return lab.size(50_000, 2_000);
  }

  private static int ideal() {
    return AT_ONCE * 1_000 / MILLIS;
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("jobs/s", "perSecond", 0),
        Column.moreIsBetter("% of what is possible", "share", 0),
        Column.lessIsBetter("CPU ms/job, Java", "javaMillis", 3),
        Column.lessIsBetter("CPU ms/job, server", "serverMillis", 3));
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    return lab.play(Drain.class, peer, Map.of("count", count(lab)));
  }

  static final class Drain implements Part {

    private static final int WARM_UP = 500;

    @Override
    public void play(Stage stage) throws Exception {
      int count = stage.number("count");
      try (var pool = stage.database().pool(Shape.CONNECTIONS)) {
        Jobs jobs =
            Jobs.of(pool, Work.ONE_STEP)
                .with(s -> s.concurrency(AT_ONCE), () -> Thread.sleep(MILLIS));
        jobs.warmUp(WARM_UP);
        jobs.enqueue(count);
        Meter meter = Meter.start(stage.database());
        Run run = jobs.drain(count);
        Usage usage = meter.stop();
        double perSecond = count / run.seconds();
        stage.figure("perSecond", perSecond);
        stage.figure("share", perSecond * 100 / ideal());
        stage.figure("javaMillis", usage.javaMillis() / count);
        stage.figure("serverMillis", usage.serverMillis() / count);
      }
    }
  }
}
