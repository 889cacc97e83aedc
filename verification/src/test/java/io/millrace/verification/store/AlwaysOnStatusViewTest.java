package io.millrace.verification.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.Deed;
import io.millrace.instance.ExecutorInfo;
import io.millrace.store.AlwaysOn;
import io.millrace.store.AlwaysOn.Desired;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AlwaysOnStore.Failure;
import io.millrace.store.AlwaysOnStore.Owner;
import io.millrace.store.AlwaysOnStore.Registration;
import io.millrace.store.AlwaysOnStore.TriggerFire;
import io.millrace.store.Store;
import io.millrace.store.sql.SqlStore;
import io.millrace.verification.support.TestDatabase;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people read of continuous workflows with SQL. */
@Timeout(60)
class AlwaysOnStatusViewTest {

  private static final Duration HOUR = Duration.ofHours(1);

  @ParameterizedTest
  @ValueSource(strings = {"H2", "POSTGRES"})
  void tellsHowEachWorkflowIs(String kind) {
    try (TestDatabase database = kind.equals("H2") ? TestDatabase.h2() : TestDatabase.postgres();
        Store store = SqlStore.open(database.pool(), new SqlStore.Options(true, null, false))) {
      AlwaysOnStore alwaysOn = store.alwaysOn();
      int definition = store.definitions().save("type", 1, "hash", "{}").id();
      long executor =
          store
              .executors()
              .register(
                  new ExecutorInfo.Identity("here", 7, "group", List.of(definition), "1.0"), HOUR);
      register(alwaysOn, Desired.OFF, "off");
      register(alwaysOn, Desired.ON, "backs off", "crashes", "down", "stops", "waits", "works");
      List<AlwaysOn> claimed =
          alwaysOn.claim(executor, List.of("backs off", "crashes", "stops", "waits", "works"));
      alwaysOn.failed(owner(claimed.get(0)), new Failure("broken", 1, HOUR, false));
      alwaysOn.failed(owner(claimed.get(1)), new Failure("broken", 9, HOUR, true));
      alwaysOn.desire("stops", Desired.OFF, Deed.by("ann"));
      alwaysOn.fire(
          new TriggerFire(
              owner(claimed.get(4)),
              1,
              null,
              new StartSpec("type", "group", definition).build(),
              null));

      assertThat(
              database.lines(
                  "SELECT name || ': ' || state FROM millrace_always_on_status ORDER BY name"))
          .containsExactly(
              "backs off: backingOff",
              "crashes: crashLoop",
              "down: down",
              "off: off",
              "stops: stopping",
              "waits: waiting",
              "works: working");
      assertThat(
              database.lines(
                  "SELECT name FROM millrace_always_on_status WHERE host = 'here' ORDER BY name"))
          .containsExactly("stops", "waits", "works");
    }
  }

  private static void register(AlwaysOnStore alwaysOn, Desired desired, String... names) {
    for (String name : names) {
      alwaysOn.register(
          List.of(new Registration(new AlwaysOn.Identity(name, "group", "type", "{}"), desired)));
    }
  }

  private static Owner owner(AlwaysOn workflow) {
    return new Owner(
        workflow.name(), workflow.ownership().executorId(), workflow.ownership().epoch());
  }
}
