package io.millrace.redis.connect;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Commands that are sent together, with the thread that waits for their replies. */
final class RedisRequest {

  static final List<String> MULTI = List.of("MULTI");

  final byte[] bytes;
  final int commands;

  /** True if the server executes nothing before it has the last byte. */
  final boolean isAtomic;

  final long deadline;
  private final Thread caller = Thread.currentThread();
  private final @Nullable Object[] replies;
  private int read;
  private @Nullable Supplier<RedisUnavailableException> failure;
  private volatile boolean done;

  /**
   * Creates a request of the calling thread.
   *
   * @param deadline by System.nanoTime
   */
  RedisRequest(List<List<String>> commands, long deadline) {
    this.bytes = RespWriter.bytes(commands);
    this.commands = commands.size();
    this.isAtomic = commands.size() == 1 || commands.getFirst().equals(MULTI);
    this.deadline = deadline;
    this.replies = new @Nullable Object[commands.size()];
  }

  /** Records the reply of the next command; the last one wakes the caller. */
  void reply(@Nullable Object reply) {
    replies[read++] = reply;
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
   * Waits for the replies. An interrupt does not end the wait, since commands cannot be revoked,
   * but it stays set. The sender guarantees that the wait ends: a time limit here would cost a
   * timer for each call of a virtual thread.
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
