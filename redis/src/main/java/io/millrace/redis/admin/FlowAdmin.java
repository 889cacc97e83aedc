package io.millrace.redis.admin;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.OwnKeys;
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

  private static final int MOST_ON_A_PAGE = 1_000;

  private final Redis redis;
  private final Dialect dialect;
  private final EngineClock clock;
  private final QueueReader queues;
  private final PageReader pages;
  private final PlaceFinder places;
  private final Requeue requeue;

  /**
   * On a Redis.
   *
   * @param clock measures how fast queues are worked on, and tells since when they are paused
   */
  public FlowAdmin(Redis redis, Dialect dialect, EngineClock clock) {
    this.redis = redis;
    this.dialect = dialect;
    this.clock = clock;
    this.queues = new QueueReader(redis, dialect, clock);
    this.pages = new PageReader(redis, dialect);
    this.places = new PlaceFinder(redis, dialect);
    this.requeue = new Requeue(redis, dialect);
  }

  /** A job by its flow, which for a child is the name of its queue, and its id. */
  public record Ref(String flow, String id) {}

  /** The flows that processes have told of. */
  public Registry registry() {
    return Registry.read(redis);
  }

  /** All flows with the state of their queues. */
  public List<FlowView> flows() {
    Registry registry = registry();
    List<QueueNode> nodes =
        registry.flows().stream().flatMap(flow -> QueueNode.of(flow).stream()).toList();
    List<QueueView> views = nodes.isEmpty() ? List.of() : queues.read(nodes);
    List<FlowView> flows = new ArrayList<>();
    registry
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
    if (limit < 1 || limit > MOST_ON_A_PAGE) {
      throw new InvalidRequestException(
          "A page of jobs cannot have " + limit + "; expected 1 to " + MOST_ON_A_PAGE + ".");
    }
    Registry registry = registry();
    QueueNode node = registry.queue(flow, queue);
    return pages.read(node, registry.jobFlows(node), list, limit, cursor);
  }

  /** Where jobs are, in their order; in no list for those that there are not. */
  public List<Place> places(List<Ref> jobs) {
    return places.find(registry(), jobs);
  }

  /**
   * Has the workers of Millrace take no more jobs from the queue, in whichever flow it is.
   *
   * @param by who wants it, and {@code why}: shown to others; null when that is not to be told
   */
  public QueueView pause(String flow, String queue, @Nullable String by, @Nullable String why) {
    QueueNode node = registry().queue(flow, queue);
    Pause pause = new Pause(why, by, clock.instant().truncatedTo(ChronoUnit.SECONDS));
    redis.call("SET", OwnKeys.paused(node.name()), pause.text());
    return queues.read(List.of(node)).getFirst();
  }

  /** Ends that. */
  public QueueView resume(String flow, String queue) {
    QueueNode node = registry().queue(flow, queue);
    redis.call("DEL", OwnKeys.paused(node.name()));
    return queues.read(List.of(node)).getFirst();
  }

  /**
   * Puts dead jobs of the flow back to those that wait, as if they had never failed. Those of other
   * flows in the queue are left as they are.
   *
   * @param ids which; empty for all of the flow, at most 10,000 at a time
   */
  public Requeued requeue(String flow, String queue, List<String> ids) {
    Registry registry = registry();
    QueueNode node = registry.queue(flow, queue);
    return requeue.of(registry.flow(flow), node, registry.jobFlows(node), ids);
  }

  /** When a job was made, by its id; empty for ids of another kind. */
  public static Optional<Instant> madeAt(String id) {
    return Replies.madeAt(id);
  }

  /** The protocol that is spoken. */
  public Dialect dialect() {
    return dialect;
  }
}
