package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The reason why an instance is in its current state. */
public sealed interface StatusReason {

  /** Returns the reason as one sentence. */
  String sentence();

  /** The instance runs when its time comes. */
  record WaitingForTimer(Instant due) implements StatusReason {
    @Override
    public String sentence() {
      return "It continues at " + due + ".";
    }
  }

  /**
   * The message of the instance to a channel has not been sent to the broker.
   *
   * @param until when an executor claims the instance without the message
   * @param problem why it was not sent; null if that has not been tried
   */
  record WaitingForChannel(String channel, Instant until, @Nullable String problem)
      implements StatusReason {
    @Override
    public String sentence() {
      return "Its message to channel '"
          + channel
          + "' has not been handed over"
          + because(problem)
          + ". It is sent again by itself; at "
          + until
          + " an executor goes on without it.";
    }
  }

  /** The instance waits for a signal, at most until {@code until}; null for no limit. */
  record WaitingForSignal(String signal, @Nullable Instant until) implements StatusReason {
    @Override
    public String sentence() {
      return "It waits for the signal '"
          + signal
          + "'"
          + (until == null ? "." : ", at most until " + until + ".");
    }
  }

  /** The instance waits until its children have ended. */
  record WaitingForChildren(ChildCounts children) implements StatusReason {
    @Override
    public String sentence() {
      return "It waits for "
          + children.open()
          + " of its "
          + children.total()
          + " children to end.";
    }
  }

  /** The instance is due, and no executor has claimed it yet. */
  record WaitingForExecutor(String executorGroup, Instant since, int liveExecutors)
      implements StatusReason {
    @Override
    public String sentence() {
      return liveExecutors == 0
          ? "It has been due since "
              + since
              + ", but no executor of group '"
              + executorGroup
              + "' is alive."
          : "It has been due since "
              + since
              + " and waits for one of "
              + liveExecutors
              + " executors to have room.";
    }
  }

  /** An attempt failed; the next one comes at {@code retryAt}. */
  record BackingOff(int attempts, Instant retryAt, @Nullable String reason)
      implements StatusReason {
    @Override
    public String sentence() {
      return "Attempt "
          + attempts
          + " failed"
          + because(reason)
          + "; the next one comes at "
          + retryAt
          + ".";
    }
  }

  /** An operator paused the instance. */
  record Paused(@Nullable String reason) implements StatusReason {
    @Override
    public String sentence() {
      return "It is paused" + because(reason) + ". Resume it to go on.";
    }
  }

  /** No live executor of the instance's group knows its type and version. */
  record NoMatchingExecutor(String type, int version, String executorGroup)
      implements StatusReason {
    @Override
    public String sentence() {
      return "It is due, but no live executor of group '"
          + executorGroup
          + "' knows '"
          + type
          + "' version "
          + version
          + ". Start one that has this definition.";
    }
  }

  /** An executor works on the instance. */
  record Executing(long executorId, int attempt) implements StatusReason {
    @Override
    public String sentence() {
      return "Executor " + executorId + " works on it, attempt " + attempt + ".";
    }
  }

  /**
   * An executor holds the instance, and its handler may not have started.
   *
   * @param among number of instances that the executor holds and that wait for a handler, if it is
   *     not known whether this is one of them; 0 if it is
   */
  record Queued(long executorId, int among) implements StatusReason {
    @Override
    public String sentence() {
      return "Executor "
          + executorId
          + (among == 0
              ? " holds it, and its handler has not started."
              : " holds it; " + among + " of the instances that it holds wait for a handler.");
    }
  }

  /**
   * The executor died or stopped while it worked on the instance; another one of the group recovers
   * it.
   */
  record ExecutorLost(long executorId, Instant since, int liveExecutors) implements StatusReason {
    @Override
    public String sentence() {
      return "Executor "
          + executorId
          + " worked on it and is gone since "
          + since
          + (liveExecutors == 0
              ? "; no other executor of its group is alive to take it over."
              : "; one of " + liveExecutors + " others takes it over.");
    }
  }

  /** The instance waits for an operator. */
  record Manual(String state, @Nullable String reason) implements StatusReason {
    @Override
    public String sentence() {
      return "It waits for an operator in state '"
          + state
          + "'"
          + because(reason)
          + ". Move or retry it.";
    }
  }

  /** The instance has ended. */
  record Ended(InstanceStatus status, @Nullable String reason) implements StatusReason {
    @Override
    public String sentence() {
      return "It has ended as " + status.code() + because(reason) + ".";
    }
  }

  private static String because(@Nullable String reason) {
    return reason == null || reason.isBlank() ? "" : ": " + reason;
  }
}
