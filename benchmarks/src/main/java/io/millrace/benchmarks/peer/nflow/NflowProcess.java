package io.millrace.benchmarks.peer.nflow;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.benchmarks.peer.Parallel;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Work;
import io.millrace.benchmarks.postgres.Database;
import io.nflow.engine.NflowEngine;
import io.nflow.engine.config.db.PgDatabaseConfiguration.PostgreSQLVariants;
import io.nflow.engine.workflow.definition.WorkflowDefinition;
import io.nflow.engine.workflow.instance.WorkflowInstance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class NflowProcess implements PeerProcess {

  private static final int CONNECTIONS = 20;
  private static final int ENQUEUERS = 16;

  private final Database database;
  private final HikariDataSource pool;
  private final NflowEngine engine;

  NflowProcess(Database database, Probe probe) {
    this.database = database;
    this.pool = database.pool(CONNECTIONS);
    List<WorkflowDefinition> definitions = new ArrayList<>();
    for (Work work : Work.values()) {
      definitions.add(new Steps(work, probe));
    }
    this.engine = new NflowEngine(pool, new PostgreSQLVariants(), definitions);
  }

  @Override
  public void enqueue(Work work, String payload) {
    engine
        .getWorkflowInstanceService()
        .insertWorkflowInstance(
            new WorkflowInstance.Builder()
                .setType(work.name())
                // Cheaper than a state variable, which is a row of its own.
                .setBusinessKey(payload)
                .build());
  }

  /** By several threads, as the engine can only insert one at a time. */
  @Override
  public void enqueueAll(Work work, int count) throws Exception {
    Parallel.calls(ENQUEUERS, count, () -> enqueue(work, ""));
  }

  @Override
  public void run() {
    engine.start();
  }

  @Override
  public long unfinished() throws Exception {
    return database.number(
        """
        SELECT count(*) FROM nflow_workflow
        WHERE status <> 'finished' AND type IN ('%s')\
        """
            .formatted(String.join("', '", Arrays.stream(Work.values()).map(Work::name).toList())));
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }
}
