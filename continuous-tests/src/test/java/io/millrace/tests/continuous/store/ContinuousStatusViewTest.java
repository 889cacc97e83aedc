package io.millrace.tests.continuous.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.StartSpec;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.OperatorAction;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.ContinuousStore.TriggerFailure;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the SQL view of continuous workflows. */
class ContinuousStatusViewTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @ValueSource(strings = {"H2", "POSTGRES"})
  void hasTheStateOfEachWorkflow(String kind) {
    try (TestDatabase database = kind.equals("H2") ? TestDatabase.h2() : TestDatabase.postgres();
        Store store =
            SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false))) {
      ContinuousStore continuous = store.role(ContinuousStore.class);
      int definition = store.definitions().save("type", 1, "hash", "{}").id();
      long executor =
          store
              .executors()
              .register(
                  new ExecutorInfo.Identity("here", 7, "group", List.of(definition), "1.0"), HOUR);
      register(continuous, false, "disabled");
      register(
          continuous,
          true,
          "backs off",
          "crashes",
          "crashes still",
          "down",
          "runs",
          "stops",
          "waits");
      List<StoredContinuousWorkflow> claimed =
          continuous.claim(
              executor, List.of("backs off", "crashes", "crashes still", "runs", "stops", "waits"));
      continuous.recordFailure(owner(claimed.get(0)), new TriggerFailure("broken", 1, HOUR, false));
      continuous.recordFailure(owner(claimed.get(1)), new TriggerFailure("broken", 9, HOUR, true));
      continuous.recordFailure(
          owner(claimed.get(2)), new TriggerFailure("broken", 9, Duration.ZERO, true));
      assertThat(continuous.claim(executor, List.of("crashes still"))).hasSize(1);
      continuous.setEnabled("stops", false, OperatorAction.by("ann"));
      continuous.fire(
          new TriggerFire(
              owner(claimed.get(3)),
              1,
              null,
              new StartSpec("type", "group", definition).build(),
              null));

      assertThat(
              database.lines(
                  "SELECT name || ': ' || state FROM millrace_continuous_status ORDER BY name"))
          .containsExactly(
              "backs off: backingOff",
              "crashes: crashLoop",
              "crashes still: crashLoop",
              "disabled: disabled",
              "down: down",
              "runs: running",
              "stops: stopping",
              "waits: waiting")
          .isEqualTo(
              continuous.list(Filter.ALL, null, 100).stream()
                  .map(row -> row.name() + ": " + row.state().code())
                  .toList());
      assertThat(
              database.lines(
                  "SELECT name FROM millrace_continuous_status WHERE host = 'here' ORDER BY name"))
          .containsExactly("crashes still", "runs", "stops", "waits");
    }
  }

  private static void register(ContinuousStore continuous, boolean enabled, String... names) {
    for (String name : names) {
      continuous.register(
          List.of(
              new Registration(
                  new StoredContinuousWorkflow.Identity(name, "group", "type", "{}"), enabled)));
    }
  }

  private static Owner owner(StoredContinuousWorkflow workflow) {
    return new Owner(
        workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
  }
}
