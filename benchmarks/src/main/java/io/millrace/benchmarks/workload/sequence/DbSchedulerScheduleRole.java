package io.millrace.benchmarks.workload.sequence;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import io.millrace.benchmarks.process.ProcessRole;
import io.millrace.benchmarks.process.RoleContext;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** A role with schedules of db-scheduler: rows that get their next time after each run. */
final class DbSchedulerScheduleRole implements ProcessRole {

  private static final int THREADS = 20;

  @Override
  public void run(RoleContext roleContext) throws Exception {
    roleContext.peer().install(roleContext.database());
    LatenessRecorder latenessRecorder = new LatenessRecorder();
    Task<Void> task =
        Tasks.custom("schedule", Void.class)
            .execute((instance, context) -> {
              Instant slot = context.getExecution().getExecutionTime();
              latenessRecorder.began(slot);
              return (complete, operations) ->
                  operations.reschedule(
                      complete, slot.plusSeconds(ScheduleWorkload.PERIOD_SECONDS));
            });
    try (var pool = roleContext.database().pool(THREADS)) {
      Scheduler scheduler =
          Scheduler.create(pool, task)
              .threads(THREADS)
              .pollingInterval(Duration.ofMillis(100))
              .pollUsingLockAndFetch(4.0, 20.0)
              .build();
      Instant first = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      for (int i = 0; i < ScheduleWorkload.PERIOD_SECONDS; i++) {
        List<TaskInstance<?>> chunk = new ArrayList<>();
        for (int n = 0; n < roleContext.number("perSecond"); n++) {
          chunk.add(new TaskInstance<>("schedule", i + "-" + n));
        }
        scheduler.scheduleBatch(chunk, first.plusSeconds(i));
      }
      scheduler.start();
      latenessRecorder.measure(roleContext);
      scheduler.stop();
    }
  }
}
