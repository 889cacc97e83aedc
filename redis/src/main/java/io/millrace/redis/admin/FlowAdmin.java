package io.millrace.redis.admin;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.RedisDialect;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What operators see of the flows on a Redis, and do to them. Every question costs a few round
 * trips, however many flows, queues and jobs there are, and none reads a list as a whole.
 * Thread-safe. All methods throw what {@link Redis} throws, and {@link UnknownFlowException}.
 */
public final class FlowAdmin {

  private static final int MAX_ON_A_PAGE = 1_000;

  private final Redis redis;
  private final RedisDialect redisDialect;
  private final EngineClock clock;
  private final QueueReader queues;
  private final JobPageReader pages;
  private final JobLocator places;
  private final DeadJobRequeuer deadJobRequeuer;

  /**
   * On a Redis.
   *
   * @param clock measures how fast queues are worked on, and tells since when they are paused
   */
  public FlowAdmin(Redis redis, RedisDialect redisDialect, EngineClock clock) {
    this.redis = redis;
    this.redisDialect = redisDialect;
    this.clock = clock;
    this.queues = new QueueReader(redis, redisDialect, clock);
    this.pages = new JobPageReader(redis, redisDialect);
    this.places = new JobLocator(redis, redisDialect);
    this.deadJobRequeuer = new DeadJobRequeuer(redis, redisDialect);
  }

  /** A job by its flow, which for a child is the name of its queue, and its id. */
  public record JobRef(String flow, String id) {}

  /** The flows that processes have told of. */
  public FlowRegistry registry() {
    return FlowRegistry.read(redis);
  }

  /** All flows with the state of their queues. */
  public List<FlowView> flows() {
    FlowRegistry flowRegistry = registry();
    List<RegisteredQueue> nodes =
        flowRegistry.flows().stream().flatMap(flow -> RegisteredQueue.of(flow).stream()).toList();
    List<QueueView> views = nodes.isEmpty() ? List.of() : queues.read(nodes);
    List<FlowView> flows = new ArrayList<>();
    flowRegistry
        .flows()
        .forEach(flow ->
            flows.add(
                new FlowView(
                    flow.name(),
                    flow.lookup(),
                    views.stream().filter(v -> v.queue().flow().equals(flow.name())).toList())));
    return flows;
  }

  /** The state of one queue. */
  public QueueView queue(String flow, String queue) {
    return queues.read(List.of(registry().queue(flow, queue))).getFirst();
  }

  /**
   * A page of the jobs of a queue: those that wait in the order in which they are taken, delayed
   * ones by the time at which they are due, dead ones the newest first.
   *
   * @param limit 1 to 1,000
   * @param cursor {@code next} of the page before; null for the first
   * @throws InvalidRequestException if the cursor is none, or the limit another
   */
  public JobPage jobs(String flow, String queue, JobList list, int limit, @Nullable String cursor) {
    if (limit < 1 || limit > MAX_ON_A_PAGE) {
      throw new InvalidRequestException(
          "A page of jobs cannot have " + limit + "; expected 1 to " + MAX_ON_A_PAGE + ".");
    }
    FlowRegistry flowRegistry = registry();
    RegisteredQueue node = flowRegistry.queue(flow, queue);
    return pages.read(node, flowRegistry.jobFlows(node), list, limit, cursor);
  }

  /** Where jobs are, in their order; in no list for those that there are not. */
  public List<JobLocation> places(List<JobRef> jobs) {
    return places.find(registry(), jobs);
  }

  /**
   * Has the workers of Millrace take no more jobs from the queue, in whichever flow it is.
   *
   * @param by who wants it, and {@code why}: shown to others; null when that is not to be told
   */
  public QueueView pause(String flow, String queue, @Nullable String by, @Nullable String why) {
    RegisteredQueue node = registry().queue(flow, queue);
    QueuePause queuePause =
        new QueuePause(why, by, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    redis.call("SET", MillraceKeys.paused(node.name()), queuePause.text());
    return queues.read(List.of(node)).getFirst();
  }

  /** Ends that. */
  public QueueView resume(String flow, String queue) {
    RegisteredQueue node = registry().queue(flow, queue);
    redis.call("DEL", MillraceKeys.paused(node.name()));
    return queues.read(List.of(node)).getFirst();
  }

  /**
   * Puts dead jobs of the flow back to those that wait, as if they had never failed. Those of other
   * flows in the queue are left as they are.
   *
   * @param ids which; empty for all of the flow, at most 10,000 at a time
   */
  public RequeueResult requeue(String flow, String queue, List<String> ids) {
    FlowRegistry flowRegistry = registry();
    RegisteredQueue node = flowRegistry.queue(flow, queue);
    return deadJobRequeuer.of(flowRegistry.flow(flow), node, flowRegistry.jobFlows(node), ids);
  }

  /** When a job was made, by its id; empty for ids of another kind. */
  public static Optional<Instant> madeAt(String id) {
    return AdminReplies.madeAt(id);
  }

  /** The protocol that is spoken. */
  public RedisDialect dialect() {
    return redisDialect;
  }
}
