package io.millrace.benchmarks.peer.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.DBOSClient;
import dev.dbos.transact.DBOSClient.EnqueueOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import io.millrace.benchmarks.peer.ParallelCalls;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

final class DbosProcess implements PeerProcess {

  private static final int CONNECTIONS = 20;

  /**
   * Number of queues. Each has one thread that starts its workflows; the engine has one queue for
   * each processor.
   */
  private static final int QUEUES = Runtime.getRuntime().availableProcessors();

  /** Poll interval; the default is one second. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  private final BenchmarkDatabase database;
  private final boolean startsDirectly;
  private final HikariDataSource pool;
  private final DBOSClient client;
  private final DBOS dbos;
  private final DbosWorkflow dbosWorkflow;
  private boolean running;

  DbosProcess(BenchmarkDatabase database, Tuning tuning, Probe probe) {
    this.database = database;
    this.startsDirectly = tuning == Tuning.LATENCY;
    this.pool = database.pool(CONNECTIONS);
    this.client = new DBOSClient(pool);
    this.dbos = new DBOS(config(pool));
    for (int i = 0; i < QUEUES; i++) {
      dbos.registerQueue(new Queue("queue" + i).withPollingInterval(POLL_INTERVAL));
    }
    this.dbosWorkflow = dbos.registerProxy(DbosWorkflow.class, new DbosWorkflowImpl(dbos, probe));
  }

  static DBOSConfig config(DataSource pool) {
    // Two executors of the same name would each take over the other's work when they start.
    return DBOSConfig.defaults("benchmark")
        .withDataSource(pool)
        .withAppVersion("1")
        .withExecutorId(UUID.randomUUID().toString());
  }

  @Override
  public void enqueue(WorkType workType, String payload) {
    if (startsDirectly && running) {
      dbos.startWorkflow(() -> dbosWorkflow.work(workType.name(), payload));
    } else {
      String queue = "queue" + ThreadLocalRandom.current().nextInt(QUEUES);
      client.enqueueWorkflow(
          new EnqueueOptions(DbosWorkflow.WORKFLOW, DbosWorkflowImpl.class.getName(), queue),
          new Object[] {workType.name(), payload});
    }
  }

  /** Enqueues in parallel calls, one per connection, because each call enqueues one workflow. */
  @Override
  public void enqueueAll(WorkType workType, int count) throws Exception {
    ParallelCalls.calls(CONNECTIONS, count, () -> enqueue(workType, ""));
  }

  @Override
  public void run() {
    dbos.launch();
    running = true;
  }

  @Override
  public long unfinished() throws Exception {
    return database.number(
        """
        SELECT count(*) FROM dbos.workflow_status
        WHERE status IN ('DELAYED', 'ENQUEUED', 'PENDING')
        """);
  }

  @Override
  public void close() {
    dbos.close();
    client.close();
    pool.close();
  }
}
