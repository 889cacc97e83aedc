package io.millrace.tests.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.LoopFailure;
import io.millrace.lifecycle.LoopSupervisor;
import io.millrace.store.StoreException;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlDoctor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that every thread of the engine that uses the database survives an Error. */
@Timeout(300)
@Tag("races")
class LoopFaultsTest {

  private static final List<String> LOOPS =
      List.of(
          "millrace-heartbeat",
          "millrace-dispatcher",
          "millrace-committer",
          "millrace-recovery",
          "millrace-progress",
          "millrace-steps",
          "millrace-hint-sender",
          "millrace-hint-listener",
          "millrace-starter");

  private final Set<String> struck = ConcurrentHashMap.newKeySet();
  private final Set<String> served = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean armed = new AtomicBoolean();

  /**
   * Returns a data source that throws an Error in place of each thread's first connection after the
   * start of the engine. The listener keeps its connection, so it gets the Error before that.
   */
  private DataSource faulty(DataSource target) {
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> {
              String thread = Thread.currentThread().getName();
              if (method.getName().equals("getConnection")
                  && (armed.get() || thread.equals("millrace-hint-listener"))
                  && thread.startsWith("millrace-")
                  && struck.add(thread)) {
                throw new NoClassDefFoundError("planted in " + thread);
              }
              if (struck.contains(thread)) {
                served.add(thread);
              }
              try {
                return method.invoke(target, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static WorkflowDefinition job(CountDownLatch reported) {
    return WorkflowDefinition.of("job")
        .start(
            "work",
            ctx -> {
              ctx.progress(1, 2, "half");
              reported.await();
              String result = ctx.once("step", String.class, () -> "stored");
              return Next.moveTo("rest", result);
            })
        .state("rest", ctx -> Next.done("rested"))
        .end("end")
        .build();
  }

  @Test
  void everyLoopSurvivesAnErrorAndTheDoctorTellsOfIt() throws Exception {
    CountDownLatch reported = new CountDownLatch(1);
    Instant begin = Instant.now();
    try (TestDatabase database = TestDatabase.emptyPostgres();
        Engine engine =
            Engine.builder()
                .dataSource(faulty(database.pool()))
                .workflows(job(reported))
                .settings(s -> s.lease(Duration.ofSeconds(10), Duration.ofMillis(200)))
                .start();
        Engine client =
            Engine.builder()
                .dataSource(database.pool())
                .workflows(job(reported))
                .settings(s -> s.runsInstances(false))
                .start()) {
      armed.set(true);
      long id = client.client().start(StartRequest.of("job")).id();
      ConditionPoller.await("progress was tried", () -> struck.contains("millrace-progress"));
      reported.countDown();
      client.client().await(id, Duration.ofSeconds(60));
      assertThat(client.client().get(id).status()).isEqualTo(InstanceStatus.FINISHED);
      assertThatThrownBy(() -> engine.client().start(StartRequest.of("job")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("planted");
      engine.poll();
      ConditionPoller.await("each loop has failed", () -> struck.containsAll(LOOPS));
      long second = engine.client().start(StartRequest.of("job")).id();
      assertThat(client.client().await(second, Duration.ofSeconds(60)).status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(LoopSupervisor.failures())
          .filteredOn(failure -> failure.last().isAfter(begin))
          .extracting(LoopFailure::loop)
          .containsAll(LOOPS);
      ConditionPoller.await(
          "each loop uses the database again",
          () -> {
            engine.poll();
            return served.containsAll(LOOPS);
          });
      ConditionPoller.await("the doctor tells of the dispatcher", () -> tells(database));
    }
  }

  private static boolean tells(TestDatabase database) {
    return SqlDoctor.examine(
            database.pool(), new SqlDoctor.Intent(SchemaMode.CREATE, 4), InstantSource.system())
        .stream()
        .anyMatch(check ->
            check.name().equals("loops")
                && check.level() == SqlDoctor.Level.WARN
                && check.finding().contains("millrace-dispatcher failed"));
  }
}
