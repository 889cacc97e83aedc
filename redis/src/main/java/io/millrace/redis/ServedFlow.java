package io.millrace.redis;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow with the queues that a process serves. Immutable; the methods return changed copies.
 *
 * @param workerPools empty for a process that only creates and reads jobs
 */
public record ServedFlow(Flow flow, List<WorkerPool> workerPools) {

  /**
   * Workers of a queue.
   *
   * @param queue the queue's name in Redis; that of a child queue is {@code <parentQueue>:<child>}
   * @param workers the number of workers, each with one job at a time; 1 to 10,000
   * @param handler null for parents, which create their children and wait for them
   */
  public record WorkerPool(String queue, int workers, @Nullable JobHandler handler) {

    private static final int MAX = 10_000;

    public WorkerPool {
      if (workers < 1 || workers > MAX) {
        throw new InvalidRequestException(
            "Queue " + queue + " is given " + workers + " workers; expected 1 to " + MAX + ".");
      }
    }
  }

  public ServedFlow {
    requirePresent(flow, "The flow");
    workerPools =
        List.copyOf(requirePresent(workerPools, "The worker pools of flow " + flow.name()));
    for (WorkerPool workerPool : workerPools) {
      requireFit(flow, workerPool);
    }
  }

  public static ServedFlow of(Flow flow) {
    return new ServedFlow(flow, List.of());
  }

  /** Adds workers for a queue, each of which processes one job at a time. */
  public ServedFlow serve(String queue, int workers, JobHandler handler) {
    return with(new WorkerPool(queue, workers, requirePresent(handler, "The handler of " + queue)));
  }

  /** Adds parent workers, which create the children of jobs and wait for them. */
  public ServedFlow serveParents(String queue, int workers) {
    return with(new WorkerPool(queue, workers, null));
  }

  private static void requireFit(Flow flow, WorkerPool workerPool) {
    boolean isOfParents = !flow.queue(workerPool.queue()).children().isEmpty();
    if (isOfParents && workerPool.handler() != null) {
      throw new InvalidRequestException(
          "Queue "
              + workerPool.queue()
              + " of flow "
              + flow.name()
              + " has children; expected no handler. Use serveParents instead.");
    }
    if (!isOfParents && workerPool.handler() == null) {
      throw new InvalidRequestException(
          "Queue "
              + workerPool.queue()
              + " has no children; expected a handler. Use serve instead.");
    }
  }

  private ServedFlow with(WorkerPool workerPool) {
    List<WorkerPool> more = new ArrayList<>(workerPools);
    more.add(workerPool);
    return new ServedFlow(flow, more);
  }
}
