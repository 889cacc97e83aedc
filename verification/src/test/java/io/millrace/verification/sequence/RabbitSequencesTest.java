package io.millrace.verification.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of task sequences on a real database and a real broker. */
@Timeout(300)
@Tag("brokers")
class RabbitSequencesTest {

  private static final OperatorAction BY_ANN = OperatorAction.by("ann", "because");
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final List<String> TASKS = List.of("KPI", "PDF", "EMAIL");

  private final TestDatabase database = TestDatabase.postgres();
  private final String mark = UUID.randomUUID().toString();
  private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();
  private final CountDownLatch oneRan = new CountDownLatch(1);
  private final CountDownLatch otherRan = new CountDownLatch(1);

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    database.close();
  }

  /** The body of a task on a node. */
  private interface Work {
    void run(TaskContext task) throws Exception;
  }

  private Engine node(String uri, Work work) {
    HikariDataSource pool = database.open(8);
    open.add(pool);
    RabbitTransport transport = RabbitTransport.open(RabbitSettings.of(uri));
    open.add(transport);
    var builder =
        Engine.builder()
            .dataSource(pool)
            .settings(s -> s.concurrency(2).queueSize(0).channelPatience(LIMIT))
            .channels(transport);
    for (String name : TASKS) {
      builder.task(
          Task.of(name, "Report").channel(name + "." + mark),
          task -> {
            runs.computeIfAbsent(task.executionId() + " " + name, key -> new AtomicInteger())
                .incrementAndGet();
            work.run(task);
          });
    }
    Engine engine = builder.start();
    open.add(engine);
    return engine;
  }

  private List<Long> start(Engine engine, String prefix, int sequences) {
    List<Long> executions = new ArrayList<>();
    for (int i = 0; i < sequences; i++) {
      TaskSequence sequence =
          TaskSequence.of(prefix + i, "Report", Schedule.of(Frequency.DAILY)).active(false);
      for (String name : TASKS) {
        sequence = sequence.task(name);
      }
      engine.sequences().add(sequence);
      executions.add(engine.sequences().run(prefix + i, Map.of(), BY_ANN));
    }
    return executions;
  }

  private void assertEachRanOnce(Engine engine, List<Long> executions) {
    for (long execution : executions) {
      assertThat(engine.client().await(execution, LIMIT).status())
          .as("execution %d", execution)
          .isEqualTo(InstanceStatus.FINISHED);
      for (String name : TASKS) {
        assertThat(runs.get(execution + " " + name)).hasValue(1);
      }
    }
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void twoNodesShareTheQueues() {
    String uri = System.getenv("MILLRACE_TEST_RABBITMQ_URI");
    Engine one =
        node(
            uri,
            task -> {
              oneRan.countDown();
              await(otherRan);
            });
    node(
        uri,
        task -> {
          otherRan.countDown();
          await(oneRan);
        });

    assertEachRanOnce(one, start(one, "Shared_", 20));
  }

  @Test
  void theProgramOfThePageHandsOverByMessage() {
    String uri = System.getenv("MILLRACE_TEST_RABBITMQ_URI");
    HikariDataSource pool = database.open(4);
    // docs:channels
    RabbitTransport transport = RabbitTransport.open(RabbitSettings.of(uri));
    Engine engine =
        Engine.builder()
            .dataSource(pool)
            .channels(transport)
            .sequences(SequenceSettings.defaults().maxTaskRetries(5))
            .task(
                Task.of("COUNT", "Orders").channel("ORDERS.COUNT"),
                task -> task.setResult("orders", 1_250))
            .start();
    // docs:end
    open.add(pool);
    open.add(transport);
    open.add(engine);
    engine
        .sequences()
        .add(TaskSequence.of("Orders", "Orders", Schedule.of(Frequency.DAILY)).task("COUNT"));
    long execution = engine.sequences().run("Orders", Map.of(), BY_ANN);
    assertThat(engine.client().await(execution, LIMIT).status()).isEqualTo(InstanceStatus.FINISHED);
    assertThat(engine.sequences().history("Orders", null, 10).items())
        .singleElement()
        .satisfies(visit -> assertThat(visit.status()).isEqualTo("COMPLETED"));
  }
}
