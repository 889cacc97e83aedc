package io.millrace.redis;

import io.millrace.redis.flow.WorkerStatus;
import io.millrace.redis.work.QueueWorker;

/**
 * A worker that processes the jobs of a queue, one after another, on a platform thread of its own.
 * {@link RedisFlows} usually starts and stops all workers. Thread-safe.
 */
public final class JobWorker {

  private final RedisFlows flows;
  private final QueueWorker worker;

  JobWorker(RedisFlows flows, QueueWorker worker) {
    this.flows = flows;
    this.worker = worker;
  }

  /** Returns the worker's id, which its locks hold. */
  public String id() {
    return worker.id();
  }

  /**
   * Returns the name of its queue; that of a child queue begins with the parent's queue and a
   * colon.
   */
  public String queue() {
    return worker.queue();
  }

  public WorkerStatus status() {
    return worker.status();
  }

  /**
   * Starts to process jobs.
   *
   * @throws IllegalStateException unless it is ready: a worker is started once
   */
  public void start() {
    flows.startLoops();
    worker.start();
  }

  /**
   * Finishes the current job, leases no other, and returns when that is done. A wait for jobs ends
   * at once. A second call waits for the same end.
   *
   * @throws IllegalStateException if it was never started
   */
  public void stop() throws InterruptedException {
    worker.stop();
  }
}
