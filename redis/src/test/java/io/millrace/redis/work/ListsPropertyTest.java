package io.millrace.redis.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.support.TestRedis;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.UuidV7Generator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of random actions on two queues, compared with a simple model: no job is lost, none is in
 * two lists, and the jobs of a level are leased in their order, except those that were returned to
 * the head.
 */
class ListsPropertyTest {

  private static final int STEPS = 400;
  private static final Duration HOUR = Duration.ofHours(1);

  private enum Place {
    WAITING,
    PROCESSING,
    DELAYED,
    DEAD,
    FINISHED
  }

  /** A job in the model. */
  private static final class Known {
    final String id;
    final int level;
    int queue;
    Place place = Place.WAITING;
    long order;
    boolean isReturned;
    LeaseResult.Leased leased;
    String worker;

    Known(String id, int level) {
      this.id = id;
      this.level = level;
    }

    int rank() {
      return level == 0 ? 101 : level;
    }
  }

  private final TestRedis server = new TestRedis();
  private final Flow flow =
      Flow.of(
          server.name("flow"),
          Queue.of(server.name("a")).fields("n").next(server.name("b")),
          Queue.of(server.name("b")).fields("n"));
  private final JavaScriptJson json = JavaScriptJson.standard();
  private final List<QueueKeys> allKeys = QueueKeys.allOf(flow);
  private final List<FailureFields> failures =
      allKeys.stream().map(keys -> new FailureFields(json, keys.name())).toList();
  private final List<QueueProtocol> protocols =
      List.of(
          new QueueProtocol(server.redis(), allKeys.get(0), failures.get(0)),
          new QueueProtocol(server.redis(), allKeys.get(1), failures.get(1)));
  private final Map<String, Known> model = new HashMap<>();
  private long order;
  private int workers;

  @AfterEach
  void close() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noJobIsLostOrTwiceAndTheOrderIsKept(long seed) {
    Random random = new Random(seed);
    JobStore jobStore =
        new JobStore(server.redis(), json, new UuidV7Generator(EngineClock.system(), random));
    for (int step = 0; step < STEPS; step++) {
      String action = step(random, jobStore);
      for (int queue = 0; queue < 2; queue++) {
        String where = "seed " + seed + ", step " + step + ", " + action + ", queue " + queue;
        compare(where, queue);
      }
    }
  }

  private String step(Random random, JobStore jobStore) {
    int queue = random.nextInt(2);
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> create(random, jobStore);
      case 3, 4, 5 -> lease(queue);
      case 6, 7 -> pick(random, Place.PROCESSING).map(job -> complete(job, random)).orElse("none");
      case 8 -> pick(random, Place.PROCESSING).map(job -> fail(job, random)).orElse("none");
      case 9 -> promote(random, queue);
      case 10 -> pick(random, Place.DEAD).map(this::requeue).orElse("none");
      case 11 ->
          pick(random, Place.PROCESSING).map(job -> releaseOrRecover(job, random)).orElse("none");
      default ->
          random.nextInt(3) == 0
              ? pick(random, Place.values()[random.nextInt(4)])
                  .map(job -> delete(job, jobStore))
                  .orElse("none")
              : "none";
    };
  }

  private String create(Random random, JobStore jobStore) {
    int level = random.nextBoolean() ? 0 : 1 + random.nextInt(3);
    boolean later = random.nextInt(5) == 0;
    NewJob job = NewJob.of(Map.of("n", order)).priority(level);
    Known known = new Known(jobStore.create(flow, later ? job.delay(HOUR) : job), level);
    model.put(known.id, known);
    if (later) {
      known.place = Place.DELAYED;
    } else {
      push(known, 0);
    }
    return "create " + level;
  }

  private void push(Known job, int queue) {
    job.place = Place.WAITING;
    job.queue = queue;
    job.isReturned = false;
    job.order = order++;
  }

  private String lease(int queue) {
    String worker = "w" + workers++;
    LeaseResult leaseResult = protocols.get(queue).lease(worker);
    List<Known> waiting = in(queue, Place.WAITING);
    if (leaseResult instanceof LeaseResult.Leased leased) {
      Known job = model.get(leased.id());
      assertThat(waiting).contains(job);
      if (!job.isReturned) {
        waiting.stream()
            .filter(other -> !other.isReturned)
            .min(Comparator.comparingInt(Known::rank).thenComparingLong(other -> other.order))
            .ifPresent(first -> assertThat(job.id).as("the first of them").isEqualTo(first.id));
      }
      job.place = Place.PROCESSING;
      job.leased = leased;
      job.worker = worker;
    } else {
      assertThat(leaseResult).isInstanceOf(LeaseResult.Empty.class);
      assertThat(waiting).isEmpty();
    }
    return "lease";
  }

  private String complete(Known job, Random random) {
    String next = job.queue == 0 ? allKeys.get(1).name() : null;
    JobOutcome.Completed completed =
        new JobOutcome.Completed(List.of("completed-queue", "\"x\""), next);
    if (random.nextInt(4) == 0) {
      server.redis().call("DEL", allKeys.get(job.queue).lock(job.id));
      StoreResult storeResult =
          protocols.get(job.queue).complete(job.worker, job.leased, completed, false);
      assertThat(storeResult.status()).isEqualTo(StoreResult.Status.LOST);
      return "complete without lock";
    }
    StoreResult storeResult =
        protocols.get(job.queue).complete(job.worker, job.leased, completed, false);
    if (storeResult.status() == StoreResult.Status.OK) {
      ended(job, next);
    } else {
      assertThat(storeResult.status()).isEqualTo(StoreResult.Status.LOST);
    }
    return "complete";
  }

  private void ended(Known job, String next) {
    if (next == null) {
      job.place = Place.FINISHED;
    } else {
      push(job, 1);
    }
  }

  private String fail(Known job, Random random) {
    QueueProtocol protocol = protocols.get(job.queue);
    int how = random.nextInt(3);
    if (how == 0) {
      JobOutcome.Failed failed = new JobOutcome.Failed("no", null);
      if (protocol.fail(job.worker, job.leased, failed, false).status() == StoreResult.Status.OK) {
        job.place = Place.DEAD;
      }
      return "fail";
    }
    Duration delay = how == 1 ? Duration.ZERO : HOUR;
    JobOutcome.Retry retry = new JobOutcome.Retry(delay, "no", new IllegalStateException());
    if (protocol.retry(job.worker, job.leased, retry, false).status() == StoreResult.Status.OK) {
      if (how == 1) {
        push(job, job.queue);
      } else {
        job.place = Place.DELAYED;
      }
    }
    return "again " + delay;
  }

  private String promote(Random random, int queue) {
    QueueKeys queueKeys = allKeys.get(queue);
    List<Known> due = new ArrayList<>();
    for (Known job : in(queue, Place.DELAYED)) {
      if (random.nextBoolean()) {
        server
            .redis()
            .call(
                "ZADD",
                MillraceKeys.delayed(queueKeys.name()),
                String.valueOf(1_000 + due.size()),
                job.id);
        due.add(job);
      }
    }
    List<String> keys = queueKeys.keys();
    server
        .redis()
        .run(
            LuaScript.PROMOTE,
            List.of(MillraceKeys.delayed(queueKeys.name()), queueKeys.waiting()),
            List.of(keys.get(2), keys.get(4), keys.get(5), "100"));
    due.forEach(job -> push(job, queue));
    return "promote";
  }

  private String requeue(Known job) {
    QueueKeys queueKeys = allKeys.get(job.queue);
    List<String> keys = queueKeys.keys();
    server
        .redis()
        .run(
            LuaScript.REQUEUE,
            List.of(MillraceKeys.dead(queueKeys.name()), queueKeys.waiting()),
            List.of(
                keys.get(2), keys.get(4), keys.get(5), queueKeys.name(), "1000", "1", "", job.id));
    push(job, job.queue);
    return "requeue";
  }

  private String releaseOrRecover(Known job, Random random) {
    QueueKeys queueKeys = allKeys.get(job.queue);
    if (random.nextBoolean()) {
      boolean released = protocols.get(job.queue).release(job.worker, job.id);
      assertThat(released).isTrue();
    } else {
      server.redis().call("DEL", queueKeys.lock(job.id));
      List<String> arguments = new ArrayList<>(queueKeys.arguments(""));
      arguments.addAll(List.of(job.id, "1000", "100", failures.get(job.queue).queue()));
      arguments.addAll(failures.get(job.queue).fields("died"));
      server.redis().run(LuaScript.RECOVER, queueKeys.keys(), arguments);
    }
    job.place = Place.WAITING;
    job.isReturned = true;
    return "release or recover";
  }

  private String delete(Known job, JobStore jobStore) {
    assertThat(jobStore.delete(flow, job.id)).isTrue();
    job.place = Place.FINISHED;
    return "delete";
  }

  private Optional<Known> pick(Random random, Place place) {
    List<Known> there =
        model.values().stream()
            .filter(job -> job.place == place)
            .sorted(Comparator.comparing(job -> job.id))
            .toList();
    return there.isEmpty()
        ? Optional.empty()
        : Optional.of(there.get(random.nextInt(there.size())));
  }

  private List<Known> in(int queue, Place place) {
    return model.values().stream()
        .filter(job -> job.queue == queue && job.place == place)
        .sorted(Comparator.comparing(job -> job.id))
        .toList();
  }

  private void compare(String where, int queue) {
    QueueKeys queueKeys = allKeys.get(queue);
    List<Object> seen =
        server
            .redis()
            .pipelined(
                List.of(
                    List.of("LRANGE", queueKeys.waiting(), "0", "-1"),
                    List.of("LRANGE", queueKeys.processing(), "0", "-1"),
                    List.of("ZRANGE", MillraceKeys.delayed(queueKeys.name()), "0", "-1"),
                    List.of("ZRANGE", MillraceKeys.dead(queueKeys.name()), "0", "-1")));
    List<Place> places = List.of(Place.WAITING, Place.PROCESSING, Place.DELAYED, Place.DEAD);
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      assertThat(((List<?>) seen.get(i)).stream().map(String::valueOf).toList())
          .as("%s: %s", where, place)
          .containsExactlyInAnyOrderElementsOf(
              in(queue, place).stream().map(job -> job.id).toList());
    }
  }
}
