package io.millrace.observe;

import io.millrace.definition.StepInterceptor;
import java.util.Optional;

/**
 * Spans of OpenTelemetry around handlers. An engine makes them by itself when the API is on the
 * class path and the application has set {@code GlobalOpenTelemetry}.
 */
public final class Tracing {

  /**
   * The variable that holds the trace an instance belongs to, as the header {@code traceparent} of
   * W3C Trace Context. Without it every attempt begins a trace of its own.
   */
  public static final String TRACEPARENT = "traceparent";

  private Tracing() {}

  /** The interceptor that makes the spans; empty without the API. */
  public static Optional<StepInterceptor> ifOnClassPath() {
    try {
      Class.forName(
          "io.opentelemetry.api.GlobalOpenTelemetry", false, Tracing.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
    return Optional.of(new TracingInterceptor());
  }
}
