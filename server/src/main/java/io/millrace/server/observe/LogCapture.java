package io.millrace.server.observe;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.Next;
import io.millrace.definition.SecretMask;
import io.millrace.definition.StateContext;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.LogLine;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.store.LogStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A capture of the log lines of handlers, which are stored with their instances. A line belongs to
 * the attempt that the MDC of its thread names, so the lines of a handler's helper threads are
 * captured if they copy the MDC. Register it with the engine's builder as interceptor and as
 * listener, and close it after the engine. Thread-safe.
 */
public final class LogCapture implements AttemptInterceptor, EngineListener, AutoCloseable {

  private static final int CAPACITY = 10_000;

  private final ObservabilityConfig.Logs limits;
  private final EngineClock clock;
  private final LogQueue queue;
  private final Map<String, AttemptLog> attempts = new ConcurrentHashMap<>();
  private final AttemptLogAppender appender = new AttemptLogAppender(this);
  private @Nullable LoggerContext context;

  /** Creates a capture with room for ten thousand lines that are not stored yet. */
  public LogCapture(
      LogStore store,
      ObservabilityConfig.Logs limits,
      EngineRuntime runtime,
      MeterRegistry registry) {
    this(store, limits, CAPACITY, runtime, registry);
  }

  LogCapture(
      LogStore store,
      ObservabilityConfig.Logs limits,
      int capacity,
      EngineRuntime runtime,
      MeterRegistry registry) {
    this.limits = limits;
    this.clock = runtime.clock();
    this.queue = new LogQueue(store, capacity, runtime, registry);
  }

  /** Starts to listen to all loggers of this process; does nothing without Logback. */
  public void attach() {
    ILoggerFactory factory = LoggerFactory.getILoggerFactory();
    if (factory instanceof LoggerContext loggers) {
      context = loggers;
      appender.setContext(loggers);
      appender.start();
      loggers.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }
  }

  @Override
  public Next intercept(StateContext ctx, Chain chain) throws Exception {
    String key = key(MDC.get("instance"), MDC.get("seq"), MDC.get("executor"));
    AttemptLog attempt = new AttemptLog(ctx.instanceId(), place(ctx), limits, mask(ctx));
    attempts.put(key, attempt);
    try {
      return chain.proceed();
    } finally {
      attempts.remove(key, attempt);
      LogLine last = attempt.end(clock.instant());
      if (last != null) {
        queue.offer(last);
      }
    }
  }

  private static UnaryOperator<String> mask(StateContext ctx) {
    return ctx instanceof SecretMask mask ? mask::masked : UnaryOperator.identity();
  }

  private static LogLine.Source place(StateContext ctx) {
    String executor = MDC.get("executor");
    return new LogLine.Source(
        ctx.state(), ctx.attempt(), ctx.seq(), executor == null ? null : Long.valueOf(executor));
  }

  private static String key(
      @Nullable String instance, @Nullable String seq, @Nullable String executor) {
    return instance + "/" + seq + "/" + executor;
  }

  /** Captures a line, on the thread that logs it. */
  void take(ILoggingEvent event) {
    if (attempts.isEmpty()) {
      return;
    }
    Map<String, String> marks = event.getMDCPropertyMap();
    String instance = marks.get("instance");
    AttemptLog attempt =
        instance == null
            ? null
            : attempts.get(key(instance, marks.get("seq"), marks.get("executor")));
    if (attempt == null) {
      return;
    }
    LogLine line =
        attempt.add(
            event.getInstant(), event.getLevel().toString(), event.getLoggerName(), text(event));
    if (line == null) {
      queue.overLimit();
    } else if (!queue.offer(line)) {
      attempt.lost();
    }
  }

  private static String text(ILoggingEvent event) {
    String message = String.valueOf(event.getFormattedMessage());
    return event.getThrowableProxy() == null
        ? message
        : message + "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
  }

  /** Stores the remaining lines when the engine has stopped, before its store is closed. */
  @Override
  public void onEvent(EngineEvent event) {
    if (event instanceof EngineEvent.ExecutorStopped) {
      queue.flush();
    }
  }

  @Override
  public void close() {
    LoggerContext attached = context;
    if (attached != null) {
      attached.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).detachAppender(appender);
      appender.stop();
    }
    queue.close();
  }
}
