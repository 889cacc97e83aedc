package io.millrace.dispatch;

import io.millrace.definition.Next;
import io.millrace.definition.State;
import io.millrace.definition.StateType;
import io.millrace.instance.ChildCounts;
import io.millrace.instance.Due;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.Position;
import io.millrace.retry.RetryDecision;
import io.millrace.store.FailureFingerprint;
import io.millrace.store.LoadLimits;
import io.millrace.store.SaveRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A factory of the transitions that attempts lead to, as requests to save them. Reads the leased
 * instance, and changes only its counts of visits.
 */
final class TransitionFactory {

  private final EngineContext engine;
  private final TransitionTargets transitionTargets;
  private final ChannelHandoverPolicy channelHandoverPolicy;

  TransitionFactory(EngineContext engine) {
    this.engine = engine;
    this.transitionTargets = new TransitionTargets(engine);
    this.channelHandoverPolicy = ChannelHandoverPolicy.of(engine.settings());
  }

  /** Returns the transition that {@code attemptResult} requests. */
  SaveRequest of(LeasedInstance leased, AttemptResult attemptResult) {
    return switch (attemptResult) {
      case AttemptResult.Failed threw when threw.permanent() ->
          failState(
              leased,
              threw.failure(),
              ThrowableFormatter.summary(threw.failure())
                  + " (not retried: every attempt would fail so)",
              threw.took());
      case AttemptResult.Failed threw ->
          retryOrFail(leased, threw.failure(), null, threw.took(), null);
      case AttemptResult.Answered answered -> ofAnswer(leased, answered);
    };
  }

  /** Returns the transition to a pause that was requested while the instance was executing. */
  SaveRequest pause(LeasedInstance leased, InboxMessage request) {
    Due due =
        leased.waitUntil != null
            ? at(leased.waitUntil)
            : leased.waitingFor == null ? Due.NOW : new Due.Never();
    SaveRequest.Target target =
        new SaveRequest.Target(
            leased.state,
            InstanceStatus.PAUSED,
            due,
            leased.waitingFor,
            false,
            false,
            Math.max(0, leased.attempts - 1));
    return new SaveRequest(
        leased.fence(),
        new SaveRequest.Entry(
            HistoryEntryType.PAUSE,
            leased.state,
            request.sent().reason(),
            null,
            0,
            Duration.ZERO,
            request.sent().actor()),
        target,
        changes(leased, consumedBy(leased, null), null, null));
  }

  /**
   * Returns the transition of an instance that waits on, since its event has not come and its
   * timeout has not passed.
   */
  SaveRequest keepWaiting(LeasedInstance leased, State.Await await) {
    Due due =
        leased.waitUntil != null
            ? at(leased.waitUntil)
            : await.timeout() == null ? new Due.Never() : new Due.After(await.timeout());
    return waiting(
        leased,
        due,
        Position.signal(await.signal()),
        "waiting for signal '" + await.signal() + "'");
  }

  /**
   * Returns the transition of an instance that was woken or retried while its children still run:
   * it waits on.
   */
  SaveRequest keepWaitingForChildren(LeasedInstance leased) {
    ChildCounts childCounts = leased.children;
    return waiting(
        leased,
        new Due.Never(),
        Position.CHILDREN,
        "waiting for " + childCounts.open() + " of " + childCounts.total() + " children");
  }

  private static SaveRequest waiting(
      LeasedInstance leased, Due due, String waitingFor, String reason) {
    return new SaveRequest(
        leased.fence(),
        entry(leased, HistoryEntryType.STATE_EXECUTION, reason, Duration.ZERO),
        new SaveRequest.Target(
            leased.state, InstanceStatus.IN_PROGRESS, due, waitingFor, false, false, 0),
        changes(leased, consumedBy(leased, null), null, null));
  }

  /**
   * Returns the transition that parks an instance in whose state nothing can run, as the definition
   * was changed under the same version.
   *
   * @param state null if it is not part of the definition
   */
  SaveRequest noHandler(LeasedInstance leased, @Nullable State state) {
    String reason =
        state == null
            ? "state '"
                + leased.state
                + "' is not part of workflow "
                + leased.definition
                + ", which has "
                + leased.definition.states().keySet()
                + "; move the instance to one of them"
            : "state '"
                + leased.state
                + "' of workflow "
                + leased.definition
                + " has no handler, since its type is "
                + state.type().code()
                + "; move the instance to a state with a handler";
    return new SaveRequest(
        leased.fence(),
        entry(leased, HistoryEntryType.STATE_EXECUTION_FAILED, reason, Duration.ZERO),
        TransitionTargets.resting(leased.state, InstanceStatus.MANUAL, false),
        changes(
            leased,
            consumedBy(leased, null),
            null,
            FailureFingerprint.of(leased.origin.type(), leased.state, reason)));
  }

  /**
   * Returns the transition of an attempt that the executor's stop interrupted: it does not count,
   * and another executor repeats it.
   */
  SaveRequest abandoned(LeasedInstance leased, Duration took) {
    SaveRequest.Target target =
        new SaveRequest.Target(
            leased.state,
            InstanceStatus.IN_PROGRESS,
            Due.NOW,
            stillAwaited(leased, leased.state(leased.state)),
            false,
            false,
            Math.max(0, leased.attempts - 1));
    return new SaveRequest(
        leased.fence(),
        entry(
            leased,
            HistoryEntryType.ABANDONED,
            "its executor stopped before its handler did",
            took),
        target,
        changes(leased, consumedBy(leased, null), null, null));
  }

  /** Returns the signal, or the children, that a repeated attempt still awaits. */
  private static @Nullable String stillAwaited(LeasedInstance leased, State state) {
    if (Position.CHILDREN.equals(leased.waitingFor)) {
      return leased.waitingFor;
    }
    State.Await await = state.await();
    return await == null || leased.inbox.has(await.signal(), null)
        ? null
        : Position.signal(await.signal());
  }

  /** Returns the transition of an attempt from whose result none could be made. */
  SaveRequest unusableResult(LeasedInstance leased, Throwable fault, Duration took) {
    return invalidAnswer(
        leased,
        "the result of the attempt cannot be used: " + ThrowableFormatter.summary(fault),
        took);
  }

  private SaveRequest ofAnswer(LeasedInstance leased, AttemptResult.Answered answered) {
    Next next = answered.next();
    Duration took = answered.took();
    if (next == null) {
      return invalidAnswer(leased, "the handler answered null; it must answer with a Next", took);
    }
    return switch (next) {
      case Next.Move move -> move(leased, move, answered);
      case Next.WaitForSignal wait -> {
        String fault = faultOf(leased, wait.state(), true);
        yield fault != null
            ? invalidAnswer(leased, fault, took)
            : accept(
                leased,
                answered,
                transitionTargets.awaiting(
                    leased, wait.state(), wait.signal(), wait.timeout(), answered));
      }
      case Next.WaitForChildren wait -> {
        String fault = faultOf(leased, wait.state(), true);
        yield fault != null
            ? invalidAnswer(leased, fault, took)
            : accept(
                leased,
                answered,
                new SaveRequest.Target(
                    wait.state(),
                    InstanceStatus.IN_PROGRESS,
                    new Due.Never(),
                    Position.CHILDREN,
                    true,
                    false,
                    0));
      }
      case Next.Done done ->
          accept(
              leased,
              answered,
              TransitionTargets.resting(leased.state, InstanceStatus.FINISHED, false));
      case Next.Retry retry ->
          retryOrFail(
              leased,
              answered.thrown(),
              redactedReason(answered, retry.reason()),
              took,
              retry.delay());
      case Next.Fail fail -> failState(leased, null, redactedReason(answered, fail.reason()), took);
    };
  }

  /** Returns the reason without secrets, so that not even its fingerprint depends on them. */
  private static String redactedReason(AttemptResult.Answered answered, String reason) {
    return answered.context().redactor().clean(reason);
  }

  private SaveRequest move(LeasedInstance leased, Next.Move move, AttemptResult.Answered answered) {
    String fault = faultOf(leased, move.state(), false);
    if (fault != null) {
      return invalidAnswer(leased, fault, answered.took());
    }
    return accept(
        leased, answered, transitionTargets.target(leased, move.state(), move.due(), answered));
  }

  private SaveRequest accept(
      LeasedInstance leased, AttemptResult.Answered answered, SaveRequest.Target target) {
    DefaultStateContext ctx = answered.context();
    Next next = answered.next();
    if (!ctx.changed().isEmpty()
        && LoadLimits.isTooLarge(ctx.variables().values(), engine.maxClaimBytes())) {
      return invalidAnswer(
          leased,
          "its variables would have more than "
              + (LoadLimits.instanceBytes(engine.maxClaimBytes()) >> 20)
              + " MiB together, the most that an executor can load; keep large data elsewhere and store"
              + " references to them",
          answered.took());
    }
    SaveRequest.Changes changes =
        new SaveRequest.Changes(
            ctx.changed(),
            ctx.changed().isEmpty() ? leased.variables.size() : ctx.variables().size(),
            ctx.spawned(),
            consumedBy(leased, ctx),
            leased.progress,
            target.status().isTerminal() ? leased.origin.parentId() : null,
            null);
    String reason = next == null ? "" : next.reason();
    return withChannelMessage(
            leased,
            entry(leased, HistoryEntryType.STATE_EXECUTION, reason, answered.took()),
            target,
            changes)
        .with(ctx.attached());
  }

  /** Returns the transition, with a message if the target state has a channel. */
  private SaveRequest withChannelMessage(
      LeasedInstance leased,
      SaveRequest.Entry entry,
      SaveRequest.Target target,
      SaveRequest.Changes changes) {
    String channel = channelHandoverPolicy.channel(leased.definition.state(target.state()));
    return channel == null || !ChannelHandoverPolicy.isRun(target)
        ? new SaveRequest(leased.fence(), entry, target, changes)
        : new SaveRequest(
            leased.fence(),
            entry,
            channelHandoverPolicy.postponed(target),
            changes,
            ChannelHandoverPolicy.message(
                channel, target.due(), !target.newVisit(), engine.clock().instant()));
  }

  /** Returns the transition of a failed attempt: a retry, or the failure of the state. */
  private SaveRequest retryOrFail(
      LeasedInstance leased,
      @Nullable Throwable failure,
      @Nullable String reason,
      Duration took,
      @Nullable Duration ownDelay) {
    State state = leased.state(leased.state);
    Duration elapsed = leased.inState(engine.clock().nanoTime());
    RetryDecision decision =
        state
            .retry()
            .decide(
                leased.attempts,
                elapsed,
                RedactedFailure.original(failure),
                engine.runtime().random());
    String summary = reason != null ? reason : ThrowableFormatter.summary(failure);
    return switch (decision) {
      case RetryDecision.GiveUp giveUp ->
          failState(leased, failure, summary + " (" + giveUp.why() + ")", took);
      case RetryDecision.Retry retry -> {
        SaveRequest.Target target =
            new SaveRequest.Target(
                leased.state,
                InstanceStatus.IN_PROGRESS,
                new Due.After(ownDelay != null ? ownDelay : retry.delay()),
                stillAwaited(leased, state),
                false,
                false,
                leased.attempts);
        yield failedAttempt(leased, failure, summary, took, target);
      }
    };
  }

  /** Fails the state after an invalid answer, which a retry would not fix. */
  private SaveRequest invalidAnswer(LeasedInstance leased, String fault, Duration took) {
    return failState(leased, null, "state '" + leased.state + "': " + fault, took);
  }

  private SaveRequest failState(
      LeasedInstance leased, @Nullable Throwable failure, String reason, Duration took) {
    String failureState = leased.state(leased.state).failureState();
    SaveRequest.Target target =
        failureState == null
            ? new SaveRequest.Target(
                leased.state,
                InstanceStatus.FAILED,
                new Due.Never(),
                stillAwaited(leased, leased.state(leased.state)),
                false,
                false,
                0)
            : transitionTargets.target(leased, failureState, Due.NOW, null);
    return failedAttempt(leased, failure, reason, took, target);
  }

  private SaveRequest failedAttempt(
      LeasedInstance leased,
      @Nullable Throwable failure,
      String reason,
      Duration took,
      SaveRequest.Target target) {
    SaveRequest.Entry entry =
        new SaveRequest.Entry(
            HistoryEntryType.STATE_EXECUTION_FAILED,
            leased.state,
            reason,
            failure == null ? null : ThrowableFormatter.stackTrace(failure),
            leased.attempts,
            took,
            null);
    return withChannelMessage(
        leased,
        entry,
        target,
        changes(
            leased,
            consumedBy(leased, null),
            target.status().isTerminal() ? leased.origin.parentId() : null,
            needsOperator(target) ? fingerprint(leased, failure, reason) : null));
  }

  private static boolean needsOperator(SaveRequest.Target target) {
    return target.status() == InstanceStatus.FAILED || target.status() == InstanceStatus.MANUAL;
  }

  private static String fingerprint(
      LeasedInstance leased, @Nullable Throwable failure, String reason) {
    Throwable original = RedactedFailure.original(failure);
    return original == null
        ? FailureFingerprint.of(leased.origin.type(), leased.state, reason)
        : FailureFingerprint.of(leased.origin.type(), leased.state, original);
  }

  private static SaveRequest.Changes changes(
      LeasedInstance leased,
      List<Long> consumed,
      @Nullable Long parentId,
      @Nullable String failure) {
    return new SaveRequest.Changes(
        Map.of(), leased.variables.size(), List.of(), consumed, leased.progress, parentId, failure);
  }

  /**
   * Returns the ids of the messages that the transition consumes. Wake-ups and pause requests are
   * consumed by every transition; signals only by an answer that read them, which may have come
   * after the claim.
   */
  private static List<Long> consumedBy(LeasedInstance leased, @Nullable DefaultStateContext ctx) {
    List<Long> ids = new ArrayList<>(leased.inbox.requests());
    if (ctx != null) {
      ids.addAll(ctx.consumed());
    }
    return ids;
  }

  private static @Nullable String faultOf(
      LeasedInstance leased, String name, boolean needsHandler) {
    State state = leased.definition.state(name);
    if (state == null) {
      return "the answer names state '"
          + name
          + "', which workflow "
          + leased.definition
          + " does not have; it has "
          + leased.definition.states().keySet();
    }
    if (!leased.definition.permits(leased.state, name)) {
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

  private static SaveRequest.Entry entry(
      LeasedInstance leased, HistoryEntryType type, String reason, Duration took) {
    return new SaveRequest.Entry(type, leased.state, reason, null, leased.attempts, took, null);
  }

  private static Due at(Instant instant) {
    return new Due.At(instant);
  }
}
