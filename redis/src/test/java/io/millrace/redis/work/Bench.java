package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.sim.SimClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Workers of the queues of a shop in a process whose clock stands still, and whose locks are looked
 * after only when a test lets time pass: how long the machine takes for something counts nowhere.
 */
final class Bench implements AutoCloseable {

  private final SimClock clock = new SimClock();
  private final List<Station> stations;
  private final LockKeeper keeper;
  private final List<QueueWorker> started = new ArrayList<>();

  Bench(Shop shop) {
    Setting setting =
        new Setting(
            shop.server.redis(),
            shop.setting.dialect(),
            shop.setting.json(),
            new EngineRuntime(clock, new ThreadRunner(), new Random(1)),
            shop.events::add,
            shop.setting.isStrict());
    Brood brood = new Brood(setting);
    Endings endings = new Endings(setting);
    stations =
        Lane.of(shop.setting.dialect(), shop.flow).stream()
            .map(lane -> new Station(setting, lane, brood, endings))
            .toList();
    keeper = new LockKeeper(setting, stations);
  }

  void start(int lane, JobHandler handler) {
    start(stations.get(lane).worker(handler));
  }

  void startParents(int lane) {
    start(stations.get(lane).parentWorker());
  }

  private void start(QueueWorker worker) {
    started.add(worker);
    worker.start();
  }

  /** Then looks after the locks once. */
  void pass(Duration time) {
    clock.advance(time);
    keeper.tick();
  }

  @Override
  public void close() {
    started.forEach(QueueWorker::askToStop);
    try {
      for (QueueWorker worker : started) {
        if (!worker.awaitEnd(Shop.LIMIT)) {
          worker.hurry();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    stations.forEach(Station::close);
  }
}
