package io.millrace.verification.chaos.node;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.fixtures.ProcessTicker;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.chaos.journal.JournalClient;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * An engine process, to be killed, frozen and cut off. Arguments: its name, the database's URL, the
 * journal's port, the size of its pool, and a seed.
 */
public final class NodeMain {

  /** Time that handlers have to end after SIGTERM. */
  public static final Duration GRACE = Duration.ofSeconds(4);

  /** Consecutive deaths of holders after which an instance is parked. */
  public static final int MAX_RECOVERIES = 3;

  /** Exit code if the database could not be reached at the start. */
  public static final int NOT_STARTED = 3;

  /** Pool size that stands for no pool: a new connection for every use. */
  public static final int NO_POOL = 0;

  private static final int LOGIN_SECONDS = 5;
  private static final int HANDLERS = 24;
  private static final double STARTS_PER_SECOND = 2;

  private NodeMain() {}

  public static void main(String[] args) throws Exception {
    String name = args[0];
    int connections = Integer.parseInt(args[3]);
    JournalClient journal = JournalClient.connect(Integer.parseInt(args[2]), name);
    Engine engine;
    try {
      engine = start(args[1], connections, journal);
    } catch (RuntimeException e) {
      System.out.println("Not started: " + e);
      Runtime.getRuntime().halt(NOT_STARTED);
      throw e;
    }
    journal.record("READY", Map.of("executor", String.valueOf(engine.executorId())));
    ProcessTicker.start(() -> journal.note("BEAT", Map.of()));
    try (LoadGenerator loadGenerator =
        new LoadGenerator(engine.client(), journal, Long.parseLong(args[4]))) {
      loadGenerator.run(STARTS_PER_SECOND, false);
      new CountDownLatch(1).await();
    }
  }

  private static DataSource dataSource(String url, int connections) {
    if (connections == NO_POOL) {
      PGSimpleDataSource single = new PGSimpleDataSource();
      single.setURL(url);
      single.setLoginTimeout(LOGIN_SECONDS);
      return single;
    }
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }

  private static Engine start(String url, int connections, JournalClient journal) {
    JournalRecorder journalRecorder = new JournalRecorder(journal);
    // The run has created the tables; one connection suffices for an engine that does not listen.
    SqlStore store =
        SqlStore.open(
            dataSource(url, connections),
            new SqlStore.Options(SchemaMode.VALIDATE, null, connections != 1));
    return Engine.builder()
        .store(journalRecorder.watch(store))
        .workflows(ChaosWorkflows.definitions(journal))
        .settings(s -> s.concurrency(HANDLERS).drainGrace(GRACE).maxRecoveries(MAX_RECOVERIES))
        .listener(journalRecorder)
        .interceptor(journalRecorder)
        .stopWithJvm()
        .start();
  }
}
