package io.millrace.benchmarks.peer.jobrunr;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.time.Duration;
import java.util.stream.Stream;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

final class JobRunrProcess implements PeerProcess {

  private static final int WORKERS = 16;

  /** Connections: one for each worker, and some for the background work of the server. */
  private static final int CONNECTIONS = 20;

  /** Poll interval; the server rejects a shorter one. */
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(5);

  private final BenchmarkDatabase database;
  private final HikariDataSource pool;
  private final StorageProvider storage;
  private final JobRequestScheduler scheduler;
  private final BackgroundJobServer server;

  JobRunrProcess(BenchmarkDatabase database, Probe probe) {
    this.database = database;
    this.pool = database.pool(CONNECTIONS);
    this.storage = new PostgresStorageProvider(pool);
    var json = new Jackson3JsonMapper();
    storage.setJobMapper(new JobMapper(json));
    this.scheduler = new JobRequestScheduler(storage);
    this.server =
        new BackgroundJobServer(
            storage,
            json,
            new OneHandler(new StepHandler(probe, scheduler)),
            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                .andWorkerCount(WORKERS)
                .andPollInterval(POLL_INTERVAL));
  }

  private record OneHandler(StepHandler handler) implements JobActivator {
    @Override
    public <T> T activateJob(Class<T> type) {
      return type.cast(handler);
    }
  }

  @Override
  public void enqueue(WorkType workType, String payload) {
    scheduler.enqueue(new StepRequest(workType, 1, payload));
  }

  @Override
  public void enqueueAll(WorkType workType, int count) {
    scheduler.enqueue(Stream.generate(() -> new StepRequest(workType, 1, "")).limit(count));
  }

  @Override
  public void run() {
    server.start();
  }

  @Override
  public long unfinished() throws Exception {
    return database.number(
        """
        SELECT count(*) FROM jobrunr_jobs
        WHERE state IN ('AWAITING', 'SCHEDULED', 'ENQUEUED', 'PROCESSING', 'FAILED')
        """);
  }

  @Override
  public void close() {
    server.stop();
    storage.close();
    pool.close();
  }
}
