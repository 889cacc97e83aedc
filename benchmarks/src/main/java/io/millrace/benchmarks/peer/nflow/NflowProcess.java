package io.millrace.benchmarks.peer.nflow;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.benchmarks.peer.ParallelCalls;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
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

  private final BenchmarkDatabase database;
  private final HikariDataSource pool;
  private final NflowEngine engine;

  NflowProcess(BenchmarkDatabase database, Probe probe) {
    this.database = database;
    this.pool = database.pool(CONNECTIONS);
    List<WorkflowDefinition> definitions = new ArrayList<>();
    for (WorkType workType : WorkType.values()) {
      definitions.add(new NflowWorkflow(workType, probe));
    }
    this.engine = new NflowEngine(pool, new PostgreSQLVariants(), definitions);
  }

  @Override
  public void enqueue(WorkType workType, String payload) {
    engine
        .getWorkflowInstanceService()
        .insertWorkflowInstance(
            new WorkflowInstance.Builder()
                .setType(workType.name())
                // Cheaper than a state variable, which takes a row of its own.
                .setBusinessKey(payload)
                .build());
  }

  /** Enqueues from several threads, because the engine can only insert one workflow per call. */
  @Override
  public void enqueueAll(WorkType workType, int count) throws Exception {
    ParallelCalls.calls(ENQUEUERS, count, () -> enqueue(workType, ""));
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
            .formatted(
                String.join(
                    "', '", Arrays.stream(WorkType.values()).map(WorkType::name).toList())));
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }
}
