package io.millrace.benchmarks.peer.quartz;

import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;

final class QuartzProcess implements PeerProcess {

  private static final int THREADS = 20;

  /** Connections; Quartz requires at least three more than there are threads. */
  private static final int CONNECTIONS = THREADS + 3;

  private final BenchmarkDatabase database;
  private final Scheduler scheduler;

  QuartzProcess(BenchmarkDatabase database, Tuning tuning, Probe probe) throws SchedulerException {
    this.database = database;
    Properties properties = new Properties();
    properties.putAll(common(database));
    properties.putAll(special(tuning));
    this.scheduler = new StdSchedulerFactory(properties).getScheduler();
    scheduler.setJobFactory((bundle, ignored) -> new StepJob(probe));
    scheduler.scheduleJobs(
        Arrays.stream(WorkType.values()).collect(Collectors.toMap(StepJob::detail, w -> Set.of())),
        true);
  }

  private static Map<String, String> common(BenchmarkDatabase database) {
    return Map.ofEntries(
        Map.entry("org.quartz.scheduler.instanceName", "benchmark"),
        Map.entry("org.quartz.scheduler.instanceId", "AUTO"),
        Map.entry("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "" + THREADS),
        Map.entry("org.quartz.threadPool.threadCount", "" + THREADS),
        Map.entry("org.quartz.jobStore.class", JobStoreTX.class.getName()),
        Map.entry("org.quartz.jobStore.driverDelegateClass", PostgreSQLDelegate.class.getName()),
        Map.entry("org.quartz.jobStore.isClustered", "true"),
        Map.entry("org.quartz.jobStore.useProperties", "true"),
        // Batches are not safe without this setting.
        Map.entry("org.quartz.jobStore.acquireTriggersWithinLock", "true"),
        Map.entry("org.quartz.jobStore.dataSource", "main"),
        Map.entry("org.quartz.dataSource.main.provider", "hikaricp"),
        Map.entry("org.quartz.dataSource.main.driver", "org.postgresql.Driver"),
        Map.entry("org.quartz.dataSource.main.URL", database.url()),
        Map.entry("org.quartz.dataSource.main.user", database.user()),
        Map.entry("org.quartz.dataSource.main.maxConnections", "" + CONNECTIONS));
  }

  private static Map<String, String> special(Tuning tuning) {
    return switch (tuning) {
      case THROUGHPUT -> Map.of();
      // The shortest accepted time; the default is 30 seconds.
      case LATENCY -> Map.of("org.quartz.scheduler.idleWaitTime", "1000");
      // The default is 7.5 seconds; another 7.5 seconds are added and cannot be configured.
      case RECOVERY ->
          Map.of(
              "org.quartz.scheduler.idleWaitTime", "1000",
              "org.quartz.jobStore.clusterCheckinInterval", "1000");
    };
  }

  @Override
  public void enqueue(WorkType workType, String payload) throws SchedulerException {
    scheduler.scheduleJob(StepJob.trigger(workType, 1, payload));
  }

  @Override
  public void enqueueAll(WorkType workType, int count) throws SchedulerException {
    Set<Trigger> triggers =
        Stream.generate(() -> StepJob.trigger(workType, 1, ""))
            .limit(count)
            .collect(Collectors.toUnmodifiableSet());
    // The job is already stored; storing it again is the only way to store triggers in a batch.
    scheduler.scheduleJobs(Map.of(StepJob.detail(workType), triggers), true);
  }

  @Override
  public void run() throws SchedulerException {
    scheduler.start();
  }

  @Override
  public long unfinished() throws Exception {
    // A trigger that does not fire again is deleted when its job ends.
    return database.number("SELECT count(*) FROM qrtz_triggers");
  }

  @Override
  public void close() {
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz could not be shut down", e);
    }
  }
}
