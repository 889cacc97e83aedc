package io.millrace.observe;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.StepInterceptor;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One span per attempt. Does nothing until the application has set its OpenTelemetry, and never
 * sets one itself: the first to ask for the global one would decide that there is none.
 */
final class StepSpans implements StepInterceptor {

  private static final TextMapGetter<String> ONE_HEADER = new OneHeader();

  private volatile @Nullable Tracer tracer;

  @Override
  public Next intercept(StateContext ctx, Chain chain) throws Exception {
    Tracer present = tracer();
    return present == null ? chain.proceed() : traced(present, ctx, chain);
  }

  private @Nullable Tracer tracer() {
    Tracer present = tracer;
    if (present == null && GlobalOpenTelemetry.isSet()) {
      present = GlobalOpenTelemetry.getOrNoop().getTracer("io.millrace");
      tracer = present;
    }
    return present;
  }

  private static Next traced(Tracer tracer, StateContext ctx, Chain chain) throws Exception {
    Span span = begin(tracer, ctx);
    try (Scope scope = span.makeCurrent()) {
      Objects.requireNonNull(scope, "scope");
      Next next = chain.proceed();
      answered(span, next);
      return next;
    } catch (Throwable thrown) {
      span.setAttribute("workflow.outcome", "error");
      span.setStatus(StatusCode.ERROR, thrown.toString());
      span.recordException(thrown);
      throw thrown;
    } finally {
      span.end();
    }
  }

  private static Span begin(Tracer tracer, StateContext ctx) {
    return tracer
        .spanBuilder(ctx.type() + " " + ctx.state())
        .setParent(parent(ctx))
        .setAttribute("workflow.type", ctx.type())
        .setAttribute("workflow.instance", ctx.instanceId())
        .setAttribute("workflow.state", ctx.state())
        .setAttribute("workflow.attempt", (long) ctx.attempt())
        .setAttribute("workflow.seq", (long) ctx.seq())
        .startSpan();
  }

  /** A variable of this name that is no header of a trace is somebody else's: it is left alone. */
  private static Context parent(StateContext ctx) {
    Optional<Object> header = ctx.find(Tracing.TRACEPARENT, Object.class);
    return header.isPresent() && header.get() instanceof String text
        ? W3CTraceContextPropagator.getInstance().extract(Context.root(), text, ONE_HEADER)
        : Context.root();
  }

  private static void answered(Span span, @Nullable Next next) {
    if (next == null) {
      span.setStatus(StatusCode.ERROR, "the handler answered with null");
      return;
    }
    span.setAttribute("workflow.outcome", next.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    if (next instanceof Next.Retry || next instanceof Next.Fail) {
      span.setStatus(StatusCode.ERROR, next.reason());
    }
  }

  /** A carrier that is the value of its only header. */
  private static final class OneHeader implements TextMapGetter<String> {
    @Override
    public @Nullable String get(@Nullable String carrier, String key) {
      return key.equals(Tracing.TRACEPARENT) ? carrier : null;
    }
  }
}
