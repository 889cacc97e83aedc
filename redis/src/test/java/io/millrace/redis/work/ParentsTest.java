package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.Dialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parents make children, wait for all of them, and go on. */
@Timeout(120)
class ParentsTest {

  private static final int PARENT = 0;
  private static final int BOX = 1;
  private static final int NEXT = 3;
  private static final Duration LOCK_TIME = Duration.ofMinutes(3);

  private final TestRedis server = new TestRedis();
  private final String pack = server.name("pack");
  private final Shop shop = new Shop(server, flow(), false);

  private Flow flow() {
    Queue box = Queue.of("box").attributes("n");
    Queue label = Queue.of("label").attributes("text");
    return Flow.of(
        server.name("orders"),
        Queue.of(pack).children(box, label).next(server.name("ship")).lockTime(LOCK_TIME),
        Queue.of(server.name("ship")));
  }

  @AfterEach
  void close() {
    shop.close();
  }

  @Test
  void aParentGoesOnAtOnceWhenItsLastChildHasEndedHere() throws Exception {
    shop.workers.parentWorker(pack).start();
    shop.worker(BOX, job -> JobResult.of("weight", job.need("n", Integer.class) * 10)).start();
    String id = parent("[{\"childName\":\"box\",\"n\":1},{\"childName\":\"box\",\"n\":2}]");

    FlowEvent.Completed end =
        shop.await(FlowEvent.Completed.class, event -> event.place().queue().equals(pack));

    assertThat(end.nextQueue()).isEqualTo(server.name("ship"));
    assertThat(shop.waiting(NEXT)).isEqualTo(List.of(id));
    assertThat(shop.processing(PARENT)).isEmpty();
    assertThat(shop.lock(PARENT, id)).isNull();
    assertThat(shop.field(id, "completed-queue")).isEqualTo('"' + pack + '"');
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
    shop.workers.parentWorker(pack).start();
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(parent("[{\"childName\":\"box\",\"n\":" + i + "}]"));
    }
    LockWait.until(() -> shop.waiting(BOX).size() == 20);
    assertThat(shop.processing(PARENT)).isEqualTo(ids);
    assertThat(ids).allMatch(id -> shop.lock(PARENT, id) != null);

    shop.worker(BOX, job -> JobResult.completed()).start();

    LockWait.until(() -> shop.waiting(NEXT).size() == 20);
    assertThat(shop.waiting(NEXT).stream().map(String::valueOf).toList())
        .containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void childrenThatOthersEndAreSeenWithinASecond() throws Exception {
    shop.workers.begin();
    shop.workers.parentWorker(pack).start();
    String id =
        parent(
            "[{\"childName\":\"box\",\"n\":1},{\"childName\":\"box\",\"n\":2},"
                + "{\"childName\":\"label\",\"text\":\"a\"}]");
    LockWait.until(() -> shop.field(id, Dialect.childrenJobs(pack)) != null);
    List<String> keys = keys(id);
    server.redis().call("HSET", keys.get(0), "done", "true");
    server.redis().call("HSET", keys.get(1), "done", "\"true\"");
    server.redis().call("DEL", keys.get(2));

    FlowEvent.Completed end = shop.await(FlowEvent.Completed.class);

    assertThat(end.place().id()).as("F7: the text, too; a child that is gone").isEqualTo(id);
  }

  @Test
  void theLockIsRenewedAllTheWhile() throws Exception {
    try (Bench bench = new Bench(shop)) {
      bench.startParents(PARENT);
      String id = parent("[{\"childName\":\"box\",\"n\":1}]");
      LockWait.until(() -> !shop.waiting(BOX).isEmpty());
      String lock = shop.lane(PARENT).lock(id);
      server.redis().call("EXPIRE", shop.lane(PARENT).job(id), "60");
      for (int i = 0; i < 3; i++) {
        server.redis().call("EXPIRE", lock, "30");
        bench.pass(LOCK_TIME.dividedBy(3));
        assertThat((Long) server.redis().call("TTL", lock)).as("F8").isGreaterThan(30);
      }
      assertThat((Long) server.redis().call("TTL", shop.lane(PARENT).job(id)))
          .as("it lives as long as it is worked on")
          .isGreaterThan(86_000);
      bench.start(BOX, job -> JobResult.completed());
      shop.await(FlowEvent.Completed.class, event -> event.place().id().equals(id));
    }
  }

  @Test
  void aParentThatIsTakenAgainMakesNoFurtherChildren() throws Exception {
    QueueWorker first = shop.workers.parentWorker(pack);
    first.start();
    String id = parent("[{\"childName\":\"box\",\"n\":1}]");
    LockWait.until(() -> !shop.waiting(BOX).isEmpty());
    first.stop();
    assertThat(shop.waiting(PARENT)).as("given back").isEqualTo(List.of(id));
    assertThat(shop.lock(PARENT, id)).isNull();
    List<String> keys = keys(id);

    shop.workers.parentWorker(pack).start();
    shop.worker(BOX, job -> JobResult.completed()).start();
    shop.await(FlowEvent.Completed.class, event -> event.place().queue().equals(pack));

    assertThat(keys(id)).isEqualTo(keys);
    assertThat(shop.waiting(BOX)).isEmpty();
  }

  @Test
  void withoutChildrenAParentIsDoneAtOnce() throws Exception {
    shop.workers.parentWorker(pack).start();
    String id = parent("[]");

    assertThat(shop.await(FlowEvent.Completed.class).place().id()).isEqualTo(id);
    String nameless = parent("[{\"n\":1}]");
    assertThat(shop.await(FlowEvent.Completed.class).place().id()).isEqualTo(nameless);
    assertThat(shop.waiting(NEXT)).isEqualTo(List.of(id, nameless));
  }

  @Test
  void aParentThatDoesNotSayWhatItsChildrenAreFails() throws Exception {
    shop.workers.parentWorker(pack).start();
    shop.create("none", Map.of("n", "1"));
    assertThat(shop.await(FlowEvent.Failed.class).message())
        .contains(Dialect.childrenParams(pack))
        .contains("give it a list");
    parent("{\"n\":1}");
    assertThat(shop.await(FlowEvent.Failed.class).message()).contains("no list");
    parent("[{\"childName\":\"crate\"}]");
    assertThat(shop.await(FlowEvent.Failed.class).message())
        .contains("'crate'")
        .contains("box, label");
    parent("no json");
    assertThat(shop.await(FlowEvent.Failed.class).message()).contains(Dialect.childrenParams(pack));

    assertThat(shop.field("none", "failed")).isEqualTo("true");
    assertThat(shop.processing(PARENT)).isEmpty();
    assertThat(shop.waiting(BOX)).isEmpty();
  }

  /** Its lock is renewed meanwhile, and nobody takes it for forgotten. */
  @Test
  void aParentIsInTheHandsOfItsWorkerUntilItsEndIsStored() throws Exception {
    String next = shop.lane(NEXT).waiting();
    server.redis().call("SET", next, "no list");
    QueueWorker worker = shop.workers.parentWorker(pack);
    worker.start();
    shop.worker(BOX, job -> JobResult.completed()).start();
    long before = refusals();
    String id = parent("[{\"childName\":\"box\",\"n\":1}]");

    LockWait.until(() -> refusals() - before >= 2);
    assertThat(worker.has(id)).isTrue();
    server.redis().call("DEL", next);

    shop.await(FlowEvent.Completed.class, event -> event.place().id().equals(id));
    LockWait.until(() -> !worker.has(id));
    assertThat(shop.waiting(NEXT)).isEqualTo(List.of(id));
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
    shop.workers.parentWorker(pack).start();
    shop.worker(
            BOX,
            job -> {
              throw new IllegalStateException("broken");
            })
        .start();
    String id = parent("[{\"childName\":\"box\",\"n\":1}]");

    shop.await(FlowEvent.Completed.class, event -> event.place().id().equals(id));
    assertThat(hget(keys(id).getFirst(), "failedErrorMsg")).isEqualTo("\"broken\"");
  }

  @Test
  void aParentsQueueHasNoHandlerAndAnotherHasNoParentWorker() {
    assertThatThrownBy(() -> shop.workers.worker(pack, job -> JobResult.completed()))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("parentWorkers");
    assertThatThrownBy(() -> shop.workers.parentWorker(server.name("ship")))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("Queue.children");
  }

  @Test
  void theEndOfAJobCanBeWaitedFor() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    shop.worker(
            NEXT,
            job -> {
              go.await();
              return JobResult.completed();
            })
        .start();
    shop.workers.parentWorker(pack).start();
    String id = parent("[]");

    assertThat(shop.workers.await(shop.flow, id, Duration.ofMillis(30))).isFalse();
    go.countDown();
    assertThat(shop.workers.await(shop.flow, id, Shop.LIMIT)).isTrue();
    assertThat(shop.workers.await(shop.flow, "unknown", Shop.LIMIT)).isTrue();
    String failed = shop.create("failed", Map.of("n", "1"));
    assertThat(shop.workers.await(shop.flow, failed, Shop.LIMIT)).isTrue();
  }

  private String parent(String params) {
    return shop.create(
        java.util.UUID.randomUUID().toString(), Map.of(Dialect.childrenParams(pack), params));
  }

  private List<String> keys(String id) {
    String text = shop.field(id, Dialect.childrenJobs(pack));
    return List.of(text.substring(2, text.length() - 2).split("\",\""));
  }

  private String hget(String key, String field) {
    return (String) server.redis().call("HGET", key, field);
  }
}
