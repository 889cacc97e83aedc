package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.continuous.Rollout.CurrentNode;
import io.millrace.continuous.Rollout.Phase;
import io.millrace.continuous.Rollout.Progress;
import io.millrace.continuous.Rollout.Stage;
import io.millrace.continuous.RolloutWorkflow.Input;
import io.millrace.continuous.RolloutWorkflow.Target;
import io.millrace.continuous.RolloutWorkflow.Targets;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A reader of rollouts, from their instances and from the executors that they replace. */
final class RolloutReader {

  private static final Map<String, Phase> PHASES =
      Map.of(
          RolloutWorkflow.QUEUE, Phase.QUEUED,
          RolloutWorkflow.PAUSED, Phase.PAUSED,
          RolloutWorkflow.ABORTED, Phase.ABORTED,
          RolloutWorkflow.END, Phase.COMPLETED);
  private static final Map<String, Stage> STAGES =
      Map.of(RolloutWorkflow.LEAVING, Stage.LEAVING, RolloutWorkflow.RETURNING, Stage.RETURNING);

  private final String group;
  private final Store store;
  private final Codec codec;

  RolloutReader(String group, Store store, Codec codec) {
    this.group = group;
    this.store = store;
    this.codec = codec;
  }

  Rollout read(WorkflowInstance instance) {
    Variables variables = new Variables(store.queries().variables(instance.id()), codec);
    Input input = codec.decode(store.queries().input(instance.id()).orElseThrow(), Input.class);
    List<Target> targets =
        variables.find(RolloutWorkflow.TARGETS, Targets.class).map(Targets::all).orElse(List.of());
    int done = variables.find(RolloutWorkflow.DONE, Integer.class).orElse(0);
    Phase phase = phase(instance);
    CurrentNode currentNode =
        phase.isTerminal() || done >= targets.size()
            ? null
            : current(instance, variables, targets.get(done));
    return new Rollout(
        instance.id(),
        new Rollout.Origin(input.request().reason(), input.by(), instance.timing().created()),
        phase,
        new Progress(targets.stream().map(Target::node).toList(), done, currentNode),
        instance.position().reason(),
        instance.timing().modified());
  }

  private @Nullable CurrentNode current(
      WorkflowInstance instance, Variables variables, Target target) {
    String state = variables.find(RolloutWorkflow.BACK, String.class).orElse("");
    boolean paused = instance.state().equals(RolloutWorkflow.PAUSED);
    Stage stage = STAGES.get(paused ? state : instance.state());
    if (stage == null) {
      return null;
    }
    Optional<ExecutorInfo> executor =
        store.executors().list(group).stream()
            .filter(one -> one.id() == target.executorId())
            .findFirst();
    ExecutorInfo.Drain drain = executor.map(ExecutorInfo::drain).orElse(null);
    boolean left = stage == Stage.RETURNING;
    Instant away = variables.find(RolloutWorkflow.SINCE, Instant.class).orElse(null);
    return new CurrentNode(
        target.node(),
        target.executorId(),
        stage,
        left ? away : drain == null ? null : drain.requested(),
        left || drain == null ? null : drain.deadline(),
        left ? 0 : executor.map(one -> one.load().held()).orElse(0));
  }

  private static Phase phase(WorkflowInstance instance) {
    InstanceStatus status = instance.status();
    if (status == InstanceStatus.FAILED) {
      return Phase.FAILED;
    }
    if (status == InstanceStatus.CANCELLED) {
      return Phase.ABORTED;
    }
    return Objects.requireNonNullElse(PHASES.get(instance.state()), Phase.RUNNING);
  }

  /** The variables of a rollout's instance. */
  private record Variables(Map<String, String> texts, Codec codec) {
    <T> Optional<T> find(String name, Class<T> type) {
      return Optional.ofNullable(texts.get(name)).map(text -> codec.decode(text, type));
    }
  }
}
