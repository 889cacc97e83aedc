package io.millrace.redis.work;

import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.sim.SimFaults;
import io.millrace.redis.sim.SimFaults.Fate;
import io.millrace.redis.sim.SimRedis;
import io.millrace.redis.sim.SimRedisClock;
import io.millrace.redis.sim.SimServer;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * One seeded run of processes on a simulated server, with lost requests, lost replies, crashes,
 * pauses and full memory. After each command it checks the invariants.
 */
final class SimRun {

  private static final int STEPS = 300;
  private static final int ROUNDS_TO_END = 400;
  private static final List<String> QUEUES = List.of("one", "two");

  private final RandomGenerator random;
  private final SimRedisClock clock = new SimRedisClock();
  private final SimServer server = new SimServer(clock);
  private final Flow flow;
  private final List<SimWorkerProcess> processes = new ArrayList<>();
  private final SimRedis creator = new SimRedis(server, "creator", SimFaults.none());
  private final Map<String, Integer> stages = new HashMap<>();
  private boolean calm;
  private boolean between;
  private int names;

  SimRun(long seed, Consumer<SimServer> planted) {
    random = new SplittableRandom(seed);
    QueuePolicy policy =
        QueuePolicy.standard().stallGrace(Duration.ofSeconds(12)).stallLimit(1_000);
    flow =
        Flow.of(
            "sim",
            Queue.of("one").next("two").lockTime(Duration.ofSeconds(5)).policy(policy),
            Queue.of("two").lockTime(Duration.ofSeconds(5)).policy(policy));
    planted.accept(server);
    server.watch(seen -> look());
    for (int i = 0; i < 3; i++) {
      processes.add(process());
    }
  }

  void play() {
    for (int i = 0; i < STEPS; i++) {
      if (random.nextInt(10) == 0) {
        create();
      }
      if (random.nextInt(100) == 0) {
        server.full(random.nextBoolean());
      }
      if (random.nextInt(4) == 0) {
        clock.advance(Duration.ofMillis(random.nextInt(6_000)));
      }
      step();
    }
    end();
  }

  /** Runs a step of any process, also between the requests that another one makes in one step. */
  private void step() {
    int which = random.nextInt(processes.size());
    SimWorkerProcess process = processes.get(which);
    if (process.isDead()) {
      processes.set(which, process());
    } else if (random.nextInt(5) == 0) {
      process.recover();
    } else {
      process.any(random).step(random);
    }
  }

  private SimWorkerProcess process() {
    return new SimWorkerProcess("p" + names++, server, clock, this::fate, flow, random);
  }

  private Fate fate(String client, String request) {
    if (calm) {
      return Fate.DELIVER;
    }
    if (!between && random.nextInt(3) == 0) {
      between = true;
      step();
      between = false;
    }
    return switch (random.nextInt(60)) {
      case 0, 1 -> Fate.LOSE_REQUEST;
      case 2, 3 -> Fate.LOSE_REPLY;
      case 4 -> Fate.CRASH_BEFORE;
      case 5 -> Fate.CRASH_AFTER;
      default -> Fate.DELIVER;
    };
  }

  private void create() {
    server.full(false);
    String id = "j" + stages.size();
    stages.put(id, -1);
    creator.transaction(
        List.of(
            List.of("HSET", "job:sim:" + id, "correlationId", "null"),
            List.of("EXPIRE", "job:sim:" + id, "86400"),
            List.of("RPUSH", "queue:one:waiting", id)));
  }

  /** Ends the run: without further faults every job ends. */
  private void end() {
    calm = true;
    server.full(false);
    for (int round = 0; round < ROUNDS_TO_END; round++) {
      if (stages.values().stream().allMatch(stage -> stage == 2)) {
        return;
      }
      clock.advance(Duration.ofSeconds(1));
      for (int i = 0; i < processes.size(); i++) {
        SimWorkerProcess process = processes.get(i);
        if (process.isDead()) {
          processes.set(i, process());
        } else {
          process.recover();
          process.workers().forEach(worker -> worker.step(random));
        }
      }
    }
    throw broken("not all jobs end: " + stages);
  }

  /** Checks that each job is in one place, goes only forward, and has an end or will have one. */
  private void look() {
    List<Places> queues = QUEUES.stream().map(this::places).toList();
    for (Map.Entry<String, Integer> job : stages.entrySet()) {
      if (job.getValue() == 2 && random.nextInt(10) > 0) {
        continue; // checked only now and then
      }
      String id = job.getKey();
      int places = 0;
      int stage = -1;
      for (int i = 0; i < queues.size(); i++) {
        int found = queues.get(i).count(id);
        places += found;
        stage = found > 0 ? i : stage;
      }
      boolean over = isOver(server.hash("job:sim:" + id));
      if (job.getValue() < 0 && places == 0 && !over) {
        continue; // its creation continues
      }
      if (places != (over ? 0 : 1)) {
        throw broken("job " + id + " stands in " + places + " places; over: " + over);
      }
      int now = over ? 2 : stage;
      if (now < job.getValue()) {
        throw broken("job " + id + " went back from " + job.getValue() + " to " + now);
      }
      job.setValue(now);
    }
  }

  /** The entries of a queue. */
  private record Places(List<String> waiting, List<String> processing, Predicate<String> delayed) {
    int count(String id) {
      return Collections.frequency(waiting, id)
          + Collections.frequency(processing, id)
          + (delayed.test(id) ? 1 : 0);
    }
  }

  private Places places(String queue) {
    String delayed = MillraceKeys.delayed(queue);
    return new Places(
        server.list("queue:" + queue + ":waiting"),
        server.list("queue:" + queue + ":processing"),
        id -> server.hasScore(delayed, id));
  }

  private static boolean isOver(Map<String, String> hash) {
    return "\"two\"".equals(hash.get("completed-queue")) || "true".equals(hash.get("done"));
  }

  private AssertionError broken(String what) {
    return new AssertionError(what + "\n" + server.trace());
  }
}
