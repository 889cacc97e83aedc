package io.millrace.redis.connect;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Commands that are sent together, and the thread that waits for their replies. */
final class RedisRequest {

  final List<byte[]> commands;
  final long deadline;
  private final Thread caller = Thread.currentThread();
  private final @Nullable Object[] replies;
  private int read;
  private @Nullable Supplier<RedisUnavailableException> failure;
  private volatile boolean done;

  /**
   * Of the calling thread.
   *
   * @param deadline by System.nanoTime
   */
  RedisRequest(List<byte[]> commands, long deadline) {
    this.commands = commands;
    this.deadline = deadline;
    this.replies = new @Nullable Object[commands.size()];
  }

  /** Takes the reply of the next command; the last one wakes the caller. */
  void reply(@Nullable Object raw) {
    replies[read++] = raw;
    if (read == replies.length) {
      finish();
    }
  }

  void fail(Supplier<RedisUnavailableException> why) {
    if (!done) {
      failure = why;
      finish();
    }
  }

  private void finish() {
    done = true;
    LockSupport.unpark(caller);
  }

  /**
   * Waits for the replies; an interrupt does not end it, since what was sent cannot be taken back,
   * but is kept. Whoever sends the request sees to it that the wait has an end: a time limit here
   * would cost every call of a virtual thread a timer.
   */
  @Nullable Object[] await() {
    boolean interrupted = false;
    while (!done) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw failure.get();
    }
    return replies;
  }
}
