package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.sim.RealRedis;
import io.millrace.redis.sim.SimFaults;
import io.millrace.redis.sim.SimRedis;
import io.millrace.redis.sim.SimRedisClock;
import io.millrace.redis.sim.SimServer;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the scripts do in the simulation what they do on a real server, also with poisoned
 * keys.
 */
class ScriptsAgainstRedisTest {

  private static final int STEPS = 800;
  private static final List<String> WORKERS = List.of("w1", "w2");
  private static final List<String> JOBS = List.of("j1", "j2", "j3", "j4");

  private final QueueKeys queueKeys =
      QueueKeys.allOf(Flow.of("f", Queue.of("a").fields("n").next("b"), Queue.of("b"))).getFirst();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void randomCallsHaveTheSameAnswersAndKeys(long seed) {
    RandomGenerator random = new SplittableRandom(seed);
    SimRedisClock clock = new SimRedisClock();
    SimServer server = new SimServer(clock);
    List<String> done = new ArrayList<>();
    try (RealRedis real = new RealRedis();
        Redis one = RedisConnections.open(real.settings(), EngineRuntime.system());
        Redis other = new SimRedis(server, "test", SimFaults.none())) {
      for (int i = 0; i < STEPS; i++) {
        Call call = call(random);
        done.add(call.name());
        clock.set(real.begin());
        List<String> last = done.subList(Math.max(0, done.size() - 20), done.size());
        RealRedis.same("answer to " + last, answer(call, one), answer(call, other));
        real.sameKeys("keys after " + last, server);
        real.end(server);
      }
    }
  }

  private record Call(String name, Function<Redis, @Nullable Object> work) {}

  private static @Nullable Object answer(Call call, Redis redis) {
    try {
      // Times in milliseconds differ by the time between the two servers.
      return String.valueOf(call.work().apply(redis))
          .replaceAll("\\b\\d{13}\\b", "time")
          .replaceAll("ticket=[\\d-]+", "ticket");
    } catch (RedisReplyException e) {
      return e.code();
    }
  }

  private QueueProtocol protocol(Redis redis) {
    return new QueueProtocol(redis, queueKeys, new FailureFields(JavaScriptJson.standard(), "a"));
  }

  private Call call(RandomGenerator random) {
    String worker = WORKERS.get(random.nextInt(WORKERS.size()));
    String job = JOBS.get(random.nextInt(JOBS.size()));
    boolean flag = random.nextBoolean();
    String ticket = random.nextBoolean() ? "" : "ticket" + random.nextInt(3);
    LeaseResult.Leased leased =
        new LeaseResult.Leased(job, List.of(), LeaseResult.JobMetadata.NONE, ticket);
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> create(job);
      case 3, 4 -> new Call("lease " + worker, redis -> protocol(redis).lease(worker));
      case 5 ->
          new Call(
              "claim " + worker + " " + job + " " + flag,
              redis -> protocol(redis).leaseMoved(worker, job, flag));
      case 6 ->
          new Call(
              "complete " + worker + " " + job + " " + flag + " " + ticket,
              redis -> {
                JobOutcome.Completed end =
                    new JobOutcome.Completed(
                        List.of("completed-queue", "\"a\""), flag ? "b" : null);
                return protocol(redis).complete(worker, leased, end, flag);
              });
      case 7 -> {
        Duration delay = Duration.ofSeconds(random.nextBoolean() ? 100 : 0);
        yield new Call(
            "again " + worker + " " + job + " " + flag + " " + delay,
            redis -> comeBack(protocol(redis), worker, leased, delay, flag));
      }
      case 8 ->
          new Call(
              "fail " + worker + " " + job,
              redis ->
                  protocol(redis).fail(worker, leased, new JobOutcome.Failed("no", null), flag));
      case 9 ->
          new Call("release " + worker + " " + job, redis -> protocol(redis).release(worker, job));
      case 10 -> recover(worker, job);
      case 11 ->
          new Call(
              "renew lock " + worker + " " + job,
              redis ->
                  redis.run(
                      LuaScript.RENEW_LOCKS,
                      List.of(queueKeys.lock(job), queueKeys.job(job), queueKeys.metadata(job)),
                      List.of(worker, "100", "90000")));
      default -> poison(random, job);
    };
  }

  private static StoreResult comeBack(
      QueueProtocol protocol,
      String worker,
      LeaseResult.Leased leased,
      Duration delay,
      boolean flag) {
    return flag
        ? protocol.retry(
            worker, leased, new JobOutcome.Retry(delay, "why", new IllegalStateException()), true)
        : protocol.later(worker, leased, new JobOutcome.Later(delay, "why"), false);
  }

  private Call create(String job) {
    return new Call(
        "create " + job,
        redis -> {
          redis.call("HSET", queueKeys.job(job), "n", "1");
          return redis.call("RPUSH", queueKeys.waiting(), job);
        });
  }

  private Call recover(String worker, String job) {
    List<String> arguments = new ArrayList<>(queueKeys.arguments(worker));
    arguments.addAll(List.of(job, "2", "3", "\"a\"", "done", "true", "failed", "true"));
    return new Call(
        "recover " + worker + " " + job,
        redis -> redis.run(LuaScript.RECOVER, queueKeys.keys(), arguments));
  }

  /** Returns a call that stores an unexpected value under a key, or deletes the key. */
  private Call poison(RandomGenerator random, String job) {
    List<String> keys =
        List.of(
            queueKeys.waiting(),
            queueKeys.processing(),
            queueKeys.lock(job),
            queueKeys.job(job),
            queueKeys.metadata(job),
            "queue:b:waiting",
            MillraceKeys.delayed("a"),
            MillraceKeys.dead("a"),
            MillraceKeys.queue("a") + "last",
            MillraceKeys.paused("a"));
    String key = keys.get(random.nextInt(keys.size()));
    List<List<String>> actions =
        List.of(
            List.of("DEL", key),
            List.of("DEL", key),
            List.of("SET", key, "poison"),
            List.of("RPUSH", key, "poison"),
            List.of("HSET", key, "priority", "3"));
    List<String> action = actions.get(random.nextInt(actions.size()));
    return new Call(action.toString(), redis -> redis.call(action.toArray(String[]::new)));
  }
}
