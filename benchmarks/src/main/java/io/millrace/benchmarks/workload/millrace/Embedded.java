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

/** How quickly enqueued work gets done in a database of H2 in a file. */
final class Embedded implements MillraceWorkload {

  @Override
  public String id() {
    return "X4";
  }

  @Override
  public String title(Lab lab) {
    return "%,d steps on H2 in a file, until all are durably done".formatted(steps(lab));
  }

  private static int steps(Lab lab) {
    return lab.size(20_000, 2_000);
  }

  @Override
  public List<Column> columns() {
    return List.of(
        Column.moreIsBetter("steps/s", "perSecond", 0),
        Column.lessIsBetter("CPU ms/step", "javaMillis", 3));
  }

  @Override
  public List<String> cases(Lab lab) {
    return MillraceWorkload.few(lab, Shape.TITLES);
  }

  @Override
  public Map<String, Double> run(Lab lab, Peers peer, String oneCase) throws Exception {
    return lab.play(Drain.class, peer, Map.of("work", Shape.work(oneCase), "steps", steps(lab)));
  }

  static final class Drain implements Part {

    private static final int WARM_UP_SHARE = 4;

    @Override
    public void play(Stage stage) throws Exception {
      Work work = Work.valueOf(stage.setting("work"));
      int steps = stage.number("steps");
      int count = steps / work.steps();
      try (H2Folder folder = H2Folder.create();
          var pool = Shape.pool(folder.url())) {
        Jobs jobs = Jobs.of(pool, work);
        jobs.warmUp(count / WARM_UP_SHARE);
        jobs.enqueue(count);
        Meter meter = Meter.start(stage.database());
        Run run = jobs.drain(count);
        Usage usage = meter.stop();
        stage.figure("perSecond", steps / run.seconds());
        stage.figure("javaMillis", usage.javaMillis() / steps);
      }
    }
  }
}
