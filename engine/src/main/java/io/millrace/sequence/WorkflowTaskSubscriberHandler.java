package io.millrace.sequence;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import org.jspecify.annotations.Nullable;

/**
 * A base class for tasks: a subclass calls the super constructor with the task's channel and
 * implements {@link #handleTaskExecution}. The class needs a public constructor with one {@code
 * String}, the channel. Every attempt gets an object of its own, so fields need no protection.
 */
public abstract class WorkflowTaskSubscriberHandler implements TaskHandler {

  /** The text of the attempt, which the visit of the task shows. */
  protected @Nullable String statusLog;

  private final String channel;
  private @Nullable TaskContext context;

  /** Creates a handler for the task's channel. */
  protected WorkflowTaskSubscriberHandler(String channel) {
    this.channel = requirePresent(channel, "The channel of a task");
  }

  /**
   * Does the work.
   *
   * @param message the six fields of {@link TaskMessage} as JSON
   * @throws Exception any exception is a failed attempt, which is retried by the task's policy
   */
  protected abstract void handleTaskExecution(String message) throws Exception;

  @Override
  public final void execute(TaskContext task) throws Exception {
    context = task;
    try {
      handleTaskExecution(task.message());
    } finally {
      if (statusLog != null) {
        task.statusLog(statusLog);
      }
    }
  }

  /** Returns the context of the attempt; available only during its execution. */
  protected final TaskContext task() {
    return requirePresent(
        context, "The context of a task on channel " + channel + " that is not executed");
  }

  /** Returns the channel passed to the constructor. */
  public final String channel() {
    return channel;
  }
}
