package io.millrace.sequence;

import io.millrace.codec.Codec;
import io.millrace.definition.CancelledException;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.StateHandler;
import io.millrace.lifecycle.BoundedThreadPool;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a task as the handler of its state, through all phases of an attempt. */
final class TaskStateHandler implements StateHandler {

  private static final Logger LOG = LoggerFactory.getLogger(TaskStateHandler.class);

  private final DefaultTaskContext.CompiledPosition compiledPosition;
  private final @Nullable String nextState;
  private final HandlerProvider handlerProvider;
  private final Services services;

  /** A provider of the object that runs an attempt. */
  @FunctionalInterface
  interface HandlerProvider {
    TaskHandler handler() throws Exception;

    /** Returns true if the handler is CPU-bound; see {@link TaskHandler#cpuBound}. */
    default boolean cpuBound() {
      return false;
    }
  }

  /** Services that all tasks of a node share. */
  record Services(Codec codec, BoundedThreadPool pool, SequenceSettings settings) {}

  TaskStateHandler(
      DefaultTaskContext.CompiledPosition compiledPosition,
      @Nullable String nextState,
      HandlerProvider handlerProvider,
      Services services) {
    this.compiledPosition = compiledPosition;
    this.nextState = nextState;
    this.handlerProvider = handlerProvider;
    this.services = services;
  }

  @Override
  public Next handle(StateContext ctx) throws Exception {
    DefaultTaskContext task =
        new DefaultTaskContext(ctx, compiledPosition, services.codec, services.pool);
    TaskHandler handler = handlerProvider.handler();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // Libraries that ask the thread for classes find those of the task's own jar.
    thread.setContextClassLoader(handler.getClass().getClassLoader());
    try {
      return run(task, handler);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private Next run(DefaultTaskContext task, TaskHandler handler) {
    try {
      handler.preProcess(task);
      handler.execute(task);
      handler.postProcess(task);
    } catch (Throwable failure) {
      callOnError(handler, task, failure);
      return failed(task, failure);
    }
    String said = Objects.requireNonNullElse(task.statusLog(), "task " + task.taskName() + " done");
    return nextState == null ? Next.done(said) : Next.moveTo(nextState, said);
  }

  private static void callOnError(TaskHandler handler, DefaultTaskContext task, Throwable failure) {
    try {
      handler.onError(task, failure);
    } catch (Throwable e) {
      LOG.warn(
          "The error phase of task {} of execution {} failed itself",
          task.taskName(),
          task.executionId(),
          e);
    }
  }

  /** Retries at the next time of the retry cron if there is one, else by the task's policy. */
  private Next failed(DefaultTaskContext task, Throwable failure) {
    String summary = summary(task, failure);
    String said = task.statusLog() == null ? summary : task.statusLog() + " (" + summary + ")";
    return Next.retry(untilRetry(task.now()), said, failure);
  }

  /**
   * Returns the text of a failure. An interrupted task fails with whatever the interrupt caused,
   * which explains nothing.
   */
  private static String summary(DefaultTaskContext task, Throwable failure) {
    try {
      task.cancelToken().throwIfCancelled();
      return String.valueOf(failure);
    } catch (CancelledException e) {
      return "The task was stopped: " + e.getMessage() + " It failed with " + failure;
    }
  }

  private @Nullable Duration untilRetry(Instant now) {
    Instant next = CronSchedules.next(services.settings.crons().retryCron(), now);
    return next == null ? null : Duration.between(now, next);
  }
}
