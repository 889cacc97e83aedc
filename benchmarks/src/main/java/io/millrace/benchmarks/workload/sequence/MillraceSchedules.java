package io.millrace.benchmarks.workload.sequence;

import io.millrace.Engine;
import io.millrace.benchmarks.process.Part;
import io.millrace.benchmarks.process.Stage;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Schedules of Millrace: sequences of one task. */
final class MillraceSchedules implements Part {

  private static final int CONNECTIONS = 10;
  private static final Duration PERIOD = Duration.ofSeconds(Schedules.PERIOD_SECONDS);

  @Override
  public void play(Stage stage) throws Exception {
    Lateness lateness = new Lateness();
    try (var pool = stage.database().pool(CONNECTIONS);
        Engine engine =
            Engine.builder()
                .dataSource(pool)
                .task(Task.of("KPI", "Report"), task -> lateness.began(task.window().to()))
                .start()) {
      Instant first = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      for (int i = 0; i < Schedules.PERIOD_SECONDS; i++) {
        Schedule schedule = Schedule.every(PERIOD, first.plusSeconds(i));
        engine.sequences().add(TaskSequence.of("s" + i, "Report", schedule).task("KPI"));
      }
      Copies.make(stage.database(), stage.number("perSecond") - 1);
      lateness.measure(stage);
    }
  }
}
