package io.millrace.redis;

import static io.millrace.instance.InvalidRequestException.given;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.JobHandler;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A flow, and which of its queues a process works on. Immutable; the methods return changed copies.
 *
 * @param services none for a process that only makes jobs and looks at them
 */
public record FlowWork(Flow flow, List<Service> services) {

  /**
   * Workers of a queue.
   *
   * @param queue in Redis; a child's is {@code <parentQueue>:<child>}
   * @param workers how many jobs at a time; 1 to 10,000
   * @param handler null where parents make their children and wait for them
   */
  public record Service(String queue, int workers, @Nullable JobHandler handler) {

    private static final int MOST = 10_000;

    public Service {
      if (workers < 1 || workers > MOST) {
        throw new InvalidRequestException(
            "Queue " + queue + " is given " + workers + " workers; expected 1 to " + MOST + ".");
      }
    }
  }

  public FlowWork {
    given(flow, "The flow");
    services = List.copyOf(given(services, "The services of flow " + flow.name()));
    for (Service service : services) {
      requireFit(flow, service);
    }
  }

  public static FlowWork of(Flow flow) {
    return new FlowWork(flow, List.of());
  }

  /** Has a number of workers do the work of a queue, each one job at a time. */
  public FlowWork serve(String queue, int workers, JobHandler handler) {
    return with(new Service(queue, workers, given(handler, "The handler of " + queue)));
  }

  /** Has a number of parents make their children, and wait for them. */
  public FlowWork parents(String queue, int workers) {
    return with(new Service(queue, workers, null));
  }

  private static void requireFit(Flow flow, Service service) {
    boolean isOfParents = !flow.queue(service.queue()).children().isEmpty();
    if (isOfParents && service.handler() != null) {
      throw new InvalidRequestException(
          "Queue "
              + service.queue()
              + " of flow "
              + flow.name()
              + " makes children: it is served by parents, which need no handler.");
    }
    if (!isOfParents && service.handler() == null) {
      throw new InvalidRequestException(
          "Queue " + service.queue() + " has no children; give it a handler instead.");
    }
  }

  private FlowWork with(Service service) {
    List<Service> more = new ArrayList<>(services);
    more.add(service);
    return new FlowWork(flow, more);
  }
}
