package io.millrace.benchmarks.peer.dbos;

import com.zaxxer.hikari.HikariDataSource;
import dev.dbos.transact.DBOS;
import dev.dbos.transact.DBOSClient;
import dev.dbos.transact.DBOSClient.EnqueueOptions;
import dev.dbos.transact.config.DBOSConfig;
import dev.dbos.transact.workflow.Queue;
import io.millrace.benchmarks.peer.Parallel;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;

final class DbosProcess implements PeerProcess {

  private static final int CONNECTIONS = 20;

  /** Each has one thread that begins its workflows, and the engine has one for each processor. */
  private static final int QUEUES = Runtime.getRuntime().availableProcessors();

  /** Its default is one second. */
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  private final Database database;
  private final boolean startsDirectly;
  private final HikariDataSource pool;
  private final DBOSClient client;
  private final DBOS dbos;
  private final Steps steps;
  private boolean running;

  DbosProcess(Database database, Tuning tuning, Probe probe) {
    this.database = database;
    this.startsDirectly = tuning == Tuning.LATENCY;
    this.pool = database.pool(CONNECTIONS);
    this.client = new DBOSClient(pool);
    this.dbos = new DBOS(config(pool));
    for (int i = 0; i < QUEUES; i++) {
      dbos.registerQueue(new Queue("queue" + i).withPollingInterval(POLL_INTERVAL));
    }
    this.steps = dbos.registerProxy(Steps.class, new StepsInOrder(dbos, probe));
  }

  static DBOSConfig config(DataSource pool) {
    // Two executors of one name would each take the other's work for their own at their launch.
    return DBOSConfig.defaults("benchmark")
        .withDataSource(pool)
        .withAppVersion("1")
        .withExecutorId(UUID.randomUUID().toString());
  }

  @Override
  public void enqueue(Work work, String payload) {
    if (startsDirectly && running) {
      dbos.startWorkflow(() -> steps.work(work.name(), payload));
    } else {
      String queue = "queue" + ThreadLocalRandom.current().nextInt(QUEUES);
      client.enqueueWorkflow(
          new EnqueueOptions(Steps.WORKFLOW, StepsInOrder.class.getName(), queue),
          new Object[] {work.name(), payload});
    }
  }

  /** It enqueues one workflow a call, so as many at a time as there are connections. */
  @Override
  public void enqueueAll(Work work, int count) throws Exception {
    Parallel.calls(CONNECTIONS, count, () -> enqueue(work, ""));
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
