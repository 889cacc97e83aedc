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

/** The flows that processes have told of, as they are now. Immutable. */
public final class FlowRegistry {

  private static final Logger LOG = LoggerFactory.getLogger(FlowRegistry.class);

  private final SortedMap<String, Flow> flows = new TreeMap<>();

  private FlowRegistry() {}

  /** Reads all of them; what is no flow is left out. */
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

  /** By their names. */
  public List<Flow> flows() {
    return List.copyOf(flows.values());
  }

  /** One of them, or an error that names those there are. */
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

  /** One of a flow's queues, or an error that names those it has. */
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

  /** Whether jobs named by this flow are children, whose queue is called like that. */
  public boolean isChildQueue(String jobFlow) {
    return queuesOf(jobFlow).stream().anyMatch(queue -> queue.parent() != null);
  }

  /** The queues that jobs named by this flow may be in; none when nobody has told of it. */
  List<RegisteredQueue> queuesOf(String jobFlow) {
    return flows.values().stream()
        .flatMap(flow -> RegisteredQueue.of(flow).stream())
        .filter(node -> node.jobFlow().equals(jobFlow))
        .toList();
  }

  /** The flows by which the jobs of a queue may be named, the given one first. */
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
