package io.millrace.benchmarks.peer.millrace;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.WorkType;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import io.millrace.definition.Next;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.definition.WorkflowDefinitionBuilder;
import io.millrace.event.EngineEvent;
import io.millrace.instance.StartRequest;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

final class MillraceProcess implements PeerProcess {

  private static final int CONNECTIONS = 10;

  /**
   * Query that counts unfinished instances; it uses the indexes of leased and of due instances, so
   * it costs next to nothing.
   */
  private static final String UNFINISHED =
      """
      SELECT (SELECT count(*) FROM millrace_instance WHERE executor_id IS NOT NULL)
        + (SELECT count(*) FROM millrace_instance WHERE executor_id IS NULL
             AND status IN ('created', 'inProgress') AND next_activation_at IS NOT NULL)
      """;

  private static final int CHUNK = 20_000;

  private final BenchmarkDatabase database;
  private final HikariDataSource pool;
  private final List<WorkflowDefinition> definitions;
  private final AtomicLong pending = new AtomicLong();
  private Engine engine;

  MillraceProcess(BenchmarkDatabase database, Probe probe) {
    this.database = database;
    this.pool = database.pool(CONNECTIONS);
    this.definitions =
        Arrays.stream(WorkType.values()).map(workType -> definition(workType, probe)).toList();
    this.engine = start(false);
  }

  private Engine start(boolean works) {
    return Engine.builder()
        .dataSource(pool)
        .workflows(definitions)
        .settings(s -> s.runsInstances(works))
        .listener(this::saved)
        .start();
  }

  /** Counts ended instances; called after the commit. */
  private void saved(EngineEvent event) {
    if (event instanceof EngineEvent.TransitionSaved saved
        && saved.transition().status().isTerminal()) {
      pending.decrementAndGet();
    }
  }

  private static WorkflowDefinition definition(WorkType workType, Probe probe) {
    WorkflowDefinitionBuilder<String> builder = WorkflowDefinition.of(workType.name());
    builder.start("step1", handler(workType, 1, probe));
    for (int step = 2; step <= workType.steps(); step++) {
      builder.state("step" + step, handler(workType, step, probe));
    }
    return builder.build();
  }

  private static StateHandler handler(WorkType workType, int step, Probe probe) {
    return ctx -> {
      probe.handle(workType, step, ctx.input(String.class));
      return step == workType.steps()
          ? Next.done("all steps done")
          : Next.moveTo("step" + (step + 1), "step done");
    };
  }

  @Override
  public void enqueue(WorkType workType, String payload) {
    pending.incrementAndGet();
    engine.client().start(StartRequest.of(workType.name(), payload));
  }

  @Override
  public void enqueueAll(WorkType workType, int count) {
    pending.addAndGet(count);
    StartRequest request = StartRequest.of(workType.name(), "");
    for (int left = count; left > 0; left -= CHUNK) {
      engine.client().startAll(Collections.nCopies(Math.min(left, CHUNK), request));
    }
  }

  @Override
  public void run() {
    engine.close();
    engine = start(true);
  }

  @Override
  public long unfinished() throws Exception {
    return database.number(UNFINISHED);
  }

  @Override
  public long pending() {
    return pending.get();
  }

  @Override
  public void close() {
    engine.close();
    pool.close();
  }
}
