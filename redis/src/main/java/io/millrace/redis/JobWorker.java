package io.millrace.redis;

import io.millrace.redis.flow.WorkerStatus;
import io.millrace.redis.work.QueueWorker;

/**
 * Takes the jobs of a queue, one after another, on a virtual thread of its own. Usually started and
 * stopped with all others by {@link RedisFlows}. Thread-safe.
 */
public final class JobWorker {

  private final RedisFlows flows;
  private final QueueWorker worker;

  JobWorker(RedisFlows flows, QueueWorker worker) {
    this.flows = flows;
    this.worker = worker;
  }

  /** What its locks hold. */
  public String id() {
    return worker.id();
  }

  /** The name of its queue; of a child's with the parent's and a colon before it. */
  public String queue() {
    return worker.queue();
  }

  public WorkerStatus status() {
    return worker.status();
  }

  /**
   * Begins to take jobs.
   *
   * @throws IllegalStateException unless it is ready: a worker is started once
   */
  public void start() {
    flows.startLoops();
    worker.start();
  }

  /**
   * Ends the job in hand, takes no other, and returns when that is done; a wait for jobs ends at
   * once. Stopping again waits for the same end.
   *
   * @throws IllegalStateException if it was never started
   */
  public void stop() throws InterruptedException {
    worker.stop();
  }
}
