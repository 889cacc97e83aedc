package io.millrace.redis.connect;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A separate connection for blocking waits. An interrupt goes to the server over the shared
 * connection, so that the server decides whether the entry or the interrupt came first, and no
 * entry is lost.
 */
final class RedisBlockingConnection implements Redis.BlockingConnection {

  private static final Logger LOG = LoggerFactory.getLogger(RedisBlockingConnection.class);
  private static final long BETWEEN_TRIES = Duration.ofMillis(2).toNanos();

  /** State of the connection; while WAITING the command is on its way to the server, or there. */
  private enum State {
    IDLE,
    WAITING,
    INTERRUPTED,
    CLOSED
  }

  private final Redis shared;
  private final RedisConnector connector;
  private final Duration patience;
  private final Consumer<RedisBlockingConnection> onClose;
  private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
  private volatile @Nullable RedisConnection connection;

  /**
   * Creates a connection that connects at the first wait.
   *
   * @param patience how much longer than the wait itself the reply may take
   */
  RedisBlockingConnection(
      Redis shared,
      RedisConnector connector,
      Duration patience,
      Consumer<RedisBlockingConnection> onClose) {
    this.shared = shared;
    this.connector = connector;
    this.patience = patience;
    this.onClose = onClose;
  }

  @Override
  public @Nullable String move(String from, String to, Duration timeout) {
    if (!state.compareAndSet(State.IDLE, State.WAITING)) {
      return ended();
    }
    try {
      RedisConnection open = connected();
      if (state.get() != State.WAITING) {
        return ended();
      }
      open.readTimeout(timeout.plus(patience));
      List<String> command = List.of("BLMOVE", from, to, "LEFT", "RIGHT", seconds(timeout));
      Object reply = open.exchange(List.of(command)).getFirst();
      if (reply instanceof ErrorReply error) {
        if (error.isAway()) {
          throw new IOException(error.message());
        }
        throw new RedisReplyException(error.message());
      }
      return (String) reply;
    } catch (IOException e) {
      disconnect();
      if (state.get() != State.WAITING) {
        return null;
      }
      throw new RedisUnavailableException(
          connector.name() + " was lost while waiting for jobs: " + e.getMessage(), e);
    } finally {
      // An interrupt that came too late for this wait counts as done.
      if (!state.compareAndSet(State.WAITING, State.IDLE)) {
        state.compareAndSet(State.INTERRUPTED, State.IDLE);
      }
      if (state.get() == State.CLOSED) {
        disconnect(); // it was closed before there was a connection to close
      }
    }
  }

  private @Nullable String ended() {
    if (state.compareAndSet(State.INTERRUPTED, State.IDLE)) {
      return null;
    }
    if (state.get() == State.CLOSED) {
      throw RedisUnavailableException.unexecuted(
          "The wait on " + connector.name() + " was closed", null);
    }
    throw new IllegalStateException("Two threads wait on one connection");
  }

  private RedisConnection connected() throws IOException {
    RedisConnection open = connection;
    if (open == null) {
      open = connector.connect();
      connection = open;
    }
    return open;
  }

  @Override
  public void interrupt() {
    if (state.compareAndSet(State.IDLE, State.INTERRUPTED)
        || !state.compareAndSet(State.WAITING, State.INTERRUPTED)) {
      return;
    }
    try {
      // The command may not have reached the server yet. Until it has, there is no wait to end.
      while (state.get() == State.INTERRUPTED && !isUnblocked()) {
        LockSupport.parkNanos(this, BETWEEN_TRIES);
      }
    } catch (RedisUnavailableException e) {
      LOG.debug("The wait is broken off, since the server does not answer", e);
      disconnect();
    } catch (RedisReplyException e) {
      LOG.debug("The wait runs out by itself, since the user may not end it", e);
    }
  }

  private boolean isUnblocked() {
    RedisConnection open = connection;
    return open != null
        && Long.valueOf(1)
            .equals(shared.call("CLIENT", "UNBLOCK", Long.toString(open.id), "TIMEOUT"));
  }

  /**
   * Returns a timeout in seconds as the server expects it; at least a millisecond, since 0 means no
   * limit.
   */
  static String seconds(Duration timeout) {
    long millis = Math.max(1, timeout.toMillis());
    return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
  }

  private void disconnect() {
    RedisConnection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    state.set(State.CLOSED);
    disconnect();
    onClose.accept(this);
  }
}
