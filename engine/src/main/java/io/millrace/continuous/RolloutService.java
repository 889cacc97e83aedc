package io.millrace.continuous;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.codec.Codec;
import io.millrace.continuous.RolloutWorkflow.Command;
import io.millrace.continuous.RolloutWorkflow.CommandType;
import io.millrace.continuous.RolloutWorkflow.Input;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.extension.EngineServices;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.instance.StopReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorStore.SignalRequest;
import io.millrace.store.Store;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rollouts of an executor group. They form a chain, in which each is started once after its
 * predecessor and waits for the predecessor's end, so that no two of a group ever run at the same
 * time. A recycle yields to a rollout. Thread-safe.
 */
public final class RolloutService {

  private static final int MAX_TRIES = 100;

  private final String group;
  private final Store store;
  private final RolloutReader reader;
  private final Codec codec;
  private final EngineServices services;

  public RolloutService(Store store, Codec codec, EngineServices services) {
    this.group = services.executorGroup();
    this.store = store;
    this.reader = new RolloutReader(group, store, codec);
    this.codec = codec;
    this.services = services;
  }

  /**
   * Returns the definition that every node of a group needs, so that rollouts continue whichever
   * node stops.
   */
  public static WorkflowDefinition definition(String group, Store store) {
    return new RolloutWorkflow(group, store.executors(), store.queries()).definition();
  }

  /**
   * Starts a rollout, behind those that are under way.
   *
   * @return the instance that carries it out
   */
  public long start(RolloutRequest request, OperatorAction action) {
    requirePresent(request, "The request for a rollout");
    requirePresent(action, "The operator action, which names actor and reason,");
    if (store.definitions().latest(RolloutWorkflow.TYPE).isEmpty()) {
      throw new InvalidRequestException(
          "No engine of group '"
              + group
              + "' carries out rollouts; call rollouts() on the builder of each.");
    }
    if (request.reason() == StopReason.ROLLOUT) {
      list(MAX_TRIES).stream()
          .filter(one -> one.reason() == StopReason.RECYCLE && !one.phase().isTerminal())
          .forEach(
              one -> abort(one.id(), OperatorAction.by(action.actor(), "a rollout comes first")));
    }
    return chain(request, action, null);
  }

  /**
   * Starts a rollout unless one has been started under this key.
   *
   * @return the instance that carries it out, or did
   */
  long startOnce(RolloutRequest request, OperatorAction action, String key) {
    return chain(request, action, key);
  }

  /**
   * Appends a rollout to the chain. The newest one is read before the key is looked up: if the key
   * is used in between, so is the place behind the newest one.
   */
  private long chain(RolloutRequest request, OperatorAction action, @Nullable String key) {
    for (int tries = 1; ; tries++) {
      Long after = newest().map(WorkflowInstance::id).orElse(null);
      Optional<Long> known = key == null ? Optional.empty() : begun(key);
      if (known.isPresent()) {
        return known.get();
      }
      StartRequest start =
          StartRequest.of(RolloutWorkflow.TYPE, new Input(request, after, action.summary()))
              .externalId(after == null ? "first" : "after-" + after);
      try {
        return services.start(key == null ? start : start.businessKey(key), group).id();
      } catch (ConflictException e) {
        // Another rollout came in between; this one comes behind it.
        if (tries == MAX_TRIES) {
          throw e;
        }
      }
    }
  }

  private Optional<Long> begun(String key) {
    InstanceQuery query =
        InstanceQuery.all()
            .type(RolloutWorkflow.TYPE)
            .executorGroup(group)
            .businessKey(key)
            .limit(1);
    return store.queries().search(query, null).items().stream()
        .map(WorkflowInstance::id)
        .findFirst();
  }

  private Optional<WorkflowInstance> newest() {
    return search(1).stream().findFirst();
  }

  private List<WorkflowInstance> search(int limit) {
    InstanceQuery query =
        InstanceQuery.all().type(RolloutWorkflow.TYPE).executorGroup(group).limit(limit);
    return store.queries().search(query, null).items();
  }

  /** Returns the newest rollouts of the group, newest first. */
  public List<Rollout> list(int limit) {
    return search(limit).stream().map(reader::read).toList();
  }

  /**
   * Returns a rollout.
   *
   * @throws UnknownRolloutException when there is none
   */
  public Rollout get(long id) {
    return reader.read(find(id));
  }

  /** Pauses a rollout: it drains no further node, but a node being replaced still is. */
  public void pause(long id, OperatorAction action) {
    steer(id, CommandType.PAUSE, action);
  }

  public void resume(long id, OperatorAction action) {
    steer(id, CommandType.RESUME, action);
  }

  /** Aborts a rollout. A node that is leaving still leaves. */
  public void abort(long id, OperatorAction action) {
    steer(id, CommandType.ABORT, action);
  }

  private void steer(long id, CommandType commandType, OperatorAction action) {
    find(id);
    String command = codec.encode(new Command(commandType, action.summary()));
    services.signal(new SignalRequest(id, RolloutWorkflow.STEER, command, action.actor(), null));
  }

  private WorkflowInstance find(long id) {
    return store
        .queries()
        .find(id)
        .filter(one -> Objects.equals(one.type(), RolloutWorkflow.TYPE))
        .orElseThrow(() -> new UnknownRolloutException(id));
  }
}
