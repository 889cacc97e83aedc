package io.millrace.continuous;

import io.millrace.definition.Next;
import io.millrace.definition.ReceivedSignal;
import io.millrace.definition.StateContext;
import io.millrace.definition.StateHandler;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.retry.RetryPolicy;
import io.millrace.store.ExecutorStore;
import io.millrace.store.QueryStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A workflow that drains one executor after another, each when the successor of the previous one is
 * ready. It is an instance of its own, so that it survives the end of the executor that it runs on.
 */
final class RolloutWorkflow {

  static final String TYPE = "millrace-rollout";

  /** The signal that pauses, resumes and aborts. */
  static final String STEER = "steer";

  static final String QUEUE = "queue";
  static final String PLAN = "plan";
  static final String DRAIN = "drain";
  static final String LEAVING = "leaving";
  static final String RETURNING = "returning";
  static final String PAUSED = "paused";
  static final String END = "end";
  static final String ABORTED = "aborted";

  static final String TARGETS = "targets";
  static final String DONE = "done";
  static final String BACK = "back";
  static final String SINCE = "since";
  private static final Duration POLL = Duration.ofSeconds(2);

  private final String group;
  private final ExecutorStore executors;
  private final QueryStore queries;

  RolloutWorkflow(String group, ExecutorStore executors, QueryStore queries) {
    this.group = group;
    this.executors = executors;
    this.queries = queries;
  }

  /**
   * The input of a rollout's instance.
   *
   * @param after the rollout that must end first; null for none
   * @param by the requester and the reason
   */
  record Input(RolloutRequest request, @Nullable Long after, String by) {}

  /** The executors to drain, in their order. */
  record Targets(List<Target> all) {
    Targets {
      all = List.copyOf(all);
    }
  }

  record Target(long executorId, String node) {}

  /** A command to a running rollout. */
  record Command(CommandType type, String by) {}

  enum CommandType {
    PAUSE,
    RESUME,
    ABORT
  }

  /** Returns the definition of the instances, which every node of the group has. */
  WorkflowDefinition definition() {
    return WorkflowDefinition.of(TYPE)
        .description("Drains one executor after another, each when the one before is back")
        .input(Input.class)
        .start(QUEUE, steered(this::queue))
        .state(PLAN, steered(this::plan))
        .state(DRAIN, steered(this::drain))
        .state(LEAVING, steered(this::leaving))
        .state(RETURNING, steered(this::returning))
        .await(PAUSED, STEER, RolloutWorkflow::paused)
        .end(END)
        .end(ABORTED)
        .permit(QUEUE, QUEUE, PLAN, PAUSED, ABORTED)
        .permit(PLAN, DRAIN, PAUSED, ABORTED)
        .permit(DRAIN, LEAVING, RETURNING, END, PAUSED, ABORTED)
        .permit(LEAVING, LEAVING, RETURNING, PAUSED, ABORTED)
        .permit(RETURNING, RETURNING, DRAIN, PAUSED, ABORTED)
        .permit(PAUSED, QUEUE, PLAN, DRAIN, LEAVING, RETURNING, PAUSED, ABORTED)
        .retry(
            RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1))
                .maxAttempts(Integer.MAX_VALUE))
        .build();
  }

  /** Wraps a handler so that commands are handled first. */
  private static StateHandler steered(StateHandler handler) {
    return ctx -> {
      Optional<ReceivedSignal> steering = ctx.signal(STEER);
      if (steering.isPresent()) {
        Command command = steering.get().payload(Command.class);
        switch (command.type()) {
          case ABORT -> {
            return Next.moveTo(ABORTED, "aborted by " + command.by());
          }
          case PAUSE -> {
            return pause(ctx, "paused by " + command.by());
          }
          case RESUME -> {} // it runs
        }
      }
      return handler.handle(ctx);
    };
  }

  private static Next pause(StateContext ctx, String reason) {
    ctx.set(BACK, ctx.state());
    return Next.moveTo(PAUSED, reason);
  }

  private static Next paused(StateContext ctx, Optional<ReceivedSignal> signal) {
    Command command = signal.orElseThrow().payload(Command.class);
    return switch (command.type()) {
      case PAUSE -> Next.moveTo(PAUSED, "paused by " + command.by());
      case ABORT -> Next.moveTo(ABORTED, "aborted by " + command.by());
      case RESUME -> {
        ctx.remove(SINCE);
        yield Next.moveTo(ctx.get(BACK, String.class), "resumed by " + command.by());
      }
    };
  }

  private Next queue(StateContext ctx) {
    Long after = ctx.input(Input.class).after();
    Optional<WorkflowInstance> before = after == null ? Optional.empty() : queries.find(after);
    return before.isPresent() && !before.get().status().isTerminal()
        ? Next.moveAfter(QUEUE, POLL, "rollout " + after + " comes first")
        : Next.moveTo(PLAN, "its turn");
  }

  private Next plan(StateContext ctx) {
    RolloutRequest request = ctx.input(Input.class).request();
    Instant now = queries.now();
    List<Target> targets = new ArrayList<>();
    Set<String> present = new TreeSet<>();
    for (ExecutorInfo one : executors.list(group)) {
      String node = one.identity().node().name();
      if (!one.isAlive(now) || one.state() == ExecutorState.DRAINING) {
        continue;
      }
      boolean first = present.add(node);
      if (request.nodes().isEmpty() || request.nodes().contains(node)) {
        if (!first) {
          return Next.fail(
              "Two executors of group '"
                  + group
                  + "' are called '"
                  + node
                  + "', so that nobody can tell which one is back; name them (setting executor.name).");
        }
        targets.add(new Target(one.id(), node));
      }
    }
    if (!present.containsAll(request.nodes())) {
      return Next.fail(
          "Of the nodes "
              + request.nodes()
              + " not all are at work; group '"
              + group
              + "' has "
              + present
              + " at work. Look at the list of nodes.");
    }
    targets.sort(Comparator.comparing(Target::node));
    ctx.set(TARGETS, new Targets(targets));
    ctx.set(DONE, 0);
    return Next.moveTo(DRAIN, "one after another: " + targets.stream().map(Target::node).toList());
  }

  private Next drain(StateContext ctx) {
    Input input = ctx.input(Input.class);
    Targets targets = ctx.get(TARGETS, Targets.class);
    int done = ctx.get(DONE, Integer.class);
    if (done == targets.all().size()) {
      return Next.moveTo(END, "all " + done + " nodes are back");
    }
    Target target = targets.all().get(done);
    boolean asked =
        executors.requestDrain(
            target.executorId(),
            new DrainRequest(input.request().reason(), input.request().grace()),
            OperatorAction.by(TYPE + " " + ctx.instanceId(), cut(input.by())));
    return asked
        ? Next.moveTo(LEAVING, "node '" + target.node() + "' is asked to leave")
        : Next.moveTo(RETURNING, "node '" + target.node() + "' has left by itself");
  }

  private static String cut(String text) {
    return text.length() <= OperatorAction.MAX_REASON
        ? text
        : text.substring(0, OperatorAction.MAX_REASON);
  }

  private Next leaving(StateContext ctx) {
    Target target = target(ctx);
    Instant now = queries.now();
    Optional<ExecutorInfo> present =
        executors.list(group).stream()
            .filter(one -> one.id() == target.executorId() && one.isAlive(now))
            .findFirst();
    if (present.isPresent()) {
      return Next.moveAfter(
          LEAVING,
          POLL,
          "node '" + target.node() + "' holds " + present.get().load().held() + " instances");
    }
    ctx.set(SINCE, now);
    return Next.moveTo(RETURNING, "node '" + target.node() + "' has left");
  }

  private Next returning(StateContext ctx) {
    Target target = target(ctx);
    RolloutRequest request = ctx.input(Input.class).request();
    Instant now = queries.now();
    Optional<ExecutorInfo> successor =
        executors.list(group).stream()
            .filter(one -> isSuccessor(one, target) && one.isAlive(now))
            .filter(one -> isReady(one, now.minus(request.minReady())))
            .findFirst();
    if (successor.isPresent()) {
      ctx.set(DONE, ctx.get(DONE, Integer.class) + 1);
      ctx.remove(SINCE);
      return Next.moveTo(
          DRAIN, "node '" + target.node() + "' is back as executor " + successor.get().id());
    }
    Instant since = ctx.find(SINCE, Instant.class).orElse(now);
    ctx.set(SINCE, since);
    if (since.plus(request.patience()).isBefore(now)) {
      return pause(
          ctx,
          "node '"
              + target.node()
              + "' is not back and ready after "
              + request.patience()
              + "; start it and resume, or abort");
    }
    return Next.moveAfter(RETURNING, POLL, "node '" + target.node() + "' is not ready yet");
  }

  private static Target target(StateContext ctx) {
    return ctx.get(TARGETS, Targets.class).all().get(ctx.get(DONE, Integer.class));
  }

  private static boolean isSuccessor(ExecutorInfo one, Target target) {
    return one.id() > target.executorId()
        && one.identity().node().name().equals(target.node())
        && one.state() == ExecutorState.ACTIVE;
  }

  /**
   * Returns true if the executor is ready and warm; replacing the next node earlier could leave the
   * group without a warm one.
   */
  private static boolean isReady(ExecutorInfo one, Instant latest) {
    Instant ready = one.readiness().ready();
    return one.readiness().warm() && ready != null && !ready.isAfter(latest);
  }
}
