package io.millrace.tests.continuous.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.RaceRunner;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.Origin;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.OfferResult;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.NewInstance;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of several nodes on one database that compete for the same continuous workflows. */
@ParameterizedClass(name = "{0}")
@MethodSource("scenes")
@Timeout(600)
@Tag("races")
class ContinuousRaceTest {

  private static final int NODES = 4;
  private static final int WORKFLOWS = 1_000;
  private static final int AT_ONCE = 50;
  private static final int ROUNDS = 1_000;
  private static final int SMALL_ROUNDS = 300;

  /** A database with a store for each node. */
  record Scene(String name, TestDatabase database, List<Store> stores, int definition)
      implements AutoCloseable {
    static Scene on(String name, TestDatabase database) {
      List<Store> stores = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        stores.add(
            SqlStore.open(database.open(3), new SqlStore.Options(SchemaMode.CREATE, null, false)));
      }
      int definition = stores.getFirst().definitions().save("type", 1, "hash", "{}").id();
      return new Scene(name, database, stores, definition);
    }

    ContinuousStore node(int i) {
      return stores.get(i).role(ContinuousStore.class);
    }

    long register(String group) {
      return stores
          .getFirst()
          .executors()
          .register(
              new ExecutorInfo.Identity(
                  "host", ProcessHandle.current().pid(), group, List.of(definition), "1.0"),
              Duration.ofHours(1));
    }

    @Override
    public void close() {
      stores.forEach(Store::close);
      database.close();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Scene> scenes() {
    return Stream.of(
        Scene.on("H2", TestDatabase.h2()), Scene.on("PostgreSQL", TestDatabase.postgres(2)));
  }

  private final Scene scene;

  ContinuousRaceTest(Scene scene) {
    this.scene = scene;
  }

  private void register(String group, List<String> names) {
    scene
        .node(0)
        .register(
            names.stream()
                .map(name ->
                    new Registration(
                        new StoredContinuousWorkflow.Identity(name, group, "type", "{}"), true))
                .toList());
  }

  private StoredContinuousWorkflow running(String name, long executor) {
    register(name, List.of(name));
    return scene.node(0).claim(executor, List.of(name)).getFirst();
  }

  private static Owner owner(StoredContinuousWorkflow workflow) {
    return new Owner(
        workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
  }

  /** Returns a fire whose execution is held by no executor and is never due. */
  private TriggerFire event(StoredContinuousWorkflow workflow, long generation, String key) {
    Origin origin = new Origin("type", 1, workflow.name(), 4, null, key, null);
    return new TriggerFire(
        owner(workflow),
        generation,
        key,
        new NewInstance(origin, scene.definition, "begin", null, Map.of(), new Due.Never(), null),
        null);
  }

  @Test
  void eachWorkflowIsClaimedOnce() throws Exception {
    List<String> names = IntStream.range(0, WORKFLOWS).mapToObj("claim-%04d"::formatted).toList();
    register("claims", names);
    List<Long> executors =
        IntStream.range(0, NODES).mapToObj(i -> scene.register("claims")).toList();

    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      List<List<String>> claimed =
          raceRunner.race(i ->
              () -> {
                List<String> mine = new ArrayList<>();
                while (true) {
                  List<String> unowned = scene.node(i).unowned("claims", executors.get(i), AT_ONCE);
                  if (unowned.isEmpty()) {
                    return mine;
                  }
                  scene.node(i).claim(executors.get(i), unowned).forEach(w -> mine.add(w.name()));
                }
              });

      assertThat(claimed.stream().flatMap(List::stream).sorted().toList()).isEqualTo(names);
      Set<String> owned = new TreeSet<>();
      for (int i = 0; i < NODES; i++) {
        assertThat(scene.node(0).owned(executors.get(i)).keySet())
            .containsExactlyInAnyOrderElementsOf(claimed.get(i));
        assertThat(scene.node(0).owned(executors.get(i)).values()).allMatch(epoch -> epoch == 1);
        owned.addAll(claimed.get(i));
      }
      assertThat(owned).hasSize(WORKFLOWS);
    }
  }

  @Test
  void anEventAndAContinuationExcludeEachOther() throws Exception {
    StoredContinuousWorkflow workflow = running("ever", scene.register("ever"));
    long executor = workflow.ownership().executorId();
    int fired = 0;
    int continued = 0;
    long generation = 1;
    scene.database.execute(
        "UPDATE millrace_continuous_workflow SET iteration_count = 1 WHERE name = 'ever'");
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < ROUNDS || fired == 0 || continued == 0; round++) {
        TriggerFire event = event(workflow, generation, "event-" + round);
        List<Object> results =
            raceRunner.race(
                () -> RaceRunner.patiently(() -> scene.node(0).fire(event)),
                () -> scene.node(1).continueAsNew(executor, List.of(), Duration.ZERO, "RACE"));
        boolean started = results.get(0) instanceof FireResult.Started;
        boolean next = !((List<?>) results.get(1)).isEmpty();
        assertThat(started).as("round %d: %s", round, results).isNotEqualTo(next);
        if (started) {
          fired++;
          scene.database.execute(
              "UPDATE millrace_instance SET status = 'finished', ended_at = created_at WHERE ended_at IS NULL AND executor_group = 'ever'");
          assertThat(scene.node(0).acknowledgeEnded(executor, List.of())).hasSize(1);
        } else {
          continued++;
          generation++;
          scene.database.execute(
              "UPDATE millrace_continuous_workflow SET iteration_count = 1 WHERE name = 'ever'");
        }
      }
    }
    StoredContinuousWorkflow last = scene.node(0).find("ever").orElseThrow();
    assertThat(last.activity().fires()).isEqualTo(fired);
    assertThat(last.run().generation()).isEqualTo(1 + continued);
    assertThat(fired).isPositive();
    assertThat(continued).isPositive();
    assertThat(
            scene.database.number(
                "SELECT count(*) FROM millrace_instance WHERE executor_group = 'ever'"))
        .isEqualTo(fired);
  }

  @Test
  void anEventAndARecoveryExcludeEachOther() throws Exception {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < SMALL_ROUNDS; round++) {
        String name = "dying-" + round;
        long executor = scene.register(name);
        long heir = scene.register(name);
        StoredContinuousWorkflow workflow = running(name, executor);
        scene.database.execute(
            "UPDATE millrace_executor SET expires_at = started_at - INTERVAL '1' SECOND WHERE id = "
                + executor);
        raceRunner.race(
            () -> RaceRunner.patiently(() -> scene.node(0).fire(event(workflow, 1, "event"))),
            () -> scene.stores.get(1).executors().recover(executor, heir, 10, 5));

        StoredContinuousWorkflow second = scene.node(1).claim(heir, List.of(name)).getFirst();
        assertThat(second.ownership().epoch()).isEqualTo(2);
        assertThat(scene.node(0).fire(event(workflow, 1, "late")))
            .isEqualTo(new FireResult.NotOwner());
        assertThat(
                scene.database.number(
                    "SELECT count(*) FROM millrace_instance WHERE executor_group = '" + name + "'"))
            .isEqualTo(second.activity().executionId() == null ? 0 : 1);
      }
    }
  }

  @Test
  void aClaimAndAStopLeaveNothingBehind() throws Exception {
    try (RaceRunner raceRunner = new RaceRunner(2)) {
      for (int round = 0; round < SMALL_ROUNDS; round++) {
        String name = "leaving-" + round;
        long executor = scene.register(name);
        register(name, List.of(name));
        raceRunner.race(
            () -> scene.node(0).claim(executor, List.of(name)),
            () -> {
              scene.stores.get(1).executors().markStopped(executor);
              return name;
            });
        assertThat(scene.node(0).owned(executor)).isEmpty();
      }
    }
  }

  @Test
  void anOfferIsKeptOnce() throws Exception {
    register("offers", List.of("offered"));
    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      for (int round = 0; round < SMALL_ROUNDS; round++) {
        String key = "key-" + round;
        List<OfferResult> results =
            raceRunner.race(i -> () -> scene.node(i).offer("offered", key, "{}", 1_000));
        assertThat(results).containsOnlyOnce(OfferResult.KEPT).contains(OfferResult.KNOWN);
      }
    }
    assertThat(scene.node(0).offeredEvents("offered", 1_000)).hasSize(SMALL_ROUNDS);
  }

  @Test
  void manyNodesMayRegisterTheSame() throws Exception {
    try (RaceRunner raceRunner = new RaceRunner(NODES)) {
      for (int round = 0; round < 20; round++) {
        List<String> names =
            List.of("new-" + round + "-c", "new-" + round + "-a", "new-" + round + "-b");
        raceRunner.race(i ->
            () -> {
              register("new", i % 2 == 0 ? names : names.reversed());
              return i;
            });
        assertThat(scene.node(0).log(names.getFirst(), null, 10)).hasSize(1);
      }
    }
  }
}
