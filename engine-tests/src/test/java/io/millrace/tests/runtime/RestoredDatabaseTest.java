package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.Proxies;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.store.InstanceStore;
import io.millrace.store.Store;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import io.millrace.tests.support.CapturedLog;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of a restored database, whose sequences may assign the id of a running executor again. That
 * executor then leaves the row and all its leases to the process that got the id.
 */
@Timeout(300)
@Tag("races")
class RestoredDatabaseTest {

  private static final String WARNING = "belongs to another process";

  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();

  private static TestDatabase database(String kind) {
    return kind.equals("h2") ? TestDatabase.h2() : TestDatabase.postgres();
  }

  /** Returns a workflow whose first run ends only when the test lets it. */
  private WorkflowDefinition slow() {
    return WorkflowDefinition.of("slow")
        .start(
            "work",
            ctx -> {
              if (runs.incrementAndGet() == 1) {
                began.countDown();
                boolean interrupted = false;
                while (release.getCount() > 0) {
                  try {
                    release.await();
                  } catch (InterruptedException e) {
                    interrupted = true;
                  }
                }
                return Next.done(interrupted ? "interrupted" : "first");
              }
              return Next.done("second");
            })
        .build();
  }

  private Engine engine(Store store) {
    return Engine.builder()
        .store(store)
        .workflows(slow())
        .settings(settings ->
            settings
                .concurrency(2)
                .lease(Duration.ofSeconds(3), Duration.ofMillis(200))
                .drainGrace(Duration.ofSeconds(1)))
        .start();
  }

  /** Assigns the row of an executor to another process, as if its id had been assigned again. */
  private static void takeOver(TestDatabase database, long executor) {
    database.execute(
        "UPDATE millrace_executor SET incarnation = 'another', drain_grace_micros = 77, expires_at ="
            + " expires_at + INTERVAL '2' SECOND WHERE id = "
            + executor);
  }

  private static void awaitAnotherId(Engine engine, long executor) throws Exception {
    ConditionPoller.await(
        "the engine has another executor id",
        () -> Objects.requireNonNull(engine.executorId()) != executor);
  }

  private static long executorOf(Engine engine) {
    return Objects.requireNonNull(engine.executorId());
  }

  private static int count(String text, String part) {
    return text.split(part, -1).length - 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void anExecutorWhoseIdWasReusedDropsItsLeases(String kind) throws Exception {
    try (TestDatabase database = database(kind);
        CapturedLog log = new CapturedLog()) {
      long executor;
      long id;
      try (Engine engine =
          engine(
              SqlStore.open(
                  database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false)))) {
        executor = executorOf(engine);
        id = engine.client().start(StartRequest.of("slow")).id();
        began.await();

        takeOver(database, executor);
        awaitAnotherId(engine, executor);
        release.countDown();
        engine.client().await(id, Duration.ofSeconds(60));

        assertThat(engine.client().get(id).position().reason()).isEqualTo("second");
        assertThat(runs).hasValue(2);
        assertThat(count(log.text(), WARNING)).isEqualTo(1);
      }
      assertThat(
              database.number(
                  "SELECT COUNT(*) FROM millrace_executor WHERE stopped_at IS NULL AND id = "
                      + executor))
          .as("the row of the other process was not stopped")
          .isEqualTo(1);
      assertThat(
              database.number(
                  "SELECT COUNT(*) FROM millrace_history WHERE type = 'stateExecution'"
                      + " AND executor_id = "
                      + executor))
          .isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"h2", "postgresql"})
  void aResultThatWaitsToBeSavedIsDroppedToo(String kind) throws Exception {
    try (TestDatabase database = database(kind)) {
      CountDownLatch reachable = new CountDownLatch(1);
      CountDownLatch refused = new CountDownLatch(1);
      SqlStore store =
          SqlStore.open(database.pool(), new SqlStore.Options(SchemaMode.CREATE, null, false));
      InstanceStore work =
          Proxies.proxy(
              InstanceStore.class,
              (method, args) -> {
                if (method.getName().equals("save") && reachable.getCount() > 0) {
                  refused.countDown();
                  throw new StoreException("The test lets no save through", false, null);
                }
                return Proxies.invoke(store.instances(), method, args);
              });
      Store around =
          Proxies.proxy(
              Store.class,
              (method, args) ->
                  method.getName().equals("instances")
                      ? work
                      : Proxies.invoke(store, method, args));
      try (Engine engine = engine(around)) {
        long executor = executorOf(engine);
        long id = engine.client().start(StartRequest.of("slow")).id();
        began.await();
        release.countDown();
        refused.await();

        takeOver(database, executor);
        awaitAnotherId(engine, executor);
        reachable.countDown();
        engine.client().await(id, Duration.ofSeconds(60));

        assertThat(engine.client().get(id).position().status()).isEqualTo(InstanceStatus.FINISHED);
        assertThat(engine.client().get(id).position().reason()).isEqualTo("second");
      }
    }
  }
}
