package io.millrace.redis;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.jobs.JobView;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A client of one flow: it creates and finds the flow's jobs, and creates its workers. Thread-safe.
 *
 * <p>Methods that call Redis throw {@link io.millrace.redis.connect.RedisUnavailableException} when
 * Redis is away for longer than {@code RedisSettings.timeout}; its {@code unexecuted} tells whether
 * nothing was done. They throw {@link io.millrace.redis.connect.RedisReplyException} when Redis
 * refuses.
 */
public final class FlowClient {

  private static final int MAX = 10_000;

  private final RedisFlows flows;
  private final Flow flow;

  FlowClient(RedisFlows flows, Flow flow) {
    this.flows = flows;
    this.flow = flow;
  }

  public Flow flow() {
    return flow;
  }

  /**
   * Creates a job in the first queue.
   *
   * @param fields values that Jackson turns into JSON
   * @return the id of the job
   * @throws io.millrace.codec.CodecException if a field cannot be written as JSON
   */
  public String create(Map<String, ?> fields) {
    return create(NewJob.of(fields));
  }

  /**
   * Creates a job with further options. If another job has its unique key, returns the id of that
   * job.
   */
  public String create(NewJob job) {
    return flows.jobs().create(flow, job);
  }

  /**
   * Creates a job under an id of the caller's own, unless a job with this id exists. A caller that
   * does not know whether the call succeeded can repeat it.
   *
   * @param id without a colon; a UUID of version 7 tells the time of creation
   * @return true if this call created the job
   */
  public boolean createWithId(String id, NewJob job) {
    return flows.jobs().createWithId(flow, id, job).created();
  }

  /**
   * Creates many jobs at once, which is much faster; their ids are in the same order. When Redis
   * fails half way, the message tells how many were created.
   */
  public List<String> createAll(List<NewJob> jobs) {
    return flows.jobs().createAll(flow, jobs);
  }

  /** Returns a job with all its fields and its children; empty if there is none. */
  public Optional<JobView> find(String id) {
    return flows.jobs().find(flow.name(), id);
  }

  /**
   * Returns a job with all its fields and its children.
   *
   * @throws io.millrace.redis.jobs.JobNotFoundException if there is none
   */
  public JobView get(String id) {
    return flows.jobs().get(flow.name(), id);
  }

  /**
   * Returns the jobs that were created with a value in a lookup field.
   *
   * @param value a string or number, or an element of an array
   * @param children true to read their children as well
   * @return all jobs with this value, the oldest first
   * @throws InvalidRequestException if the flow has no such lookup field
   */
  public List<JobView> findBy(String field, Object value, boolean children) {
    return flows.jobs().findBy(flow, field, value, children);
  }

  /**
   * Returns such jobs in pages, the newest first and without their children, for values that many
   * jobs have.
   *
   * @param limit 1 or more
   * @param skip the number of newer jobs to skip: {@code next} of the page before, or 0
   */
  public JobStore.FoundJobs newest(String field, Object value, int limit, long skip) {
    return flows.jobs().newest(flow, field, value, limit, skip);
  }

  /**
   * Deletes a job in whatever list it is; a worker that processes it loses it. Returns false when
   * there is no such job.
   */
  public boolean delete(String id) {
    return flows.jobs().delete(flow, id);
  }

  /**
   * Creates a worker. It starts with {@link RedisFlows#start}, or by its own {@code start}.
   *
   * @param queue the queue's name; that of a child queue is the parent's queue, a colon, and its
   *     own name
   * @throws InvalidRequestException if the flow has no such queue
   */
  public JobWorker worker(String queue, JobHandler handler) {
    flow.queue(queue);
    return new JobWorker(flows, flows.runtime().worker(queue, handler));
  }

  /**
   * Creates several workers, each of which processes one job at a time.
   *
   * @param count 1 to 10,000
   */
  public List<JobWorker> workers(String queue, int count, JobHandler handler) {
    return many(count, () -> worker(queue, handler));
  }

  /**
   * Creates a worker of a child queue.
   *
   * @param child the name of the child queue, without the parent's
   */
  public JobWorker childWorker(String parentQueue, String child, JobHandler handler) {
    return worker(ProtocolKeys.childQueue(parentQueue, child), handler);
  }

  /** Creates several workers of a child queue. */
  public List<JobWorker> childWorkers(
      String parentQueue, String child, int count, JobHandler handler) {
    return many(count, () -> childWorker(parentQueue, child, handler));
  }

  /**
   * Creates workers that create the children of a queue's jobs, and complete each job when all its
   * children are done. A waiting parent needs no thread, and its worker goes on to the next job.
   *
   * @param queue the queue's name; of a child queue as in {@link #worker}
   * @throws InvalidRequestException if the queue has no children
   */
  public List<JobWorker> parentWorkers(String queue, int count) {
    flow.queue(queue);
    return many(count, () -> new JobWorker(flows, flows.runtime().parentWorker(queue)));
  }

  /** Returns true if a job has finished, or does not exist; see {@link #await}. */
  public boolean isFinished(String id) {
    return flows.runtime().isFinished(flow, id);
  }

  /**
   * Waits until a job has finished: its field {@code done} is set or it has failed, or a queue
   * without a next queue has completed it. A job that finishes in this process is noticed at once,
   * in another process within a second. A queue whose handlers name the next queue needs a {@code
   * next} as well, because otherwise its jobs seem to have finished there.
   *
   * @return false when it has not finished in time; true also for a job that does not exist, or
   *     whose key holds something else
   */
  public boolean await(String id, Duration patience) throws InterruptedException {
    return flows.runtime().await(flow, id, patience);
  }

  private List<JobWorker> many(int count, Supplier<JobWorker> one) {
    if (count < 1 || count > MAX) {
      throw new InvalidRequestException(
          "Flow "
              + flow.name()
              + " was asked for "
              + count
              + " workers; expected 1 to "
              + MAX
              + ".");
    }
    List<JobWorker> created = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      created.add(one.get());
    }
    return List.copyOf(created);
  }
}
