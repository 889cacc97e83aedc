package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.sim.SimClock;
import io.millrace.redis.sim.SimFaults;
import io.millrace.redis.sim.SimRedis;
import io.millrace.redis.sim.SimServer;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A process in a simulated run: two workers for each queue, which go step by step, and recovery.
 */
final class SimProcess {

  private static final int WORKERS = 2;

  private final SimRedis redis;
  private final List<SimWorker> workers = new ArrayList<>();
  private final Recovery recovery;
  private boolean recovering;

  SimProcess(
      String name,
      SimServer server,
      SimClock clock,
      SimFaults faults,
      Flow flow,
      RandomGenerator random) {
    redis = new SimRedis(server, name, faults);
    EngineRuntime runtime = new EngineRuntime(clock, new ThreadRunner(), random);
    Setting setting =
        new Setting(redis, Dialect.V0_0_8, JsText.standard(), runtime, FlowListener.NONE, false);
    List<Station> stations = new ArrayList<>();
    for (Lane lane : Lane.of(Dialect.V0_0_8, flow)) {
      Station station = new Station(setting, lane, new Brood(setting), new Endings(setting));
      stations.add(station);
      Redis.Blocking line = redis.blocking();
      for (int i = 0; i < WORKERS; i++) {
        workers.add(new SimWorker(name + "-" + lane.name() + i, station, line, redis, server));
      }
    }
    recovery = new Recovery(setting, stations);
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
      recovery.tick();
      recovering = false;
    }
  }
}
