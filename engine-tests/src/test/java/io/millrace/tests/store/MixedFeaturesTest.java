package io.millrace.tests.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.fixtures.TestDatabase;
import io.millrace.fixtures.store.StoredSequenceSpec;
import io.millrace.instance.Due;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorStore.CommandResult;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of two stores on one database, one with the tables of all features and one that was opened
 * before these existed, with the tables of the core alone.
 */
class MixedFeaturesTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final OperatorAction BY = OperatorAction.by("ann");

  private final AtomicReference<Instant> time =
      new AtomicReference<>(Instant.parse("2026-03-01T00:00:00Z"));

  /** A store with the tables of the core, and one with those of all features. */
  private record Stores(TestDatabase database, Store core, Store all) implements AutoCloseable {
    @Override
    public void close() {
      core.close();
      all.close();
      database.close();
    }
  }

  private Stores open(String kind) {
    TestDatabase database =
        kind.equals("h2") ? TestDatabase.emptyH2() : TestDatabase.emptyPostgres(4);
    SqlStore.Options options = new SqlStore.Options(SchemaMode.CREATE, time::get, false);
    Store core = SqlStore.open(database.pool(), options, List.of());
    return new Stores(database, core, SqlStore.open(database.pool(), options));
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void aStoreWithoutTheFeatureRemovesNoInstance(String kind) {
    try (Stores stores = open(kind)) {
      long execution = StoredSequenceSpec.addAndFire(stores.all, time.get());
      end(stores, InstanceStatus.FINISHED);
      passes(DAY);

      assertThat(stores.core.retention().archive(HOUR, 10)).isZero();
      assertThat(stores.core.retention().delete(HOUR, 10)).isZero();
      assertThat(stores.core.retention().overdue(HOUR)).isPresent();

      assertThat(stores.all.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);
      assertThat(stores.all.role(SequenceStore.class).find("w").orElseThrow().last().status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(stores.core.retention().archive(HOUR, 10)).isZero();
      assertThat(stores.all.retention().archive(HOUR, 10)).isEqualTo(1);
      assertThat(stores.core.queries().find(execution)).isEmpty();
      passes(DAY);
      assertThat(stores.core.retention().deleteArchived(HOUR, 10)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void aStoreWithoutTheFeatureRetriesAndMovesNoInstance(String kind) {
    try (Stores stores = open(kind)) {
      long execution = StoredSequenceSpec.addAndFire(stores.all, time.get());
      end(stores, InstanceStatus.FAILED);
      stores.all.role(SequenceStore.class).recordEnds(10);
      OperatorCommand.Move move =
          new OperatorCommand.Move("other", InstanceStatus.IN_PROGRESS, Due.NOW, null, null);

      assertThat(stores.core.operators().apply(execution, new OperatorCommand.Retry(), BY))
          .isEqualTo(
              new CommandResult.Refused(
                  "The command 'retry' for instance "
                      + execution
                      + " is refused: the database has tables of the features continuous, data,"
                      + " sequences, which this engine has not, and which may have to know that the"
                      + " instance goes on. Use an engine or a server with these features.",
                  false));
      assertThat(stores.core.operators().apply(execution, move, BY))
          .isInstanceOf(CommandResult.Refused.class);
      assertThat(stores.all.role(SequenceStore.class).find("w").orElseThrow().last().endRecorded())
          .isTrue();

      assertThat(stores.all.operators().apply(execution, new OperatorCommand.Retry(), BY))
          .isInstanceOf(CommandResult.Applied.class);
      assertThat(stores.all.role(SequenceStore.class).find("w").orElseThrow().last().endRecorded())
          .isFalse();
      assertThat(stores.core.operators().apply(execution, new OperatorCommand.Cancel(), BY))
          .isInstanceOf(CommandResult.Applied.class);
      assertThat(stores.all.role(SequenceStore.class).recordEnds(10)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql", "h2"})
  void whatAStoreWithoutTheFeatureRecoversIsHandedOverLater(String kind) {
    try (Stores stores = open(kind)) {
      long dead = register(stores.all);
      long forgotten = register(stores.all);
      own(stores.all, dead, "a");
      own(stores.all, forgotten, "b");
      passes(DAY);
      long heir = register(stores.core);

      assertThat(stores.core.executors().expired("group")).containsExactly(dead, forgotten);
      assertThat(stores.core.executors().recover(dead, heir, 10, 5)).isEmpty();
      assertThat(stores.core.executors().recover(forgotten, heir, 10, 5)).isEmpty();
      assertThat(stores.core.executors().expired("group")).isEmpty();
      assertThat(stores.all.executors().expired("group")).containsExactly(dead, forgotten);

      stores.all.executors().recover(dead, heir, 10, 5);
      assertThat(owner(stores.all, "a")).isNull();
      assertThat(stores.all.executors().expired("group")).containsExactly(forgotten);

      passes(DAY);
      assertThat(stores.all.retention().deleteExecutors(HOUR, 1)).isEqualTo(1);
      assertThat(stores.all.executors().expired("group")).contains(forgotten);
      assertThat(stores.core.retention().deleteExecutors(HOUR, 10)).isEqualTo(1);
      assertThat(stores.all.executors().recoveredOwners("group")).containsExactly(forgotten);
      stores.all.executors().recover(forgotten, register(stores.all), 10, 5);
      assertThat(owner(stores.all, "b")).isNull();
    }
  }

  private void passes(Duration duration) {
    time.set(time.get().plus(duration));
  }

  private static long register(Store store) {
    return store
        .executors()
        .register(new ExecutorInfo.Identity("host", 1, "group", List.of(1), "1.0"), MINUTE);
  }

  private static void own(Store store, long executor, String name) {
    StoredContinuousWorkflow.Identity identity =
        new StoredContinuousWorkflow.Identity(name, "group", "type", "{}");
    store.role(ContinuousStore.class).register(List.of(new Registration(identity, true)));
    assertThat(store.role(ContinuousStore.class).claim(executor, List.of(name))).hasSize(1);
  }

  private static Long owner(Store store, String name) {
    return store.role(ContinuousStore.class).find(name).orElseThrow().ownership().executorId();
  }

  private static void end(Stores stores, InstanceStatus status) {
    stores.database.execute(
        "UPDATE millrace_instance SET status = '"
            + status.code()
            + "', next_activation_at = NULL, ended_at = created_at");
  }
}
