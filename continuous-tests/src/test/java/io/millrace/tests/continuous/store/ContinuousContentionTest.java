package io.millrace.tests.continuous.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.RaceRunner;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.OperatorAction;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFailure;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.OperatorCommand;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests in which executors come and go, and all operations on continuous workflows run on the same
 * few at once: no call fails, every event is numbered, and no executor that has gone owns a
 * workflow.
 */
@Timeout(600)
@Tag("races")
class ContinuousContentionTest {

  private static final long SEED = 20261122;
  private static final int THREADS = 6;
  private static final int STEPS = 400;
  private static final int WORKFLOWS = 12;
  private static final String GROUP = "group";
  private static final OperatorAction ACTION = OperatorAction.by("ann");

  private static final List<String> NAMES =
      IntStream.range(0, WORKFLOWS).mapToObj(i -> "w" + i).toList();

  @ParameterizedTest
  @ValueSource(strings = {"H2", "POSTGRES"})
  void everythingAtOnce(String kind) throws Exception {
    try (TestDatabase database =
            kind.equals("H2") ? TestDatabase.h2() : TestDatabase.postgres(THREADS);
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false));
        RaceRunner raceRunner = new RaceRunner(THREADS)) {
      int definition = store.definitions().save("type", 1, "hash", "{}").id();
      ConcurrentLinkedDeque<Long> gone = new ConcurrentLinkedDeque<>();
      AtomicLong events = new AtomicLong();
      register(store.role(ContinuousStore.class), new Random(SEED));

      List<Integer> fired =
          raceRunner.race(
              i -> new Node(store, definition, new Random(SEED + i), gone, events)::run);

      assertThat(fired.stream().mapToInt(n -> n).sum()).isPositive();
      assertThat(
              database.number(
                  """
                  SELECT count(*) FROM millrace_continuous_workflow a WHERE a.log_seq <> (
                    SELECT count(*) FROM millrace_continuous_log e
                    WHERE e.name = a.name AND e.seq <= a.log_seq)
                  """))
          .isZero();
      assertThat(
              database.number(
                  """
                  SELECT count(*) FROM millrace_continuous_workflow a
                  JOIN millrace_executor e ON e.id = a.executor_id WHERE e.stopped_at IS NOT NULL
                  """))
          .isZero();
      assertThat(
              database.number(
                      "SELECT COALESCE(sum(fire_count), 0) FROM millrace_continuous_workflow")
                  - database.number(
                      "SELECT count(*) FROM millrace_instance WHERE external_id IS NOT NULL"))
          .isZero();
    }
  }

  private static void register(ContinuousStore continuous, Random random) {
    List<String> names = new ArrayList<>(NAMES);
    Collections.shuffle(names, random);
    String settings = "{" + random.nextInt(3) + "}";
    continuous.register(
        names.stream()
            .map(name ->
                new Registration(
                    new StoredContinuousWorkflow.Identity(name, GROUP, "type", settings), true))
            .toList());
  }

  /** One thread, which acts as one executor after another. */
  private static final class Node {
    final Store store;
    final ContinuousStore continuous;
    final int definition;
    final Random random;
    final ConcurrentLinkedDeque<Long> gone;
    final AtomicLong events;
    long executor;
    int fired;

    Node(
        Store store,
        int definition,
        Random random,
        ConcurrentLinkedDeque<Long> gone,
        AtomicLong events) {
      this.store = store;
      this.continuous = store.role(ContinuousStore.class);
      this.definition = definition;
      this.random = random;
      this.gone = gone;
      this.events = events;
    }

    int run() {
      join();
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(12)) {
          case 0, 1, 2 ->
              continuous.claim(executor, continuous.unowned(GROUP, executor, WORKFLOWS));
          case 3, 4 -> fire();
          case 5 -> continuous.acknowledgeEnded(executor, List.of());
          case 6 -> continuous.continueAsNew(executor, List.of(), Duration.ZERO, "HOURLY");
          case 7 -> continuous.release(owners(), "HAND_OVER", null);
          case 8 -> request(NAMES.get(random.nextInt(WORKFLOWS)));
          case 9 -> register(continuous, random);
          case 10 -> leave();
          default -> fail();
        }
      }
      leave();
      return fired;
    }

    private void join() {
      executor =
          store
              .executors()
              .register(
                  new ExecutorInfo.Identity(
                      "host", ProcessHandle.current().pid(), GROUP, List.of(definition), "1.0"),
                  Duration.ofHours(1));
    }

    private void leave() {
      store.executors().markStopped(executor);
      gone.add(executor);
      join();
      Long dead = gone.poll();
      if (dead != null) {
        store.executors().recover(dead, executor, 10, 5);
      }
    }

    private List<Owner> owners() {
      List<Owner> owners = new ArrayList<>();
      for (Map.Entry<String, Long> owned : continuous.owned(executor).entrySet()) {
        owners.add(new Owner(owned.getKey(), executor, owned.getValue()));
      }
      Collections.shuffle(owners, random);
      return owners;
    }

    private void fire() {
      for (Owner owner : owners()) {
        StoredContinuousWorkflow workflow = continuous.find(owner.name()).orElseThrow();
        TriggerFire fire =
            new TriggerFire(
                owner,
                workflow.run().generation(),
                "here",
                new StartSpec("type", GROUP, definition)
                    .externalId("event-" + events.incrementAndGet())
                    .build(),
                null);
        if (RaceRunner.patiently(() -> continuous.fire(fire))
            instanceof FireResult.Started started) {
          fired++;
          store.operators().apply(started.executionId(), new OperatorCommand.Cancel(), ACTION);
        }
      }
    }

    private void request(String name) {
      switch (random.nextInt(4)) {
        case 0 -> {
          continuous.setEnabled(name, false, ACTION);
          continuous.setEnabled(name, true, ACTION);
        }
        case 1 -> continuous.request(name, OwnerRequest.RESTART, null, ACTION);
        case 2 -> continuous.debug(name, Duration.ofMillis(random.nextInt(3)), ACTION);
        default -> continuous.offer(name, "key-" + random.nextInt(50), "{}", 1_000);
      }
    }

    private void fail() {
      owners().stream()
          .limit(1)
          .forEach(owner ->
              continuous.recordFailure(
                  owner, new TriggerFailure("broken", 1, Duration.ZERO, random.nextBoolean())));
    }
  }
}
