package io.millrace.dispatch;

import io.millrace.definition.Next;
import io.millrace.definition.State;
import io.millrace.definition.StateHandler;
import io.millrace.definition.StepInterceptor;
import io.millrace.event.EngineEvent;
import io.millrace.instance.Position;
import io.millrace.instance.Signal;
import io.millrace.store.Fence;
import io.millrace.store.Save;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Runs one step of a held instance on the thread it is called on, and hands the outcome on. */
final class StepRunner {

  private static final List<String> MARKS =
      List.of("instance", "workflow", "state", "attempt", "seq", "executor", "businessKey");

  private final Node node;
  private final Outcomes outcomes;
  private final StepContext.Services services;
  private final Results results;

  /** Where steps end up. */
  interface Results {
    void ended(Held held, Outcome outcome);
  }

  /**
   * What a step came to.
   *
   * @param save the transition to be written
   * @param took how long the handler ran
   * @param failure what it threw; null when it answered
   */
  record Outcome(Save save, Duration took, @Nullable Throwable failure) {

    /** The same without the secrets that {@code redactor} knows. */
    Outcome without(Redactor redactor) {
      if (redactor.knowsNothing()) {
        return this;
      }
      Save.Entry said = save.entry();
      Save.Entry entry =
          new Save.Entry(
              said.type(),
              said.from(),
              cleaned(said.reason(), redactor),
              cleaned(said.error(), redactor),
              said.attempt(),
              said.took(),
              said.actor());
      Save cleaned =
          new Save(
              save.fence(), entry, save.target(), save.changes(), save.handover(), save.attached());
      return new Outcome(cleaned, took, failure);
    }

    private static @Nullable String cleaned(@Nullable String text, Redactor redactor) {
      return text == null ? null : redactor.clean(text);
    }
  }

  StepRunner(Node node, Outcomes outcomes, StepContext.Services services, Results results) {
    this.node = node;
    this.outcomes = outcomes;
    this.services = services;
    this.results = results;
  }

  /** Runs the step unless the instance was dropped meanwhile. */
  void run(Held held) {
    if (!held.move(Held.Phase.QUEUED, Held.Phase.RUNNING)) {
      return;
    }
    State state = held.definition.state(held.state);
    Save withoutHandler = withoutHandler(held, state);
    if (withoutHandler != null || state == null || state.handler() == null) {
      finish(held, new Outcome(orParked(held, withoutHandler), Duration.ZERO, null));
      return;
    }
    attempt(held, state, state.handler());
  }

  private Save orParked(Held held, @Nullable Save save) {
    return save != null ? save : outcomes.unknownState(held);
  }

  /** What to write when no handler is to run; null when one is. */
  private @Nullable Save withoutHandler(Held held, @Nullable State state) {
    for (Signal message : held.inbox) {
      if (message.kind() == Signal.Kind.PAUSE) {
        return outcomes.pause(held, message);
      }
    }
    if (state != null && state.await() != null && !isOver(held, state.await())) {
      return outcomes.waitOn(held, state.await());
    }
    if (Position.CHILDREN.equals(held.waitingFor) && held.children.open() > 0) {
      return outcomes.waitOnChildren(held);
    }
    return null;
  }

  private static boolean isOver(Held held, State.Await await) {
    return held.waitOver
        || held.inbox.stream()
            .anyMatch(s -> s.kind() == Signal.Kind.SIGNAL && s.name().equals(await.signal()));
  }

  private void attempt(Held held, State state, StateHandler handler) {
    long begin = node.clock().nanoTime();
    Held.Attempt attempt =
        new Held.Attempt(new Token(), services.stopBoard().reader(), begin, state.timeout());
    held.begin(attempt);
    if (held.stopping()) {
      // The stop came before there was an attempt to cancel, so the handler would not be told.
      if (held.end(attempt)) {
        results.ended(held, cutShort(held, Duration.ZERO));
      }
      return;
    }
    node.events()
        .send(
            new EngineEvent.StepStarted(held.id(), held.origin.type(), held.state, held.attempts));
    StepContext ctx = new StepContext(node, held, attempt, services);
    Attempted attempted;
    mark(held);
    Inside.enter("handler");
    try {
      Next next = call(node.interceptors(), ctx, handler);
      attempted = new Attempted.Answered(next, ctx, since(begin));
    } catch (Throwable thrown) {
      attempted =
          new Attempted.Threw(
              ctx.redactor().clean(thrown), since(begin), ctx.misuse().explains(thrown));
    } finally {
      Inside.leave();
      unmark();
    }
    if (!held.end(attempt)) {
      return;
    }
    if (held.stopping() && attempted.thrown() != null) {
      results.ended(held, cutShort(held, attempted.took()));
    } else {
      results.ended(held, outcome(held, attempted).without(ctx.redactor()));
    }
  }

  /**
   * What an attempt came to; an outcome that breaks the rules in an unforeseen way ends the state.
   */
  Outcome outcome(Held held, Attempted attempted) {
    try {
      return new Outcome(outcomes.of(held, attempted), attempted.took(), attempted.thrown());
    } catch (Throwable fault) {
      return new Outcome(
          outcomes.unreadable(held, fault, attempted.took()), attempted.took(), fault);
    }
  }

  /** The executor's stop left an attempt no more time, and it has given no answer. */
  Outcome cutShort(Held held, Duration took) {
    return new Outcome(outcomes.abandoned(held, took), took, null);
  }

  private static Next call(
      List<StepInterceptor> interceptors, StepContext ctx, StateHandler handler) throws Exception {
    if (interceptors.isEmpty()) {
      return handler.handle(ctx);
    }
    return interceptors
        .getFirst()
        .intercept(ctx, () -> call(interceptors.subList(1, interceptors.size()), ctx, handler));
  }

  private void finish(Held held, Outcome outcome) {
    if (held.move(Held.Phase.RUNNING, Held.Phase.SAVING)) {
      results.ended(held, outcome);
    }
  }

  private Duration since(long begin) {
    return Duration.ofNanos(node.clock().nanoTime() - begin);
  }

  /** What a log line needs to be found again: seq is that of the action this attempt becomes. */
  private static void mark(Held held) {
    Fence fence = held.fence();
    MDC.put("instance", Long.toString(held.id()));
    MDC.put("workflow", held.origin.type());
    MDC.put("state", held.state);
    MDC.put("attempt", Integer.toString(held.attempts));
    MDC.put("seq", Integer.toString(fence.seq() + 1));
    MDC.put("executor", Long.toString(fence.executorId()));
    if (held.origin.businessKey() != null) {
      MDC.put("businessKey", held.origin.businessKey());
    }
  }

  private static void unmark() {
    MARKS.forEach(MDC::remove);
  }
}
