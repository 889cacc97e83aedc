package io.millrace.benchmarks.peer.dbscheduler;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.CompletionHandler;
import com.github.kagkarlsson.scheduler.task.CompletionHandler.OnCompleteRemove;
import com.github.kagkarlsson.scheduler.task.CompletionHandler.OnCompleteReplace;
import com.github.kagkarlsson.scheduler.task.Task;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

final class DbSchedulerProcess implements PeerProcess {

  private static final int THREADS = 20;
  private static final int CHUNK = 1_000;

  private final BenchmarkDatabase database;
  private final HikariDataSource pool;
  private final Scheduler scheduler;
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong enqueued = new AtomicLong();

  DbSchedulerProcess(BenchmarkDatabase database, Tuning tuning, Probe probe) {
    this.database = database;
    this.pool = database.pool(THREADS);
    this.scheduler = build(tuning, probe);
  }

  private Scheduler build(Tuning tuning, Probe probe) {
    List<Task<?>> tasks = new ArrayList<>();
    for (WorkType workType : WorkType.values()) {
      for (int step = 1; step <= workType.steps(); step++) {
        tasks.add(task(workType, step, probe));
      }
    }
    SchedulerBuilder builder =
        Scheduler.create(pool, tasks)
            .schedulerName(new SchedulerName.Fixed(name))
            .threads(THREADS)
            .pollingInterval(Duration.ofMillis(100));
    return switch (tuning) {
      case THROUGHPUT -> builder.pollUsingLockAndFetch(4.0, 20.0).build();
      case LATENCY -> builder.pollUsingLockAndFetch(0.5, 1.0).enableImmediateExecution().build();
      case RECOVERY ->
          builder
              .pollUsingLockAndFetch(0.5, 1.0)
              .heartbeatInterval(Duration.ofSeconds(1))
              // The smallest number that it accepts.
              .missedHeartbeatsLimit(4)
              .build();
    };
  }

  private static Task<String> task(WorkType workType, int step, Probe probe) {
    return Tasks.custom(name(workType, step), String.class)
        .execute((instance, context) -> {
          probe.handle(workType, step, instance.getData());
          return next(workType, step, instance.getData());
        });
  }

  /** Replaces the row of a step by the row of the next step, in one statement. */
  private static CompletionHandler<String> next(WorkType workType, int step, String payload) {
    return step == workType.steps()
        ? new OnCompleteRemove<>()
        : new OnCompleteReplace<>(name(workType, step + 1), payload);
  }

  private static String name(WorkType workType, int step) {
    return workType.name() + "-step" + step;
  }

  private TaskInstance<String> instance(WorkType workType, String payload) {
    return new TaskInstance<>(name(workType, 1), name + "-" + enqueued.incrementAndGet(), payload);
  }

  @Override
  public void enqueue(WorkType workType, String payload) {
    scheduler.scheduleIfNotExists(instance(workType, payload), Instant.now());
  }

  @Override
  public void enqueueAll(WorkType workType, int count) {
    for (int left = count; left > 0; left -= CHUNK) {
      List<TaskInstance<?>> chunk = new ArrayList<>();
      for (int i = 0; i < Math.min(left, CHUNK); i++) {
        chunk.add(instance(workType, ""));
      }
      scheduler.scheduleBatch(chunk, Instant.now());
    }
  }

  @Override
  public void run() {
    scheduler.start();
  }

  @Override
  public long unfinished() throws Exception {
    return database.number("SELECT count(*) FROM scheduled_tasks");
  }

  @Override
  public void close() {
    scheduler.stop();
    pool.close();
  }
}
