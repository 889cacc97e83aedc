package io.millrace.observe;

import io.millrace.definition.AttemptInterceptor;
import java.util.Optional;

/**
 * The OpenTelemetry spans around handlers. An engine creates them automatically if the API is on
 * the class path and the application has set {@code GlobalOpenTelemetry}.
 */
public final class Tracing {

  /**
   * Variable that holds the trace of an instance, as the header {@code traceparent} of W3C Trace
   * Context. Without it every attempt starts a trace of its own.
   */
  public static final String TRACEPARENT = "traceparent";

  private Tracing() {}

  /** Returns the interceptor that creates the spans; empty without the API. */
  public static Optional<AttemptInterceptor> ifOnClassPath() {
    try {
      Class.forName(
          "io.opentelemetry.api.GlobalOpenTelemetry", false, Tracing.class.getClassLoader());
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
    return Optional.of(new TracingInterceptor());
  }
}
