package io.millrace.tests.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.Admin;
import io.millrace.Engine;
import io.millrace.continuous.Rollout;
import io.millrace.continuous.RolloutRequest;
import io.millrace.fixtures.ChildJvm;
import io.millrace.fixtures.ConditionPoller;
import io.millrace.fixtures.TestDatabase;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StopReason;
import io.millrace.store.ContinuousStore.Filter;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.StoredContinuousWorkflow;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests that replace three processes on PostgreSQL one after another, while clients with open
 * connections start work on all of them and continuous workflows fire. The test is their supervisor
 * and their load balancer.
 */
@Timeout(400)
@Tag("kills")
class RollingRecycleTest {

  private static final int NODES = 3;
  private static final int CLIENTS = 3;
  private static final OperatorAction ANN = OperatorAction.by("ann", "memory");

  /**
   * Pause between two polls, or two requests of a client, so that the test leaves the processors to
   * the nodes.
   */
  private static final long REST_MILLIS = 5;

  private final TestDatabase database = TestDatabase.postgres(8);
  private final List<Place> places = new ArrayList<>();
  private final List<Throwable> faults = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger accepted = new AtomicInteger();

  /** A node, in which one process after another runs. */
  private final class Place {
    private final String name;

    /**
     * Lock held for reading by requests: a load balancer sends nothing to a node that is being
     * replaced.
     */
    private final ReadWriteLock service = new ReentrantReadWriteLock();

    private ChildJvm process;
    private URI address;
    private int replaced;

    Place(String name) throws IOException {
      this.name = name;
      this.process = ChildJvm.start(RecycledNode.class, database.url(), name);
    }

    void awaitAnswering() throws InterruptedException {
      String line = process.await(1, RecycledNode.LISTENS).getFirst();
      address =
          URI.create("http://127.0.0.1:" + line.substring(RecycledNode.LISTENS.length()) + "/");
    }

    /** Returns false if the node is out of service. */
    boolean start(HttpClient client, String key) throws IOException, InterruptedException {
      if (!service.readLock().tryLock()) {
        return false;
      }
      try {
        HttpResponse<String> answer =
            client.send(
                HttpRequest.newBuilder(address)
                    .POST(HttpRequest.BodyPublishers.ofString(key))
                    .timeout(Duration.ofMinutes(1))
                    .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        accepted.incrementAndGet();
        return true;
      } finally {
        service.readLock().unlock();
      }
    }

    /**
     * Replaces the process if its executor has left; other nodes serve requests in the meantime.
     */
    void supervise(StopReason why) throws IOException, InterruptedException {
      if (process.seen().stream().noneMatch(line -> line.startsWith(RecycledNode.RETIRED))) {
        return;
      }
      service.writeLock().lock();
      try {
        assertThat(process.seen()).contains(RecycledNode.RETIRED + why);
        process.tell("END");
        assertThat(process.exitCode()).isZero();
        process = ChildJvm.start(RecycledNode.class, database.url(), name);
        awaitAnswering();
        replaced++;
      } finally {
        service.writeLock().unlock();
      }
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  @AfterEach
  void close() {
    over.countDown();
    places.forEach(place -> place.process.close());
    database.close();
  }

  private void until(CountDownLatch ended, Work work) {
    Thread.ofPlatform()
        .start(() -> {
          try {
            while (!over.await(REST_MILLIS, TimeUnit.MILLISECONDS)) {
              work.run();
            }
          } catch (Throwable e) {
            synchronized (faults) {
              faults.add(e);
            }
          } finally {
            ended.countDown();
          }
        });
  }

  private Work client(int number) {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    AtomicInteger sent = new AtomicInteger();
    AtomicInteger turn = new AtomicInteger(number);
    return () -> {
      String key = "client-" + number + "-" + sent.getAndIncrement();
      while (!places.get(turn.getAndIncrement() % NODES).start(client, key)) {
        Thread.onSpinWait();
      }
    };
  }

  /**
   * The nodes are replaced by a recycle and by a plain rollout.
   *
   * @param release reason for the release of continuous workflows, as their logs state it
   */
  @ParameterizedTest
  @CsvSource({"RECYCLE, RECYCLE", "ROLLOUT, DEPLOY"})
  void noStartFailsAndNoEventIsLostOrDoubled(StopReason why, String release) throws Exception {
    for (int i = 0; i < NODES; i++) {
      places.add(new Place("node-" + i));
    }
    for (Place place : places) {
      place.awaitAnswering();
    }
    try (Engine watching =
        Engine.builder()
            .dataSource(database.pool())
            .settings(s -> s.runsInstances(false))
            .start()) {
      awaitFires(watching);
      AtomicInteger mostAway = new AtomicInteger();
      CountDownLatch ended = new CountDownLatch(CLIENTS + 2);
      for (int i = 0; i < CLIENTS; i++) {
        until(ended, client(i));
      }
      until(
          ended,
          () -> {
            for (Place place : places) {
              place.supervise(why);
            }
          });
      until(ended, () -> mostAway.accumulateAndGet(away(watching), Math::max));
      RolloutRequest all = RolloutRequest.all().minReady(Duration.ofMillis(500));
      RolloutRequest request = why == StopReason.RECYCLE ? all.recycle() : all;
      Rollout rollout = awaitEnd(watching, watching.admin().rollouts().start(request, ANN));
      over.countDown();
      assertThat(ended.await(2, TimeUnit.MINUTES)).isTrue();

      assertThat(faults).isEmpty();
      assertThat(rollout.phase()).as(rollout.why()).isEqualTo(Rollout.Phase.COMPLETED);
      assertThat(rollout.nodes()).containsExactly("node-0", "node-1", "node-2");
      assertThat(places).extracting(place -> place.replaced).containsOnly(1);
      assertThat(mostAway.get()).isEqualTo(1);
      checkStarts();
      checkEvents(watching, release);
    }
  }

  /** Returns the number of live executors that are leaving. */
  private static int away(Engine watching) {
    return (int)
        watching.admin().executors().stream()
            .filter(one -> one.liveness() == Admin.Liveness.ALIVE)
            .filter(one -> one.executor().state() != ExecutorState.ACTIVE)
            .count();
  }

  private static void awaitFires(Engine watching) throws Exception {
    ConditionPoller.await(
        "all workflows have fired",
        () ->
            watching.continuous().list(Filter.ALL, null, 100).stream()
                    .filter(row -> row.activity().fires() > 0)
                    .count()
                >= RecycledNode.WORKFLOWS);
  }

  private Rollout awaitEnd(Engine watching, long id) {
    Rollout now = watching.admin().rollouts().get(id);
    while (!now.phase().isTerminal() && now.phase() != Rollout.Phase.PAUSED && faults.isEmpty()) {
      watching.client().await(id, Duration.ofSeconds(1));
      now = watching.admin().rollouts().get(id);
    }
    return now;
  }

  private void checkStarts() throws Exception {
    awaitZero("SELECT count(*) FROM millrace_instance WHERE type = 'job' AND status <> 'finished'");
    assertThat(accepted.get()).isPositive();
    assertThat(
            database.number(
                "SELECT count(DISTINCT external_id) FROM millrace_instance WHERE type = 'job'"))
        .isEqualTo(accepted.get());
    assertOnlyExecuted(RecycledNode.JOB);
  }

  private void checkEvents(Engine watching, String release) throws Exception {
    for (int i = 0; i < RecycledNode.WORKFLOWS; i++) {
      watching.continuous().disable("count" + i, ANN);
    }
    awaitZero("SELECT count(*) FROM millrace_continuous_workflow WHERE executor_id IS NOT NULL");
    awaitZero(
        "SELECT count(*) FROM millrace_instance WHERE type LIKE 'count%' AND status <> 'finished'");
    for (int i = 0; i < RecycledNode.WORKFLOWS; i++) {
      String name = "count" + i;
      StoredContinuousWorkflow row = watching.continuous().get(name);
      long fires = row.activity().fires();
      String executions = " FROM millrace_instance WHERE type = '" + name + "'";
      String number = "CAST(split_part(external_id, '|n', 2) AS integer)";
      assertThat(fires).isPositive();
      assertThat(database.number("SELECT count(*)" + executions)).isEqualTo(fires);
      assertThat(database.number("SELECT count(DISTINCT " + number + ")" + executions))
          .isEqualTo(fires);
      assertThat(database.number("SELECT max(" + number + ")" + executions)).isEqualTo(fires);
      List<LogEntry> log = watching.continuous().log(name, null, 100);
      assertThat(log).extracting(LogEntry::type).doesNotContain(LogEntryType.LOST);
      assertThat(log)
          .filteredOn(entry -> entry.type() == LogEntryType.RELEASED)
          .extracting(LogEntry::reason)
          .contains(release);
    }
    assertOnlyExecuted("count%");
  }

  /** Asserts that nothing was recovered, released or retried. */
  private void assertOnlyExecuted(String type) {
    assertThat(
            database.lines(
                "SELECT a.type FROM millrace_history a JOIN millrace_instance w ON w.id ="
                    + " a.instance_id WHERE a.type <> 'stateExecution' AND w.type LIKE '"
                    + type
                    + "'"))
        .as(type)
        .isEmpty();
  }

  private void awaitZero(String count) throws Exception {
    ConditionPoller.await("none is left: " + count, () -> database.number(count) == 0);
  }
}
