package io.millrace.tests.store;

import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.Origin;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.NewInstance;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.DesiredState;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A benchmark that prints how long the store takes for many continuous workflows, on the PostgreSQL
 * server of the tests: {@code java ... io.millrace.tests.store.ContinuousStoreBenchmark}.
 */
final class ContinuousStoreBenchmark {

  private static final int WORKFLOWS = 10_000;
  private static final int CONTINUED = 1_000;
  private static final int ROUNDS = 10;
  private static final int CLIENTS = 16;
  private static final int FIRES_EACH = 200;

  private ContinuousStoreBenchmark() {}

  public static void main(String[] args) {
    try (TestDatabase database = TestDatabase.postgres(CLIENTS);
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false));
        RaceRunner clients = new RaceRunner(CLIENTS)) {
      int definition = store.definitions().save("type", 1, "hash", "{}").id();
      long executor =
          store
              .executors()
              .register(
                  new ExecutorInfo.Identity("host", 1, "group", List.of(definition), "1.0"),
                  Duration.ofHours(1));
      ContinuousStore continuous = store.continuous();
      List<String> names = IntStream.range(0, WORKFLOWS).mapToObj("w%05d"::formatted).toList();
      print("register 10,000", () -> register(continuous, names));
      print("claim 10,000", () -> continuous.claim(executor, names));
      database.execute("ANALYZE");
      for (int round = 0; round < ROUNDS; round++) {
        print("a look at 10,000 idle ones", () -> look(continuous, executor));
        database.execute(
            "UPDATE millrace_continuous_workflow SET iteration_count = 1 WHERE name < 'w%05d'"
                .formatted(CONTINUED));
        print(
            "continue 1,000",
            () -> continuous.continueAsNew(executor, List.of(), Duration.ZERO, "HOURLY"));
      }
      fire(continuous, clients, executor, definition);
      print("hand over 10,000", () -> store.executors().markStopped(executor));
    }
  }

  private static void register(ContinuousStore continuous, List<String> names) {
    continuous.register(
        names.stream()
            .map(name ->
                new Registration(
                    new StoredContinuousWorkflow.Identity(name, "group", "type", "{}"),
                    DesiredState.ON))
            .toList());
  }

  private static void look(ContinuousStore continuous, long executor) {
    continuous.unowned("group", executor, 500);
    continuous.changed(executor);
    continuous.acknowledgeEnded(executor, List.of());
    continuous.continueAsNew(executor, List.of(), Duration.ofHours(1), "HOURLY");
    continuous.ownedCounts("group");
  }

  /** Fires workflows on each client, one after another; no two clients share a workflow. */
  private static void fire(
      ContinuousStore continuous, RaceRunner clients, long executor, int definition) {
    List<StoredContinuousWorkflow> workflows =
        continuous.list(
            new ContinuousStore.Filter("group", null, executor, null, false),
            null,
            CLIENTS * FIRES_EACH);
    List<List<Long>> times =
        clients.race(i ->
            () -> {
              List<Long> mine = new ArrayList<>();
              for (int n = 0; n < FIRES_EACH; n++) {
                TriggerFire event = event(workflows.get(i * FIRES_EACH + n), definition);
                long start = System.nanoTime();
                continuous.fire(event);
                mine.add(System.nanoTime() - start);
              }
              return mine;
            });
    long[] sorted = times.stream().flatMap(List::stream).mapToLong(t -> t).sorted().toArray();
    System.out.printf(
        "fire, 16 clients: median %.2f ms, p99 %.2f ms, fires %d%n",
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 99 / 100] / 1e6,
        Arrays.stream(sorted).count());
  }

  private static TriggerFire event(StoredContinuousWorkflow workflow, int definition) {
    Origin origin = new Origin("type", 1, "group", 4, null, workflow.name() + "/1", null);
    NewInstance execution =
        new NewInstance(origin, definition, "begin", null, Map.of(), new Due.Never(), null);
    return new TriggerFire(
        new Owner(workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch()),
        workflow.run().generation(),
        "1",
        execution,
        null);
  }

  private static void print(String what, Runnable work) {
    long start = System.nanoTime();
    work.run();
    System.out.printf("%s: %.1f ms%n", what, (System.nanoTime() - start) / 1e6);
  }
}
