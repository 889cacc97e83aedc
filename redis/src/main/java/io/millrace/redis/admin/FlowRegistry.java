package io.millrace.redis.admin;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.wire.MillraceKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The flows that processes have registered, at the time of reading. Immutable. */
public final class FlowRegistry {

  private static final Logger LOG = LoggerFactory.getLogger(FlowRegistry.class);

  private final SortedMap<String, Flow> flows = new TreeMap<>();

  private FlowRegistry() {}

  /** Reads all flows; an invalid entry is skipped. */
  static FlowRegistry read(Redis redis) {
    FlowRegistry flowRegistry = new FlowRegistry();
    List<String> pairs = AdminReplies.texts(redis.call("HGETALL", MillraceKeys.flows()));
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      flowRegistry.add(pairs.get(i), pairs.get(i + 1));
    }
    return flowRegistry;
  }

  private void add(String name, String text) {
    try {
      flows.put(name, FlowJson.read(text));
    } catch (InvalidRequestException e) {
      LOG.debug("The entry {} of {} is no flow", name, MillraceKeys.flows(), e);
    }
  }

  /** Returns the flows by name. */
  public List<Flow> flows() {
    return List.copyOf(flows.values());
  }

  /** Returns a flow; if it does not exist, the error lists those that do. */
  public Flow flow(String name) {
    Flow flow = flows.get(name);
    if (flow == null) {
      throw new UnknownFlowException(
          "There is no flow '"
              + name
              + "'"
              + (flows.isEmpty()
                  ? "; no process has told of any."
                  : "; expected one of " + String.join(", ", flows.keySet()) + "."));
    }
    return flow;
  }

  /** Returns a queue of a flow; if it does not exist, the error lists those that do. */
  public RegisteredQueue queue(String flow, String queue) {
    List<RegisteredQueue> nodes = RegisteredQueue.of(flow(flow));
    return nodes.stream()
        .filter(node -> node.name().equals(queue))
        .findFirst()
        .orElseThrow(() ->
            new UnknownFlowException(
                "Flow '"
                    + flow
                    + "' has no queue '"
                    + queue
                    + "'; expected one of "
                    + String.join(", ", nodes.stream().map(RegisteredQueue::name).toList())
                    + "."));
  }

  /** Returns true if jobs of this flow name are children, whose queue has the same name. */
  public boolean isChildQueue(String jobFlow) {
    return queuesOf(jobFlow).stream().anyMatch(queue -> queue.parent() != null);
  }

  /**
   * Returns the queues that jobs of this flow name may be in; none when no process has registered
   * it.
   */
  List<RegisteredQueue> queuesOf(String jobFlow) {
    return flows.values().stream()
        .flatMap(flow -> RegisteredQueue.of(flow).stream())
        .filter(node -> node.jobFlow().equals(jobFlow))
        .toList();
  }

  /** Returns the flows that the jobs of a queue may belong to, the given queue's first. */
  List<String> jobFlows(RegisteredQueue queue) {
    List<String> names = new ArrayList<>();
    names.add(queue.jobFlow());
    flows.values().stream()
        .flatMap(flow -> RegisteredQueue.of(flow).stream())
        .filter(node -> node.name().equals(queue.name()))
        .map(RegisteredQueue::jobFlow)
        .filter(name -> !names.contains(name))
        .forEach(names::add);
    return names;
  }
}
