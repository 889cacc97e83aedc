package io.millrace.tests.store;

import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.Progress;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OperatorCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A generator of calls that mostly fit the current state of a store, and sometimes come too late.
 */
final class ModelGenerator {

  private final Random random;
  private final ModelStore present;
  private final List<ModelOp.Fence> passed = new ArrayList<>();
  private int names;

  ModelGenerator(long seed, ModelStore present) {
    this.random = new Random(seed);
    this.present = present;
  }

  ModelOp next() {
    if (present.executors() < 2) {
      return new ModelOp.Register(present.executors());
    }
    if (present.instances() < 3) {
      return start();
    }
    int dice = random.nextInt(100);
    if (dice < 10) {
      return start();
    } else if (dice < 30) {
      return claim();
    } else if (dice < 58) {
      return saves();
    } else if (dice < 68) {
      return action();
    } else if (dice < 75) {
      return new ModelOp.Send(
          instance(), pick("a", "b"), pick(null, "{\"x\":1}"), pick(null, null, "k1", "k2"));
    } else if (dice < 85) {
      return ofHolder();
    } else if (dice < 92) {
      return ofExecutor();
    } else if (dice < 99) {
      return new ModelOp.AdvanceClock(Duration.ofMillis(random.nextInt(15_000)));
    }
    return new ModelOp.ApplyRetention(random.nextBoolean(), Duration.ofSeconds(random.nextInt(60)));
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private int instance() {
    return random.nextInt(present.instances());
  }

  private int executor() {
    return random.nextInt(present.executors());
  }

  private Due due() {
    return switch (random.nextInt(5)) {
      case 0 -> new Due.After(Duration.ofMillis(random.nextInt(30_000)));
      case 1 -> new Due.After(Duration.ofSeconds(5));
      case 2 -> new Due.Never();
      default -> Due.NOW;
    };
  }

  private ModelOp start() {
    // The order of ids within one call is up to the store, and so is the choice between two equal
    // instances in a claim.
    if (random.nextInt(3) == 0) {
      return new ModelOp.Start(List.of(newInstance("x" + random.nextInt(5))));
    }
    List<ModelOp.New> all = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      all.add(newInstance(null));
    }
    return new ModelOp.Start(all);
  }

  private ModelOp.New newInstance(String externalId) {
    return newInstance(
        random.nextInt(2), random.nextInt(ModelStore.DEFINITIONS.size()), externalId);
  }

  private ModelOp.New newInstance(int group, int definition, String externalId) {
    Map<String, String> variables = new TreeMap<>();
    if (random.nextBoolean()) {
      variables.put("v" + random.nextInt(3), Integer.toString(random.nextInt(3)));
    }
    return new ModelOp.New(
        group,
        definition,
        random.nextInt(3),
        externalId,
        pick(null, "{\"in\":1}"),
        variables,
        due(),
        random.nextInt(5) == 0 ? executor() : null);
  }

  private ModelOp claim() {
    List<Integer> definitions = random.nextInt(4) == 0 ? List.of(random.nextInt(2)) : List.of(0, 1);
    return new ModelOp.Claim(executor(), random.nextInt(2), definitions, 1 + random.nextInt(5));
  }

  /** Returns the instances that an executor holds. */
  private List<WorkflowInstance> held() {
    List<WorkflowInstance> held = new ArrayList<>();
    for (int i = 0; i < present.instances(); i++) {
      WorkflowInstance instance = present.read(i);
      if (instance != null && instance.lease().executorId() != null) {
        held.add(instance);
      }
    }
    return held;
  }

  private static ModelOp.Fence fence(WorkflowInstance held) {
    int executor = Math.toIntExact(held.lease().executorId());
    return new ModelOp.Fence(
        Math.toIntExact(held.id()), executor, held.lease().leaseVersion(), held.seq());
  }

  private ModelOp.Fence remembered(ModelOp.Fence fence) {
    passed.add(fence);
    return fence;
  }

  /**
   * Returns a current fence, or occasionally an older one, whose lease may have been lost since.
   */
  private ModelOp.Fence fenceOrOld(WorkflowInstance held) {
    return passed.isEmpty() || random.nextInt(8) > 0
        ? remembered(fence(held))
        : pick(passed.toArray(ModelOp.Fence[]::new));
  }

  private ModelOp saves() {
    List<WorkflowInstance> held = held();
    List<ModelOp.Transition> transitions = new ArrayList<>();
    Set<Long> taken = new HashSet<>();
    for (int i = random.nextInt(4); i >= 0 && !held.isEmpty(); i--) {
      ModelOp.Fence fence = fenceOrOld(held.get(random.nextInt(held.size())));
      WorkflowInstance instance = present.read(fence.instance());
      // Parents and children are not mixed, because their order is up to the store.
      if (instance != null && isNew(taken, instance)) {
        boolean first = transitions.isEmpty();
        transitions.add(
            transition(fence, instance, first && random.nextInt(3) == 0 ? children() : List.of()));
      }
    }
    return transitions.isEmpty() ? claim() : new ModelOp.SaveAll(transitions);
  }

  private boolean isNew(Set<Long> taken, WorkflowInstance instance) {
    Long parent = instance.origin().parentId();
    boolean related = parent != null && taken.contains(parent);
    for (long other : taken) {
      WorkflowInstance o = present.read((int) other);
      related |=
          o != null && o.origin().parentId() != null && o.origin().parentId() == instance.id();
    }
    return !related && taken.add(instance.id());
  }

  private List<ModelOp.New> children() {
    List<ModelOp.New> children = new ArrayList<>();
    int group = random.nextInt(2);
    int definition = random.nextInt(ModelStore.DEFINITIONS.size());
    for (int i = random.nextInt(3); i >= 0; i--) {
      children.add(newInstance(group, definition, String.format(Locale.ROOT, "c%04d", names++)));
    }
    return children;
  }

  private ModelOp.Transition transition(
      ModelOp.Fence fence, WorkflowInstance instance, List<ModelOp.New> children) {
    Map<String, String> before = present.variables(fence.instance());
    Map<String, String> changed = changes();
    Map<String, String> after = new HashMap<>(before);
    changed.forEach((name, value) -> {
      if (value == null) {
        after.remove(name);
      } else {
        after.put(name, value);
      }
    });
    Long parent = instance.origin().parentId();
    return new ModelOp.Transition(
        fence,
        instance.state(),
        goal(instance),
        changed,
        after.size(),
        children,
        random.nextInt(3),
        random.nextInt(4) == 0 ? progress() : null,
        parent == null ? null : Math.toIntExact(parent));
  }

  private ModelOp.Target goal(WorkflowInstance instance) {
    String state = "s" + random.nextInt(4);
    int attempt = random.nextInt(2);
    return switch (random.nextInt(12)) {
      case 0, 1 ->
          new ModelOp.Target(state, InstanceStatus.FINISHED, new Due.Never(), null, true, false, 0);
      case 2 ->
          new ModelOp.Target(state, InstanceStatus.FAILED, new Due.Never(), null, true, false, 0);
      case 3 ->
          new ModelOp.Target(state, InstanceStatus.MANUAL, new Due.Never(), null, true, false, 0);
      case 4 -> new ModelOp.Target(state, InstanceStatus.PAUSED, due(), null, true, false, 0);
      case 5, 6 ->
          new ModelOp.Target(
              instance.state(),
              InstanceStatus.IN_PROGRESS,
              due(),
              null,
              false,
              false,
              instance.lease().attempt());
      case 7, 8 ->
          new ModelOp.Target(state, InstanceStatus.IN_PROGRESS, Due.NOW, null, true, true, 1);
      default ->
          new ModelOp.Target(
              state, InstanceStatus.IN_PROGRESS, due(), event(), true, false, attempt);
    };
  }

  private String event() {
    return pick(null, Position.signal("a"), Position.signal("b"), Position.CHILDREN);
  }

  private Map<String, String> changes() {
    Map<String, String> changed = new TreeMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      changed.put("v" + random.nextInt(4), pick(null, "1", "\"two\"", "{\"three\":[3]}"));
    }
    return changed;
  }

  private Progress progress() {
    return new Progress(random.nextInt(10), 10, pick(null, "working"));
  }

  private ModelOp action() {
    OperatorCommand command =
        switch (random.nextInt(9)) {
          case 0 -> new OperatorCommand.Cancel();
          case 1 -> new OperatorCommand.Pause();
          case 2, 3 -> new OperatorCommand.Resume();
          case 4 -> new OperatorCommand.Retry();
          case 5 -> new OperatorCommand.Wake();
          case 6 -> new OperatorCommand.EditVariables(changes());
          case 7 ->
              new OperatorCommand.Move(
                  "s1", InstanceStatus.FINISHED, new Due.Never(), null, pick(null, "s0", "s1"));
          default ->
              new OperatorCommand.Move(
                  "s" + random.nextInt(4), InstanceStatus.IN_PROGRESS, due(), event(), null);
        };
    return new ModelOp.ApplyAction(instance(), command, pick(null, "action " + random.nextInt(10)));
  }

  private ModelOp ofHolder() {
    List<WorkflowInstance> held = held();
    if (held.isEmpty()) {
      return claim();
    }
    WorkflowInstance instance = held.get(random.nextInt(held.size()));
    ModelOp.Fence fence = fenceOrOld(instance);
    return switch (random.nextInt(3)) {
      case 0 -> new ModelOp.ReportProgress(List.of(fence), progress());
      case 1 -> new ModelOp.Release(List.of(fence));
      default ->
          new ModelOp.Step(
              fence,
              instance.position().enteredSeq(),
              "step" + random.nextInt(3),
              Integer.toString(random.nextInt(3)));
    };
  }

  private ModelOp ofExecutor() {
    return switch (random.nextInt(8)) {
      case 0 -> new ModelOp.Register(random.nextInt(2));
      case 1, 2 -> new ModelOp.Renew(executor());
      case 3 ->
          random.nextInt(3) == 0 ? new ModelOp.Stop(executor()) : new ModelOp.Owned(executor());
      case 4 -> new ModelOp.Expired(random.nextInt(2));
      default -> new ModelOp.Recover(executor(), executor(), 1 + random.nextInt(3), 3);
    };
  }
}
