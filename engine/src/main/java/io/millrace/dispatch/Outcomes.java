package io.millrace.dispatch;

import io.millrace.definition.Next;
import io.millrace.definition.State;
import io.millrace.definition.StateType;
import io.millrace.instance.ActionType;
import io.millrace.instance.Children;
import io.millrace.instance.Due;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.instance.Signal;
import io.millrace.retry.RetryDecision;
import io.millrace.store.Fingerprint;
import io.millrace.store.Save;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns an attempt into the transition to be written. Reads the held instance and changes nothing.
 */
final class Outcomes {

  private final Node node;
  private final Targets targets;
  private final Handovers handovers;

  Outcomes(Node node) {
    this.node = node;
    this.targets = new Targets(node);
    this.handovers = Handovers.of(node.settings());
  }

  /** The transition that {@code attempted} asks for. */
  Save of(Held held, Attempted attempted) {
    return switch (attempted) {
      case Attempted.Threw threw when threw.permanent() ->
          givenUp(
              held,
              threw.failure(),
              Errors.summary(threw.failure()) + " (not retried: every attempt would fail so)",
              threw.took());
      case Attempted.Threw threw -> failed(held, threw.failure(), null, threw.took(), null);
      case Attempted.Answered answered -> answered(held, answered);
    };
  }

  /** A pause that was asked for while the instance was executing. */
  Save pause(Held held, Signal request) {
    Due due =
        held.waitUntil != null
            ? at(held.waitUntil)
            : held.waitingFor == null ? Due.NOW : new Due.Never();
    Save.Target target =
        new Save.Target(
            held.state,
            InstanceStatus.PAUSED,
            due,
            held.waitingFor,
            false,
            false,
            Math.max(0, held.attempts - 1));
    return new Save(
        held.fence(),
        new Save.Entry(
            ActionType.PAUSE,
            held.state,
            request.sent().reason(),
            null,
            0,
            Duration.ZERO,
            request.sent().actor()),
        target,
        changes(held, consumedBy(held, null), null, null));
  }

  /** The event has not come and the time is not over: wait on. */
  Save waitOn(Held held, State.Await await) {
    Due due =
        held.waitUntil != null
            ? at(held.waitUntil)
            : await.timeout() == null ? new Due.Never() : new Due.After(await.timeout());
    return waiting(
        held, due, Position.signal(await.signal()), "waiting for signal '" + await.signal() + "'");
  }

  /** The instance was woken or retried while children of it still run: it waits on. */
  Save waitOnChildren(Held held) {
    Children children = held.children;
    return waiting(
        held,
        new Due.Never(),
        Position.CHILDREN,
        "waiting for " + children.open() + " of " + children.total() + " children");
  }

  private static Save waiting(Held held, Due due, String waitingFor, String reason) {
    return new Save(
        held.fence(),
        entry(held, ActionType.STATE_EXECUTION, reason, Duration.ZERO),
        new Save.Target(held.state, InstanceStatus.IN_PROGRESS, due, waitingFor, false, false, 0),
        changes(held, consumedBy(held, null), null, null));
  }

  /** The state is not part of the definition, so nothing can run: leave it to a person. */
  Save unknownState(Held held) {
    String reason =
        "state '"
            + held.state
            + "' is not part of workflow "
            + held.definition
            + ", which has "
            + held.definition.states().keySet()
            + "; move the instance to one of them";
    return new Save(
        held.fence(),
        entry(held, ActionType.STATE_EXECUTION_FAILED, reason, Duration.ZERO),
        Targets.ended(held.state, InstanceStatus.MANUAL, false),
        changes(
            held,
            consumedBy(held, null),
            null,
            Fingerprint.of(held.origin.type(), held.state, reason)));
  }

  /**
   * The executor's stop has cut the attempt short: it does not count, and another executor begins
   * it anew.
   */
  Save abandoned(Held held, Duration took) {
    Save.Target target =
        new Save.Target(
            held.state,
            InstanceStatus.IN_PROGRESS,
            Due.NOW,
            awaited(held, held.state(held.state)),
            false,
            false,
            Math.max(0, held.attempts - 1));
    return new Save(
        held.fence(),
        entry(held, ActionType.ABANDONED, "its executor stopped before its handler did", took),
        target,
        changes(held, consumedBy(held, null), null, null));
  }

  /** What an attempt that is repeated still waits for: the end of its wait comes again as such. */
  private static @Nullable String awaited(Held held, State state) {
    if (Position.CHILDREN.equals(held.waitingFor)) {
      return held.waitingFor;
    }
    State.Await await = state.await();
    return await == null || Targets.hasSignal(held, await.signal(), null)
        ? null
        : Position.signal(await.signal());
  }

  /** The attempt's outcome cannot even be worked out. */
  Save unreadable(Held held, Throwable fault, Duration took) {
    return broken(held, "the outcome cannot be used: " + Errors.summary(fault), took);
  }

  private Save answered(Held held, Attempted.Answered answered) {
    Next next = answered.next();
    Duration took = answered.took();
    if (next == null) {
      return broken(held, "the handler answered null; it must answer with a Next", took);
    }
    return switch (next) {
      case Next.Move move -> moved(held, move, answered);
      case Next.WaitForSignal wait -> {
        String fault = faultOf(held, wait.state(), true);
        yield fault != null
            ? broken(held, fault, took)
            : accepted(
                held,
                answered,
                targets.awaiting(held, wait.state(), wait.signal(), wait.timeout(), answered));
      }
      case Next.WaitForChildren wait -> {
        String fault = faultOf(held, wait.state(), true);
        yield fault != null
            ? broken(held, fault, took)
            : accepted(
                held,
                answered,
                new Save.Target(
                    wait.state(),
                    InstanceStatus.IN_PROGRESS,
                    new Due.Never(),
                    Position.CHILDREN,
                    true,
                    false,
                    0));
      }
      case Next.Done done ->
          accepted(held, answered, Targets.ended(held.state, InstanceStatus.FINISHED, false));
      case Next.Retry retry ->
          failed(held, answered.thrown(), said(answered, retry.reason()), took, retry.delay());
      case Next.Fail fail -> givenUp(held, null, said(answered, fail.reason()), took);
    };
  }

  /** Without secrets, so that not even a fingerprint of it tells of them. */
  private static String said(Attempted.Answered answered, String reason) {
    return answered.context().redactor().clean(reason);
  }

  private Save moved(Held held, Next.Move move, Attempted.Answered answered) {
    String fault = faultOf(held, move.state(), false);
    if (fault != null) {
      return broken(held, fault, answered.took());
    }
    return accepted(held, answered, targets.target(held, move.state(), move.due(), answered));
  }

  private Save accepted(Held held, Attempted.Answered answered, Save.Target target) {
    StepContext ctx = answered.context();
    Next next = answered.next();
    Save.Changes changes =
        new Save.Changes(
            ctx.changed(),
            ctx.changed().isEmpty() ? held.variables.size() : ctx.variables().size(),
            ctx.spawned(),
            consumedBy(held, ctx),
            held.progress,
            target.status().isTerminal() ? held.origin.parentId() : null,
            null);
    String reason = next == null ? "" : next.reason();
    return carried(
            held, entry(held, ActionType.STATE_EXECUTION, reason, answered.took()), target, changes)
        .with(ctx.attached());
  }

  /** The transition, which ends with a message where the target state is reached by one. */
  private Save carried(Held held, Save.Entry entry, Save.Target target, Save.Changes changes) {
    String channel = handovers.channel(held.definition.state(target.state()));
    return channel == null || !Handovers.isRun(target)
        ? new Save(held.fence(), entry, target, changes)
        : new Save(
            held.fence(),
            entry,
            handovers.postponed(target),
            changes,
            Handovers.message(channel, target.due(), !target.entering(), node.clock().instant()));
  }

  /** A failed attempt: another one later, or the end of the state. */
  private Save failed(
      Held held,
      @Nullable Throwable failure,
      @Nullable String reason,
      Duration took,
      @Nullable Duration ownDelay) {
    State state = held.state(held.state);
    Duration elapsed = held.inState(node.clock().nanoTime());
    RetryDecision decision =
        state
            .retry()
            .decide(
                held.attempts, elapsed, RedactedFailure.original(failure), node.runtime().random());
    String said = reason != null ? reason : Errors.summary(failure);
    return switch (decision) {
      case RetryDecision.GiveUp giveUp ->
          givenUp(held, failure, said + " (" + giveUp.why() + ")", took);
      case RetryDecision.Retry retry -> {
        Save.Target target =
            new Save.Target(
                held.state,
                InstanceStatus.IN_PROGRESS,
                new Due.After(ownDelay != null ? ownDelay : retry.delay()),
                awaited(held, state),
                false,
                false,
                held.attempts);
        yield failure(held, failure, said, took, target);
      }
    };
  }

  /** A broken contract does not mend itself by trying again. */
  private Save broken(Held held, String fault, Duration took) {
    return givenUp(held, null, "state '" + held.state + "': " + fault, took);
  }

  private Save givenUp(Held held, @Nullable Throwable failure, String reason, Duration took) {
    String failureState = held.state(held.state).failureState();
    Save.Target target =
        failureState == null
            ? new Save.Target(
                held.state,
                InstanceStatus.FAILED,
                new Due.Never(),
                awaited(held, held.state(held.state)),
                false,
                false,
                0)
            : targets.target(held, failureState, Due.NOW, null);
    return failure(held, failure, reason, took, target);
  }

  private Save failure(
      Held held, @Nullable Throwable failure, String reason, Duration took, Save.Target target) {
    Save.Entry entry =
        new Save.Entry(
            ActionType.STATE_EXECUTION_FAILED,
            held.state,
            reason,
            failure == null ? null : Errors.stackTrace(failure),
            held.attempts,
            took,
            null);
    return carried(
        held,
        entry,
        target,
        changes(
            held,
            consumedBy(held, null),
            target.status().isTerminal() ? held.origin.parentId() : null,
            isLast(target) ? fingerprint(held, failure, reason) : null));
  }

  /** True when only a person can help. */
  private static boolean isLast(Save.Target target) {
    return target.status() == InstanceStatus.FAILED || target.status() == InstanceStatus.MANUAL;
  }

  private static String fingerprint(Held held, @Nullable Throwable failure, String reason) {
    Throwable original = RedactedFailure.original(failure);
    return original == null
        ? Fingerprint.of(held.origin.type(), held.state, reason)
        : Fingerprint.of(held.origin.type(), held.state, original);
  }

  private static Save.Changes changes(
      Held held, List<Long> consumed, @Nullable Long parentId, @Nullable String failure) {
    return new Save.Changes(
        Map.of(), held.variables.size(), List.of(), consumed, held.progress, parentId, failure);
  }

  /**
   * Wake-ups and pause requests are used up by whatever follows; signals only by an answer that
   * took them.
   */
  private static List<Long> consumedBy(Held held, @Nullable StepContext ctx) {
    List<Long> ids = new ArrayList<>();
    for (Signal signal : held.inbox) {
      if (signal.kind() != Signal.Kind.SIGNAL
          || (ctx != null && ctx.consumed().contains(signal.id()))) {
        ids.add(signal.id());
      }
    }
    return ids;
  }

  private static @Nullable String faultOf(Held held, String name, boolean needsHandler) {
    State state = held.definition.state(name);
    if (state == null) {
      return "the answer names state '"
          + name
          + "', which workflow "
          + held.definition
          + " does not have; it has "
          + held.definition.states().keySet();
    }
    if (!held.definition.permits(held.state, name)) {
      return "the answer goes to state '"
          + name
          + "', which is not a permitted transition; permit it or answer"
          + " otherwise";
    }
    if (needsHandler && (!state.type().hasHandler() || state.type() == StateType.WAIT)) {
      return "the answer waits in state '"
          + name
          + "', which must be a start or normal state to run afterwards";
    }
    return null;
  }

  private static Save.Entry entry(Held held, ActionType type, String reason, Duration took) {
    return new Save.Entry(type, held.state, reason, null, held.attempts, took, null);
  }

  private static Due at(Instant instant) {
    return new Due.At(instant);
  }
}
