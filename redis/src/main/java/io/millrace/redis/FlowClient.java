package io.millrace.redis;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.jobs.JobView;
import io.millrace.redis.wire.RedisDialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One flow: makes and finds its jobs, and makes its workers. Thread-safe.
 *
 * <p>All that asks Redis throws {@link io.millrace.redis.connect.RedisUnavailableException} when it
 * is away for longer than {@code RedisSettings.timeout} says; its {@code unexecuted} tells whether
 * nothing was done. They throw {@link io.millrace.redis.connect.RedisReplyException} when it
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
   * Makes a job in the first queue.
   *
   * @param fields values that Jackson turns into JSON
   * @return its id
   * @throws io.millrace.codec.CodecException if a field cannot be written as JSON
   */
  public String create(Map<String, ?> fields) {
    return create(NewJob.of(fields));
  }

  /** The same with more to say; with a unique key answers the id of the job that has it already. */
  public String create(NewJob job) {
    return flows.jobs().create(flow, job);
  }

  /**
   * Makes a job under an id of the caller's own, unless there is one with it: so that somebody who
   * does not know whether this was done may do it again.
   *
   * @param id without a colon; one that tells its time is a UUID of version 7
   * @return whether it was made now
   */
  public boolean createWithId(String id, NewJob job) {
    return flows.jobs().createWithId(flow, id, job).created();
  }

  /**
   * Makes many at once, which is much faster; their ids are in the same order. When Redis fails
   * half way, the message tells how many were made.
   */
  public List<String> createAll(List<NewJob> jobs) {
    return flows.jobs().createAll(flow, jobs);
  }

  /** A job with all its fields and its children; empty when there is none. */
  public Optional<JobView> get(String id) {
    return flows.jobs().get(flow.name(), id);
  }

  /**
   * The jobs that were made with a value in a lookup attribute.
   *
   * @param value a string or number, or what an array has as element
   * @param children whether they come with their children
   * @return all of them, the oldest first
   * @throws InvalidRequestException if the flow has no such lookup attribute
   */
  public List<JobView> find(String attribute, Object value, boolean children) {
    return flows.jobs().find(flow, attribute, value, children);
  }

  /**
   * The same in pages, the newest first and without their children: for values that many have.
   *
   * @param limit 1 or more
   * @param skip so many newer ones are passed over; {@code next} of the page before, or 0
   */
  public JobStore.FoundJobs newest(String attribute, Object value, int limit, long skip) {
    return flows.jobs().newest(flow, attribute, value, limit, skip);
  }

  /** Deletes a job wherever it stands; a worker that has it loses it. False when there is none. */
  public boolean delete(String id) {
    return flows.jobs().delete(flow, id);
  }

  /**
   * A worker that begins with {@link RedisFlows#start}, or by itself.
   *
   * @param queue of children: the parent's queue, a colon, and theirs
   * @throws InvalidRequestException if the flow has no such queue
   */
  public JobWorker worker(String queue, JobHandler handler) {
    flow.queue(queue);
    return new JobWorker(flows, flows.workers().worker(queue, handler));
  }

  /**
   * Several workers, so that as many jobs are done at once.
   *
   * @param count 1 to 10,000
   */
  public List<JobWorker> workers(String queue, int count, JobHandler handler) {
    return many(count, () -> worker(queue, handler));
  }

  /**
   * A worker of the children of a parent's queue.
   *
   * @param child the name of the children's queue, without the parent's
   */
  public JobWorker childWorker(String parentQueue, String child, JobHandler handler) {
    return worker(RedisDialect.childQueue(parentQueue, child), handler);
  }

  /** Several of these. */
  public List<JobWorker> childWorkers(
      String parentQueue, String child, int count, JobHandler handler) {
    return many(count, () -> childWorker(parentQueue, child, handler));
  }

  /**
   * Workers that make the children of a queue's jobs, and complete each job when all its children
   * have ended. A parent that waits takes no thread, and its worker goes on to the next.
   *
   * @param queue of children that have children of their own: as in {@link #worker}
   * @throws InvalidRequestException if the queue has no children
   */
  public List<JobWorker> parentWorkers(String queue, int count) {
    flow.queue(queue);
    return many(count, () -> new JobWorker(flows, flows.workers().parentWorker(queue)));
  }

  /** Whether a job has ended, or is gone; see {@link #await}. */
  public boolean hasEnded(String id) {
    return flows.workers().hasEnded(flow, id);
  }

  /**
   * Waits until a job has ended: it is done or has failed, or one of the flow's queues that lead
   * nowhere has completed it. Ends by this process are known at once, others within a second. A
   * queue whose handlers name the next one needs a {@code next} too, or its jobs seem to have ended
   * there.
   *
   * @return false when it has not ended in time; true also for one that is gone, or never was
   */
  public boolean await(String id, Duration patience) throws InterruptedException {
    return flows.workers().await(flow, id, patience);
  }

  private List<JobWorker> many(int count, Supplier<JobWorker> one) {
    if (count < 1 || count > MAX) {
      throw new InvalidRequestException(
          "Flow " + flow.name() + " was asked for " + count + " workers; give it 1 to " + MAX);
    }
    List<JobWorker> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(one.get());
    }
    return List.copyOf(made);
  }
}
