package io.millrace.benchmarks.workload.sequence;

import io.millrace.Engine;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** A role with schedules of Millrace: sequences of one task. */
final class MillraceScheduleRole implements ProcessRole {

  private static final int CONNECTIONS = 10;
  private static final Duration PERIOD = Duration.ofSeconds(ScheduleWorkload.PERIOD_SECONDS);

  @Override
  public void run(RoleContext roleContext) throws Exception {
    LatenessRecorder latenessRecorder = new LatenessRecorder();
    try (var pool = roleContext.database().pool(CONNECTIONS);
        Engine engine =
            Engine.builder()
                .dataSource(pool)
                .task(Task.of("KPI", "Report"), task -> latenessRecorder.began(task.window().to()))
                .start()) {
      Instant first = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      for (int i = 0; i < ScheduleWorkload.PERIOD_SECONDS; i++) {
        Schedule schedule = Schedule.every(PERIOD, first.plusSeconds(i));
        engine.sequences().add(TaskSequence.of("s" + i, "Report", schedule).task("KPI"));
      }
      SequenceCopier.make(roleContext.database(), roleContext.number("perSecond") - 1);
      latenessRecorder.measure(roleContext);
    }
  }
}
