package io.millrace.redis.admin;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.wire.OwnKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The flows that processes have told of, as they are now. Immutable. */
public final class Registry {

  private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

  private final SortedMap<String, Flow> flows = new TreeMap<>();

  private Registry() {}

  /** Reads all of them; what is no flow is left out. */
  static Registry read(Redis redis) {
    Registry registry = new Registry();
    List<String> pairs = Replies.texts(redis.call("HGETALL", OwnKeys.flows()));
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      registry.add(pairs.get(i), pairs.get(i + 1));
    }
    return registry;
  }

  private void add(String name, String text) {
    try {
      flows.put(name, FlowJson.read(text));
    } catch (InvalidRequestException e) {
      LOG.debug("The entry {} of {} is no flow", name, OwnKeys.flows(), e);
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
  public QueueNode queue(String flow, String queue) {
    List<QueueNode> nodes = QueueNode.of(flow(flow));
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
                    + String.join(", ", nodes.stream().map(QueueNode::name).toList())
                    + "."));
  }

  /** Whether jobs named by this flow are children, whose queue is called like that. */
  public boolean isOfChildren(String jobFlow) {
    return queuesOf(jobFlow).stream().anyMatch(queue -> queue.parent() != null);
  }

  /** The queues that jobs named by this flow may be in; none when nobody has told of it. */
  List<QueueNode> queuesOf(String jobFlow) {
    return flows.values().stream()
        .flatMap(flow -> QueueNode.of(flow).stream())
        .filter(node -> node.jobFlow().equals(jobFlow))
        .toList();
  }

  /** The flows by which the jobs of a queue may be named, the given one first. */
  List<String> jobFlows(QueueNode queue) {
    List<String> names = new ArrayList<>();
    names.add(queue.jobFlow());
    flows.values().stream()
        .flatMap(flow -> QueueNode.of(flow).stream())
        .filter(node -> node.name().equals(queue.name()))
        .map(QueueNode::jobFlow)
        .filter(name -> !names.contains(name))
        .forEach(names::add);
    return names;
  }
}
