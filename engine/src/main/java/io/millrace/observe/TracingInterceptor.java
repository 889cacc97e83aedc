package io.millrace.observe;

import static io.opentelemetry.api.common.AttributeKey.stringKey;

import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.Next;
import io.millrace.definition.SecretMask;
import io.millrace.definition.StateContext;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An interceptor that creates one span per attempt. It does nothing until the application has set
 * its OpenTelemetry, and never reads the global one before: the first read would set it to a no-op.
 */
final class TracingInterceptor implements AttemptInterceptor {

  private static final TextMapGetter<String> ONE_HEADER = new OneHeader();

  private static final AttributeKey<String> EXCEPTION_TYPE = stringKey("exception.type");
  private static final AttributeKey<String> EXCEPTION_MESSAGE = stringKey("exception.message");
  private static final AttributeKey<String> EXCEPTION_TRACE = stringKey("exception.stacktrace");

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
      answered(span, ctx, next);
      return next;
    } catch (Throwable thrown) {
      failed(span, ctx, thrown);
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

  /**
   * Returns the parent of the span; a variable with this name that is not a trace header is
   * ignored.
   */
  private static Context parent(StateContext ctx) {
    Optional<Object> header = ctx.find(Tracing.TRACEPARENT, Object.class);
    return header.isPresent() && header.get() instanceof String text
        ? W3CTraceContextPropagator.getInstance().extract(Context.root(), text, ONE_HEADER)
        : Context.root();
  }

  /**
   * Records the failure like {@link Span#recordException}, without the attempt's secrets. A
   * throwable may fail in its own methods, which must not replace the original failure.
   */
  private static void failed(Span span, StateContext ctx, Throwable thrown) {
    String type = thrown.getClass().getName();
    span.setAttribute("workflow.outcome", "error");
    try {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace));
      span.setStatus(StatusCode.ERROR, masked(ctx, thrown.toString()));
      span.addEvent(
          "exception",
          Attributes.of(
              EXCEPTION_TYPE,
              type,
              EXCEPTION_MESSAGE,
              masked(ctx, String.valueOf(thrown.getMessage())),
              EXCEPTION_TRACE,
              masked(ctx, trace.toString())));
    } catch (RuntimeException | Error e) {
      span.setStatus(StatusCode.ERROR, type);
    }
  }

  private static String masked(StateContext ctx, String text) {
    return ctx instanceof SecretMask mask ? mask.masked(text) : text;
  }

  private static void answered(Span span, StateContext ctx, @Nullable Next next) {
    if (next == null) {
      span.setStatus(StatusCode.ERROR, "the handler answered with null");
      return;
    }
    span.setAttribute("workflow.outcome", next.getClass().getSimpleName().toLowerCase(Locale.ROOT));
    if (next instanceof Next.Retry || next instanceof Next.Fail) {
      span.setStatus(StatusCode.ERROR, masked(ctx, next.reason()));
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
