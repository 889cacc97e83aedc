package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests of jobs whose worker died, with a settable clock: R17, R18, F1, F3, F3b, F7, F20, F21. */
class StalledJobRecoveryTest {

  private static final Duration GRACE = Duration.ofSeconds(30);

  private final AtomicLong nanos = new AtomicLong(1_000_000_000L);
  private final TestRedis server = new TestRedis();
  private final List<FlowEvent> events = new ArrayList<>();
  private final Queue queue =
      Queue.of(server.name("a"))
          .fields("n")
          .next(server.name("b"))
          .policy(QueuePolicy.standard().stallLimit(2).stallGrace(GRACE));
  private final Flow flow =
      Flow.of(server.name("flow"), queue, Queue.of(server.name("b")).fields("n"));
  private final WorkerFixture workerFixture = new WorkerFixture(server, flow);
  private final WorkerContext workerContext =
      new WorkerContext(
          server.redis(),
          JavaScriptJson.standard(),
          new EngineRuntime(clock(), new ThreadRunner(), new Random(1)),
          events::add);
  private final List<QueueRuntime> queueRuntimes =
      QueueKeys.allOf(flow).stream()
          .map(keys ->
              new QueueRuntime(
                  workerContext,
                  keys,
                  new ChildMonitor(workerContext),
                  new JobFinishWaiters(workerContext)))
          .toList();
  private final StalledJobRecovery stalledJobRecovery =
      new StalledJobRecovery(workerContext, queueRuntimes);
  private final QueueProtocol queueProtocol = queueRuntimes.getFirst().protocol();

  private EngineClock clock() {
    return new EngineClock() {
      @Override
      public Instant instant() {
        return Instant.ofEpochSecond(0, nanos.get());
      }

      @Override
      public long nanoTime() {
        return nanos.get();
      }
    };
  }

  private String id = "";

  @BeforeEach
  void job() {
    id = workerFixture.create("j-1", Map.of("n", "1"));
  }

  @AfterEach
  void close() {
    workerFixture.close();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Runs recovery twice, with the grace between. */
  private void recover() {
    stalledJobRecovery.tick();
    pass(GRACE);
    stalledJobRecovery.tick();
  }

  private void move() {
    server
        .redis()
        .call(
            "LMOVE",
            workerFixture.keys(0).waiting(),
            workerFixture.keys(0).processing(),
            "LEFT",
            "RIGHT");
  }

  private void die() {
    server.redis().call("DEL", workerFixture.keys(0).lock(id));
  }

  private static String why(List<FlowEvent> events) {
    return events.toString();
  }

  /** R17, F1: the lock expires, and the job waits again, before all others. */
  @Test
  void aJobWhoseWorkerDiedWaitsAgainBeforeTheOthers() {
    assertThat(queueProtocol.lease("dead")).isInstanceOf(LeaseResult.Leased.class);
    String other = workerFixture.create(2);
    recover();
    assertThat(workerFixture.waiting(0)).as("it is locked").isEqualTo(List.of(other));
    die();
    recover();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(id, other));
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(events).hasSize(1).first().isInstanceOf(FlowEvent.Recovered.class);
  }

  /** F16: a value of another type never expires, so it must not hold a job forever. */
  @Test
  void aLockOfAnotherTypeIsNobodys() {
    move();
    server.redis().call("RPUSH", workerFixture.keys(0).lock(id), "poison");
    recover();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(id));
    assertThat(server.redis().call("EXISTS", workerFixture.keys(0).lock(id))).isEqualTo(0L);
  }

  /** F3: a crash between the move and the lock. */
  @Test
  void aJobThatWasMovedAndNeverLockedWaitsAgain() {
    move();
    recover();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(id));
  }

  /** F3b: a worker that is slow to lock keeps its job; one check is never enough. */
  @Test
  void aWorkerThatIsSlowToLockKeepsItsJob() {
    move();
    pass(GRACE.multipliedBy(10));
    stalledJobRecovery.tick();
    assertThat(workerFixture.processing(0)).isEqualTo(List.of(id));
    pass(GRACE.minusMillis(1));
    stalledJobRecovery.tick();
    assertThat(workerFixture.processing(0)).isEqualTo(List.of(id));
    assertThat(queueProtocol.leaseMoved("slow", id, true)).isInstanceOf(LeaseResult.Leased.class);
    pass(GRACE);
    stalledJobRecovery.tick();
    assertThat(workerFixture.processing(0))
        .as("it is locked now: %s", why(events))
        .isEqualTo(List.of(id));
  }

  /** F3b: the grace restarts for an entry that was seen without a lock and then had one. */
  @Test
  void theGraceRestartsWhenALockWasSeen() {
    move();
    stalledJobRecovery.tick();
    queueProtocol.leaseMoved("w", id, true);
    pass(GRACE.dividedBy(2));
    stalledJobRecovery.tick();
    die();
    pass(GRACE.dividedBy(2));
    stalledJobRecovery.tick();
    assertThat(workerFixture.processing(0)).isEqualTo(List.of(id));
  }

  @Test
  void aJobThatAPauseReleasesAfterALostReplyHasNoLock() {
    queueProtocol.lease("w");
    assertThat(workerFixture.lock(0, id)).isNotNull();
    server.redis().call("SET", MillraceKeys.paused(queue.name()), "");

    assertThat(queueProtocol.leaseMoved("w", id, false)).isEqualTo(new LeaseResult.Paused());

    server.redis().call("DEL", MillraceKeys.paused(queue.name()));
    assertThat(workerFixture.lock(0, id)).isNull();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(queueProtocol.lease("other")).isInstanceOf(LeaseResult.Leased.class);
  }

  /** R18, F7: in the end it fails, with the bytes that a parent waits for. */
  @Test
  void aJobThatStallsTooOftenIsParkedAsFailed() {
    for (int i = 0; i < 3; i++) {
      assertThat(workerFixture.field(id, "failed")).isNull();
      queueProtocol.lease("dead");
      die();
      recover();
    }
    assertThat(workerFixture.waiting(0)).isEmpty();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.field(id, "done")).isEqualTo("true");
    assertThat(workerFixture.field(id, "failed")).isEqualTo("true");
    assertThat(workerFixture.field(id, "failedQueue")).isEqualTo('"' + queue.name() + '"');
    assertThat(workerFixture.field(id, "failedErrorMsg"))
        .contains(queue.name())
        .contains("3 times");
    assertThat(workerFixture.dead(0)).isEqualTo(List.of(id));
    assertThat(((FlowEvent.Recovered) events.getLast()).failed()).isTrue();
  }

  /** A job may come to the same queue again and again; stalls of earlier visits do not count. */
  @Test
  void aJobThatEndsInItsQueueHasNotStalledThereAnyMore() {
    queueProtocol.lease("dead");
    die();
    recover();
    String stalls = "stalls:" + queue.name();
    assertThat(server.redis().call("HGET", workerFixture.keys(0).metadata(id), stalls))
        .isEqualTo("1");
    LeaseResult.Leased leased = (LeaseResult.Leased) queueProtocol.lease("w");
    JobOutcome.Completed completed =
        new JobOutcome.Completed(List.of("completed-queue", "\"a\""), queue.name());

    assertThat(queueProtocol.complete("w", leased, completed, false).status())
        .isEqualTo(StoreResult.Status.OK);
    assertThat(server.redis().call("HGET", workerFixture.keys(0).metadata(id), stalls)).isNull();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(id));
  }

  /** F20: a Node.js worker died between its result and the move: the flow is not run again. */
  @Test
  void aJobWhoseEndWasStoredIsNotDoneAgain() {
    queueProtocol.lease("node");
    server
        .redis()
        .call(
            "HSET",
            workerFixture.keys(0).job(id),
            "done",
            "true",
            "completed-queue",
            '"' + queue.name() + '"');
    die();
    recover();
    assertThat(workerFixture.waiting(0)).isEmpty();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.field(id, "failed")).isNull();
  }

  /** F21: a Node.js worker died between its failure and the removal. */
  @Test
  void aJobWhoseFailureWasStoredIsNotDoneAgain() {
    queueProtocol.lease("node");
    List<String> command = new ArrayList<>(List.of("HSET", workerFixture.keys(0).job(id)));
    command.addAll(queueRuntimes.getFirst().failureFields().fields("boom"));
    server.redis().call(command.toArray(String[]::new));
    die();
    recover();
    assertThat(workerFixture.waiting(0)).isEmpty();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.field(id, "failedErrorMsg")).isEqualTo("\"boom\"");
  }

  /** F11: no key is created again for a deleted job. */
  @Test
  void aJobThatIsGoneIsDropped() {
    queueProtocol.lease("dead");
    die();
    server.redis().call("DEL", workerFixture.keys(0).job(id));
    recover();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.waiting(0)).isEmpty();
    assertThat(
            server
                .redis()
                .call("EXISTS", workerFixture.keys(0).job(id), workerFixture.keys(0).metadata(id)))
        .isEqualTo(0L);
  }

  /** A lease whose reply was lost is noticed by its own process, long before its lock expires. */
  @Test
  void aJobThatItsWorkerKnowsNothingOfWaitsAgain() {
    QueueWorker worker = queueRuntimes.getFirst().worker(job -> JobResult.completed());
    queueProtocol.lease(worker.id());
    recover();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(id));
    assertThat(workerFixture.lock(0, id)).isNull();
  }

  /** Two processes recover the same job once. */
  @Test
  void twoRecoveriesRecoverAJobOnce() {
    queueProtocol.lease("dead");
    die();
    StalledJobRecovery second = new StalledJobRecovery(workerContext, queueRuntimes);
    stalledJobRecovery.tick();
    second.tick();
    pass(GRACE);
    stalledJobRecovery.tick();
    second.tick();
    assertThat(workerFixture.waiting(0)).isEqualTo(List.of(id));
    assertThat(events).hasSize(1);
  }

  /** Many stalled jobs are found page by page. */
  @Test
  void moreThanAPageOfStalledJobsIsRecovered() {
    List<List<String>> commands = new ArrayList<>();
    for (int i = 0; i < 1_200; i++) {
      commands.add(List.of("HSET", workerFixture.keys(0).job("p" + i), "n", "1"));
      commands.add(List.of("RPUSH", workerFixture.keys(0).processing(), "p" + i));
    }
    server.redis().pipelined(commands);
    recover();
    assertThat(workerFixture.processing(0)).isEmpty();
    assertThat(workerFixture.waiting(0)).hasSize(1_201).doesNotHaveDuplicates();
  }

  /** A crash after any command of the npm package: the job is never lost, and ends. */
  @Test
  void aCrashAfterAnyCommandOfANodeWorkerIsRepaired() {
    QueueKeys queueKeys = workerFixture.keys(0);
    List<List<String>> steps =
        List.of(
            List.of("LMOVE", queueKeys.waiting(), queueKeys.processing(), "LEFT", "RIGHT"),
            List.of("SET", queueKeys.lock("@"), "node", "EX", "180"),
            List.of(
                "HSET",
                queueKeys.job("@"),
                "m",
                "1",
                "completed-queue",
                '"' + queueKeys.name() + '"'),
            List.of("RPUSH", workerFixture.keys(1).waiting(), "@"),
            List.of("LREM", queueKeys.processing(), "1", "@"),
            List.of("DEL", queueKeys.lock("@")));
    server.redis().call("DEL", queueKeys.waiting());
    for (int cut = 1; cut <= steps.size(); cut++) {
      String job = workerFixture.create("cut-" + cut, Map.of("n", "1"));
      for (List<String> step : steps.subList(0, cut)) {
        server
            .redis()
            .call(step.stream().map(part -> part.replace("@", job)).toArray(String[]::new));
      }
      server.redis().call("DEL", queueKeys.lock(job));
      recover();
      boolean moved = workerFixture.waiting(1).contains(job);
      boolean again = workerFixture.waiting(0).contains(job);
      assertThat(moved || again).as("after %s commands", cut).isTrue();
      assertThat(workerFixture.processing(0)).as("after %s commands", cut).isEmpty();
      server.redis().call("DEL", queueKeys.waiting());
    }
  }

  /** A script is atomic, so only the states before and after it are possible. */
  @Test
  void aCrashBetweenTwoScriptsIsRepaired() {
    for (int cut = 0; cut < 3; cut++) {
      server.redis().call("DEL", workerFixture.keys(0).waiting(), workerFixture.keys(1).waiting());
      String job = workerFixture.create("s-" + cut, Map.of("n", "1"));
      String worker = "w" + cut;
      LeaseResult.Leased leased = (LeaseResult.Leased) queueProtocol.lease(worker);
      if (cut == 1) {
        queueProtocol.release(worker, job);
      }
      if (cut == 2) {
        JobOutcome.Completed completed =
            new JobOutcome.Completed(
                List.of("completed-queue", "\"a\""), workerFixture.keys(1).name());
        assertThat(queueProtocol.complete(worker, leased, completed, false).status())
            .isEqualTo(StoreResult.Status.OK);
        // A repeated call after a lost reply does nothing, and gets the reply of the first.
        assertThat(queueProtocol.complete(worker, leased, completed, false).status())
            .isEqualTo(StoreResult.Status.OK);
      }
      server.redis().call("DEL", workerFixture.keys(0).lock(job));
      recover();
      List<String> all =
          Stream.concat(workerFixture.waiting(0).stream(), workerFixture.waiting(1).stream())
              .map(String::valueOf)
              .toList();
      assertThat(all).containsExactly(job);
      assertThat(workerFixture.waiting(1)).hasSize(cut == 2 ? 1 : 0);
    }
  }

  /** The last totals of a process are sent to the others, and its workers are removed. */
  @Test
  void aProcessTellsOfItself() {
    FlowRuntime flowRuntime = new FlowRuntime(workerContext);
    Flow mine = Flow.of(server.name("told"), Queue.of(server.name("t")));
    flowRuntime.register(mine);
    QueueWorker worker = flowRuntime.worker(server.name("t"), job -> JobResult.completed());
    flowRuntime.startLoops();
    String key = MillraceKeys.workers(server.name("t"));
    ServerConditions.until(() -> server.redis().call("EXISTS", key).equals(1L));
    assertThat(server.redis().call("HVALS", key))
        .asString()
        .contains("\"workers\":0", "\"busy\":0", "\"beat\":", "\"process\":");
    assertThat((String) server.redis().call("HGET", MillraceKeys.flows(), mine.name()))
        .contains(mine.name());
    assertThat(worker.status().name()).isEqualTo("READY");
    flowRuntime.stop(Patience.LIMIT);
    assertThat(server.redis().call("EXISTS", key)).isEqualTo(0L);
    server.redis().call("HDEL", MillraceKeys.flows(), mine.name());
  }
}
