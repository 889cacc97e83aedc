package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.ServerConditions;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of parents that create children, wait for all of them, and continue. */
class ParentsTest {

  private static final int PARENT = 0;
  private static final int BOX = 1;
  private static final int NEXT = 3;
  private static final Duration LOCK_TIME = Duration.ofMinutes(3);

  private final TestRedis server = new TestRedis();
  private final String pack = server.name("pack");
  private final WorkerFixture workerFixture = new WorkerFixture(server, flow());

  private Flow flow() {
    Queue box = Queue.of("box").fields("n");
    Queue label = Queue.of("label").fields("text");
    return Flow.of(
        server.name("orders"),
        Queue.of(pack).children(box, label).next(server.name("ship")).lockTime(LOCK_TIME),
        Queue.of(server.name("ship")));
  }

  @AfterEach
  void close() {
    workerFixture.close();
  }

  @Test
  void aParentGoesOnAtOnceWhenItsLastChildHasEndedHere() throws Exception {
    workerFixture.workers.parentWorker(pack).start();
    workerFixture
        .worker(BOX, job -> JobResult.of("weight", job.get("n", Integer.class) * 10))
        .start();
    String id = parent("[{\"childName\":\"box\",\"n\":1},{\"childName\":\"box\",\"n\":2}]");

    FlowEvent.Completed end =
        workerFixture.await(FlowEvent.Completed.class, event -> event.job().queue().equals(pack));

    assertThat(end.nextQueue()).isEqualTo(server.name("ship"));
    assertThat(workerFixture.waiting(NEXT)).isEqualTo(List.of(id));
    assertThat(workerFixture.processing(PARENT)).isEmpty();
    assertThat(workerFixture.lock(PARENT, id)).isNull();
    assertThat(workerFixture.field(id, "completed-queue")).isEqualTo('"' + pack + '"');
    List<String> keys = keys(id);
    assertThat(keys).hasSize(2).allMatch(key -> key.startsWith("job:" + pack + ":box:"));
    assertThat(hget(keys.get(0), "weight")).isEqualTo("10");
    assertThat(hget(keys.get(1), "weight")).isEqualTo("20");
    assertThat(keys).allMatch(key -> "true".equals(hget(key, "done")));
    assertThat(keys).allMatch(key -> hget(key, "childName") == null);
    assertThat(keys).allMatch(key -> (Long) server.redis().call("TTL", key) > 86_000);
  }

  @Test
  void oneWorkerHasManyParentsWaitAndTakesTheNextMeanwhile() throws Exception {
    workerFixture.workers.parentWorker(pack).start();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(parent("[{\"childName\":\"box\",\"n\":" + i + "}]"));
    }
    ServerConditions.until(() -> workerFixture.waiting(BOX).size() == 20);
    assertThat(workerFixture.processing(PARENT)).isEqualTo(ids);
    assertThat(ids).allMatch(id -> workerFixture.lock(PARENT, id) != null);

    workerFixture.worker(BOX, job -> JobResult.completed()).start();

    ServerConditions.until(() -> workerFixture.waiting(NEXT).size() == 20);
    assertThat(workerFixture.waiting(NEXT).stream().map(String::valueOf).toList())
        .containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void childrenThatOthersEndAreSeenWithinASecond() throws Exception {
    workerFixture.workers.startLoops();
    workerFixture.workers.parentWorker(pack).start();
    String id =
        parent(
            "[{\"childName\":\"box\",\"n\":1},{\"childName\":\"box\",\"n\":2},"
                + "{\"childName\":\"label\",\"text\":\"a\"}]");
    ServerConditions.until(() -> workerFixture.field(id, ProtocolKeys.childrenJobs(pack)) != null);
    List<String> keys = keys(id);
    server.redis().call("HSET", keys.get(0), "done", "true");
    server.redis().call("HSET", keys.get(1), "done", "\"true\"");
    server.redis().call("DEL", keys.get(2));

    FlowEvent.Completed end = workerFixture.await(FlowEvent.Completed.class);

    assertThat(end.job().id()).as("F7: the text, too; a child that is gone").isEqualTo(id);
  }

  @Test
  void theLockIsRenewedAllTheWhile() throws Exception {
    try (ManualClockFixture manualClockFixture = new ManualClockFixture(workerFixture)) {
      manualClockFixture.startParents(PARENT);
      String id = parent("[{\"childName\":\"box\",\"n\":1}]");
      ServerConditions.until(() -> !workerFixture.waiting(BOX).isEmpty());
      String lock = workerFixture.keys(PARENT).lock(id);
      server.redis().call("EXPIRE", workerFixture.keys(PARENT).job(id), "60");
      for (int i = 0; i < 3; i++) {
        server.redis().call("EXPIRE", lock, "30");
        manualClockFixture.pass(LOCK_TIME.dividedBy(3));
        assertThat((Long) server.redis().call("TTL", lock)).as("F8").isGreaterThan(30);
      }
      assertThat((Long) server.redis().call("TTL", workerFixture.keys(PARENT).job(id)))
          .as("it lives as long as it is worked on")
          .isGreaterThan(86_000);
      manualClockFixture.start(BOX, job -> JobResult.completed());
      workerFixture.await(FlowEvent.Completed.class, event -> event.job().id().equals(id));
    }
  }

  @Test
  void aParentThatIsTakenAgainMakesNoFurtherChildren() throws Exception {
    QueueWorker first = workerFixture.workers.parentWorker(pack);
    first.start();
    String id = parent("[{\"childName\":\"box\",\"n\":1}]");
    ServerConditions.until(() -> !workerFixture.waiting(BOX).isEmpty());
    first.stop();
    assertThat(workerFixture.waiting(PARENT)).as("released").isEqualTo(List.of(id));
    assertThat(workerFixture.lock(PARENT, id)).isNull();
    List<String> keys = keys(id);

    workerFixture.workers.parentWorker(pack).start();
    workerFixture.worker(BOX, job -> JobResult.completed()).start();
    workerFixture.await(FlowEvent.Completed.class, event -> event.job().queue().equals(pack));

    assertThat(keys(id)).isEqualTo(keys);
    assertThat(workerFixture.waiting(BOX)).isEmpty();
  }

  @Test
  void withoutChildrenAParentIsDoneAtOnce() throws Exception {
    workerFixture.workers.parentWorker(pack).start();
    String id = parent("[]");

    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(id);
    String nameless = parent("[{\"n\":1}]");
    assertThat(workerFixture.await(FlowEvent.Completed.class).job().id()).isEqualTo(nameless);
    assertThat(workerFixture.waiting(NEXT)).isEqualTo(List.of(id, nameless));
  }

  @Test
  void aParentThatDoesNotSayWhatItsChildrenAreFails() throws Exception {
    workerFixture.workers.parentWorker(pack).start();
    workerFixture.create("none", Map.of("n", "1"));
    assertThat(workerFixture.await(FlowEvent.Failed.class).message())
        .contains(ProtocolKeys.childrenParams(pack))
        .contains("expected a list");
    parent("{\"n\":1}");
    assertThat(workerFixture.await(FlowEvent.Failed.class).message()).contains("no list");
    parent("[{\"childName\":\"crate\"}]");
    assertThat(workerFixture.await(FlowEvent.Failed.class).message())
        .contains("'crate'")
        .contains("box, label");
    parent("no json");
    assertThat(workerFixture.await(FlowEvent.Failed.class).message())
        .contains(ProtocolKeys.childrenParams(pack));

    assertThat(workerFixture.field("none", "failed")).isEqualTo("true");
    assertThat(workerFixture.processing(PARENT)).isEmpty();
    assertThat(workerFixture.waiting(BOX)).isEmpty();
  }

  /** The worker renews the parent's lock meanwhile, and recovery leaves it alone. */
  @Test
  void aParentIsInTheHandsOfItsWorkerUntilItsEndIsStored() throws Exception {
    String next = workerFixture.keys(NEXT).waiting();
    server.redis().call("SET", next, "no list");
    QueueWorker worker = workerFixture.workers.parentWorker(pack);
    worker.start();
    workerFixture.worker(BOX, job -> JobResult.completed()).start();
    long before = refusals();
    String id = parent("[{\"childName\":\"box\",\"n\":1}]");

    ServerConditions.until(() -> refusals() - before >= 2);
    assertThat(worker.has(id)).isTrue();
    server.redis().call("DEL", next);

    workerFixture.await(FlowEvent.Completed.class, event -> event.job().id().equals(id));
    ServerConditions.until(() -> !worker.has(id));
    assertThat(workerFixture.waiting(NEXT)).isEqualTo(List.of(id));
  }

  private long refusals() {
    return ((String) server.redis().call("INFO", "errorstats"))
        .lines()
        .filter(line -> line.startsWith("errorstat_WRONGTYPE:count="))
        .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1).trim()))
        .sum();
  }

  @Test
  void aFailedChildCountsAsDone() throws Exception {
    workerFixture.workers.parentWorker(pack).start();
    workerFixture
        .worker(
            BOX,
            job -> {
              throw new IllegalStateException("broken");
            })
        .start();
    String id = parent("[{\"childName\":\"box\",\"n\":1}]");

    workerFixture.await(FlowEvent.Completed.class, event -> event.job().id().equals(id));
    assertThat(hget(keys(id).getFirst(), "failedErrorMsg")).isEqualTo("\"broken\"");
  }

  @Test
  void aParentsQueueHasNoHandlerAndAnotherHasNoParentWorker() {
    assertThatThrownBy(() -> workerFixture.workers.worker(pack, job -> JobResult.completed()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("parentWorkers");
    assertThatThrownBy(() -> workerFixture.workers.parentWorker(server.name("ship")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Queue.children");
  }

  @Test
  void theEndOfAJobCanBeWaitedFor() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    workerFixture
        .worker(
            NEXT,
            job -> {
              go.await();
              return JobResult.completed();
            })
        .start();
    workerFixture.workers.parentWorker(pack).start();
    String id = parent("[]");

    assertThat(workerFixture.workers.await(workerFixture.flow, id, Duration.ofMillis(30)))
        .isFalse();
    go.countDown();
    assertThat(workerFixture.workers.await(workerFixture.flow, id, Patience.LIMIT)).isTrue();
    assertThat(workerFixture.workers.await(workerFixture.flow, "unknown", Patience.LIMIT)).isTrue();
    String failed = workerFixture.create("failed", Map.of("n", "1"));
    assertThat(workerFixture.workers.await(workerFixture.flow, failed, Patience.LIMIT)).isTrue();
  }

  private String parent(String params) {
    return workerFixture.create(
        java.util.UUID.randomUUID().toString(), Map.of(ProtocolKeys.childrenParams(pack), params));
  }

  private List<String> keys(String id) {
    String text = workerFixture.field(id, ProtocolKeys.childrenJobs(pack));
    return List.of(text.substring(2, text.length() - 2).split("\",\""));
  }

  private String hget(String key, String field) {
    return (String) server.redis().call("HGET", key, field);
  }
}
