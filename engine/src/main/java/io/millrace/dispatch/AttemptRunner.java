package io.millrace.dispatch;

import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.Next;
import io.millrace.definition.State;
import io.millrace.definition.StateHandler;
import io.millrace.event.EngineEvent;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.Position;
import io.millrace.store.Fence;
import io.millrace.store.SaveRequest;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Runs one attempt of a leased instance on the calling thread. */
final class AttemptRunner {

  private static final List<String> MARKS =
      List.of("instance", "workflow", "state", "attempt", "seq", "executor", "businessKey");

  private final EngineContext engine;
  private final TransitionFactory transitionFactory;
  private final AttemptServices services;

  /**
   * A transition that is not saved yet.
   *
   * @param save the request to save it
   * @param failure the exception of the handler; null if it returned
   */
  record PendingTransition(SaveRequest save, @Nullable Throwable failure) {

    /** Returns a copy without the secrets that {@code redactor} knows. */
    PendingTransition without(Redactor redactor) {
      if (redactor.knowsNothing()) {
        return this;
      }
      SaveRequest.Entry said = save.entry();
      SaveRequest.Entry entry =
          new SaveRequest.Entry(
              said.type(),
              said.from(),
              cleaned(said.reason(), redactor),
              cleaned(said.error(), redactor),
              said.attempt(),
              said.took(),
              said.actor());
      SaveRequest cleaned =
          new SaveRequest(save.fence(), entry, save.target(), save.changes(), save.attached());
      return new PendingTransition(cleaned, failure);
    }

    private static @Nullable String cleaned(@Nullable String text, Redactor redactor) {
      return text == null ? null : redactor.clean(text);
    }
  }

  AttemptRunner(
      EngineContext engine, TransitionFactory transitionFactory, AttemptServices services) {
    this.engine = engine;
    this.transitionFactory = transitionFactory;
    this.services = services;
  }

  /**
   * Runs the attempt and returns the transition that it leads to; null if the instance was dropped,
   * or the attempt was ended, by others meanwhile.
   *
   * @throws StoreException if the awaited signal could not be read, so that the handler was not
   *     called
   */
  @Nullable PendingTransition run(LeasedInstance leased) {
    if (!leased.changePhase(LeasedInstance.Phase.QUEUED, LeasedInstance.Phase.RUNNING)) {
      return null;
    }
    State state = leased.definition.state(leased.state);
    SaveRequest saveRequest = withoutHandler(leased, state);
    if (saveRequest == null && state != null && state.handler() != null) {
      return attempt(leased, state, state.handler());
    }
    if (saveRequest == null) {
      saveRequest = transitionFactory.noHandler(leased, state);
    }
    PendingTransition transition = new PendingTransition(saveRequest, null);
    return leased.changePhase(LeasedInstance.Phase.RUNNING, LeasedInstance.Phase.SAVING)
        ? transition
        : null;
  }

  /** Returns the transition of an instance that needs no handler; null if it needs one. */
  private @Nullable SaveRequest withoutHandler(LeasedInstance leased, @Nullable State state) {
    Optional<InboxMessage> pause = leased.inbox.pause();
    if (pause.isPresent()) {
      return transitionFactory.pause(leased, pause.get());
    }
    if (state != null && state.await() != null && !isOver(leased, state.await())) {
      return transitionFactory.keepWaiting(leased, state.await());
    }
    if (Position.CHILDREN.equals(leased.waitingFor) && leased.children.open() > 0) {
      return transitionFactory.keepWaitingForChildren(leased);
    }
    return null;
  }

  /**
   * Returns true if the wait is over. Looks for the signal also after a timeout: that loads the
   * inbox, which decides what the retry after a failed attempt awaits.
   */
  private boolean isOver(LeasedInstance leased, State.Await await) {
    Optional<InboxMessage> awaited =
        leased.inbox.oldest(await.signal(), leased.id(), engine.store().instances());
    return awaited.isPresent() || leased.waitTimedOut;
  }

  private @Nullable PendingTransition attempt(
      LeasedInstance leased, State state, StateHandler handler) {
    long begin = engine.clock().nanoTime();
    LeasedInstance.Attempt attempt =
        new LeasedInstance.Attempt(
            new DefaultCancelToken(), services.stopRequest().signal(), begin, state.timeout());
    leased.begin(attempt);
    if (leased.stopping()) {
      // The stop came before there was an attempt to cancel, so the handler would not be told.
      return leased.end(attempt) ? abandoned(leased, Duration.ZERO) : null;
    }
    engine
        .events()
        .send(
            new EngineEvent.AttemptStarted(
                leased.id(), leased.origin.type(), leased.state, leased.attempts));
    DefaultStateContext ctx = new DefaultStateContext(engine, leased, attempt, services);
    AttemptResult attemptResult;
    mark(leased);
    ReentrancyGuard.enter("handler");
    try {
      Next next = call(engine.interceptors(), ctx, handler);
      attemptResult = new AttemptResult.Answered(next, ctx, since(begin));
    } catch (Throwable thrown) {
      attemptResult =
          new AttemptResult.Failed(
              ctx.redactor().clean(thrown), since(begin), ctx.misuse().isCauseOf(thrown));
    } finally {
      ReentrancyGuard.leave();
      unmark();
    }
    if (!leased.end(attempt)) {
      return null;
    }
    return leased.stopping() && attemptResult.thrown() != null
        ? abandoned(leased, attemptResult.took())
        : transition(leased, attemptResult).without(ctx.redactor());
  }

  /** Returns the transition of an attempt; an invalid answer fails the state. */
  PendingTransition transition(LeasedInstance leased, AttemptResult attemptResult) {
    try {
      return new PendingTransition(
          transitionFactory.of(leased, attemptResult), attemptResult.thrown());
    } catch (Throwable fault) {
      return new PendingTransition(
          transitionFactory.unusableResult(leased, fault, attemptResult.took()), fault);
    }
  }

  /** Returns the transition of an attempt that the executor's stop has ended without an answer. */
  PendingTransition abandoned(LeasedInstance leased, Duration took) {
    return new PendingTransition(transitionFactory.abandoned(leased, took), null);
  }

  private static Next call(
      List<AttemptInterceptor> interceptors, DefaultStateContext ctx, StateHandler handler)
      throws Exception {
    if (interceptors.isEmpty()) {
      return handler.handle(ctx);
    }
    return interceptors
        .getFirst()
        .intercept(ctx, () -> call(interceptors.subList(1, interceptors.size()), ctx, handler));
  }

  private Duration since(long begin) {
    return Duration.ofNanos(engine.clock().nanoTime() - begin);
  }

  /** Sets the context of log lines; seq is the number of the history entry of this attempt. */
  private static void mark(LeasedInstance leased) {
    Fence fence = leased.fence();
    MDC.put("instance", Long.toString(leased.id()));
    MDC.put("workflow", leased.origin.type());
    MDC.put("state", leased.state);
    MDC.put("attempt", Integer.toString(leased.attempts));
    MDC.put("seq", Integer.toString(fence.seq() + 1));
    MDC.put("executor", Long.toString(fence.executorId()));
    if (leased.origin.businessKey() != null) {
      MDC.put("businessKey", leased.origin.businessKey());
    }
  }

  private static void unmark() {
    MARKS.forEach(MDC::remove);
  }
}
