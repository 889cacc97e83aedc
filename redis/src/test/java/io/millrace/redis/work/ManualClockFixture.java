package io.millrace.redis.work;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ThreadRunner;
import io.millrace.redis.Patience;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.sim.SimRedisClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Workers of the queues of a shop in a process whose clock stands still. Locks are checked only
 * when a test advances the clock, so the speed of the machine does not matter.
 */
final class ManualClockFixture implements AutoCloseable {

  private final SimRedisClock clock = new SimRedisClock();
  private final List<QueueRuntime> queueRuntimes;
  private final LockKeeper keeper;
  private final List<QueueWorker> started = new ArrayList<>();

  ManualClockFixture(WorkerFixture workerFixture) {
    WorkerContext workerContext =
        new WorkerContext(
            workerFixture.server.redis(),
            workerFixture.setting.json(),
            new EngineRuntime(clock, new ThreadRunner(), new Random(1)),
            workerFixture.events::add);
    ChildMonitor childMonitor = new ChildMonitor(workerContext);
    JobFinishWaiters jobFinishWaiters = new JobFinishWaiters(workerContext);
    queueRuntimes =
        QueueKeys.allOf(workerFixture.flow).stream()
            .map(queueKeys ->
                new QueueRuntime(workerContext, queueKeys, childMonitor, jobFinishWaiters))
            .toList();
    keeper = new LockKeeper(workerContext, queueRuntimes);
  }

  void start(int queue, JobHandler handler) {
    start(queueRuntimes.get(queue).worker(handler));
  }

  void startParents(int queue) {
    start(queueRuntimes.get(queue).parentWorker());
  }

  private void start(QueueWorker worker) {
    started.add(worker);
    worker.start();
  }

  /** Advances the clock, and then checks the locks once. */
  void pass(Duration time) {
    clock.advance(time);
    keeper.tick();
  }

  @Override
  public void close() {
    started.forEach(QueueWorker::requestStop);
    try {
      for (QueueWorker worker : started) {
        if (!worker.awaitStop(Patience.LIMIT)) {
          worker.interruptHandler();
        }
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    queueRuntimes.forEach(QueueRuntime::close);
  }
}
