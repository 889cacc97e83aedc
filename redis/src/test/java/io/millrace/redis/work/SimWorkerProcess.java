package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.sim.SimFaults;
import io.millrace.redis.sim.SimRedis;
import io.millrace.redis.sim.SimRedisClock;
import io.millrace.redis.sim.SimServer;
import io.millrace.redis.wire.JavaScriptJson;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A process in a simulated run: two workers for each queue, which run step by step, and recovery.
 */
final class SimWorkerProcess {

  private static final int WORKERS = 2;

  private final SimRedis redis;
  private final List<SimWorker> workers = new ArrayList<>();
  private final StalledJobRecovery stalledJobRecovery;
  private boolean recovering;

  SimWorkerProcess(
      String name,
      SimServer server,
      SimRedisClock clock,
      SimFaults faults,
      Flow flow,
      RandomGenerator random) {
    redis = new SimRedis(server, name, faults);
    EngineRuntime runtime = new EngineRuntime(clock, new ThreadRunner(), random);
    WorkerContext workerContext =
        new WorkerContext(redis, JavaScriptJson.standard(), runtime, FlowListener.NONE);
    List<QueueRuntime> queueRuntimes = new ArrayList<>();
    for (QueueKeys queueKeys : QueueKeys.allOf(flow)) {
      QueueRuntime queueRuntime =
          new QueueRuntime(
              workerContext,
              queueKeys,
              new ChildMonitor(workerContext),
              new JobFinishWaiters(workerContext));
      queueRuntimes.add(queueRuntime);
      Redis.BlockingConnection line = redis.blocking();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(
            new SimWorker(name + "-" + queueKeys.name() + i, queueRuntime, line, redis, server));
      }
    }
    stalledJobRecovery = new StalledJobRecovery(workerContext, queueRuntimes);
  }

  boolean isDead() {
    return redis.isDead();
  }

  SimWorker any(RandomGenerator random) {
    return workers.get(random.nextInt(workers.size()));
  }

  List<SimWorker> workers() {
    return workers;
  }

  void recover() {
    if (!recovering) {
      recovering = true;
      stalledJobRecovery.tick();
      recovering = false;
    }
  }
}
