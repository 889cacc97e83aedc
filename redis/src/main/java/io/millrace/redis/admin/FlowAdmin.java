package io.millrace.redis.admin;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Administration of the flows on a Redis. Every query takes a few round trips, however many flows,
 * queues and jobs there are, and none reads a whole list. Thread-safe. All methods throw the
 * exceptions of {@link Redis}, and {@link UnknownFlowException}.
 */
public final class FlowAdmin {

  private static final int MAX_ON_A_PAGE = 1_000;

  private final Redis redis;
  private final EngineClock clock;
  private final QueueReader queues;
  private final JobPageReader pages;
  private final JobLocator places;
  private final DeadJobRequeuer deadJobRequeuer;

  /**
   * Creates an administration.
   *
   * @param clock measures the throughput of queues, and gives the start time of pauses
   */
  public FlowAdmin(Redis redis, EngineClock clock) {
    this.redis = redis;
    this.clock = clock;
    this.queues = new QueueReader(redis, clock);
    this.pages = new JobPageReader(redis);
    this.places = new JobLocator(redis);
    this.deadJobRequeuer = new DeadJobRequeuer(redis);
  }

  /** A job by its flow and id; the flow of a child job is the name of its queue. */
  public record JobRef(String flow, String id) {}

  /** Returns the flows that processes have registered. */
  public FlowRegistry registry() {
    return FlowRegistry.read(redis);
  }

  /** Returns all flows with the state of their queues. */
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

  /** Returns the state of one queue. */
  public QueueView queue(String flow, String queue) {
    return queues.read(List.of(registry().queue(flow, queue))).getFirst();
  }

  /**
   * Returns a page of the jobs of a queue: waiting jobs in the order in which they are leased,
   * delayed ones by the time at which they are due, dead ones the newest first.
   *
   * @param limit 1 to 1,000
   * @param cursor {@code next} of the page before; null for the first
   * @throws InvalidRequestException if the cursor or the limit is invalid
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

  /** Returns the locations of jobs, in their order; jobs that do not exist are in no list. */
  public List<JobLocation> places(List<JobRef> jobs) {
    return places.find(registry(), jobs);
  }

  /**
   * Pauses a queue: workers of Millrace lease no more jobs from it, whichever flow these belong to.
   *
   * @param by who requests the pause; shown to others, null for unknown
   * @param why the reason; shown to others, null for none
   */
  public QueueView pause(String flow, String queue, @Nullable String by, @Nullable String why) {
    RegisteredQueue node = registry().queue(flow, queue);
    QueuePause queuePause =
        new QueuePause(why, by, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    redis.call("SET", MillraceKeys.paused(node.name()), queuePause.text());
    return queues.read(List.of(node)).getFirst();
  }

  /** Ends the pause of a queue. */
  public QueueView resume(String flow, String queue) {
    RegisteredQueue node = registry().queue(flow, queue);
    redis.call("DEL", MillraceKeys.paused(node.name()));
    return queues.read(List.of(node)).getFirst();
  }

  /**
   * Requeues dead jobs of the flow: they wait again, as if they had never failed. Dead jobs of
   * other flows in the queue stay.
   *
   * @param ids the jobs; empty for all of the flow, at most 10,000 at a time
   */
  public RequeueResult requeue(String flow, String queue, List<String> ids) {
    FlowRegistry flowRegistry = registry();
    RegisteredQueue node = flowRegistry.queue(flow, queue);
    return deadJobRequeuer.of(flowRegistry.flow(flow), node, flowRegistry.jobFlows(node), ids);
  }

  /** Returns when a job was created, by its id; empty for ids of another kind. */
  public static Optional<Instant> madeAt(String id) {
    return AdminReplies.madeAt(id);
  }
}
