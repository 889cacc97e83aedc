package io.millrace.store.sql;

import io.millrace.lifecycle.LoopSupervisor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sender of hints on a thread of its own, which starts with the first hint. Hints of the same
 * channel within a pause are merged.
 */
final class PostgresHintSender {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresHintSender.class);
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  private final PooledConnections connections;
  private final String node;
  private final Consumer<String> sent;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<String> waiting = new LinkedHashSet<>();
  private @Nullable Thread thread;
  private boolean closed;

  /**
   * @param sent called with each channel after its notification has been sent
   */
  PostgresHintSender(DataSource dataSource, String node, Consumer<String> sent) {
    this.connections = new PooledConnections(dataSource);
    this.node = node;
    this.sent = sent;
  }

  void publish(String channel) {
    lock.lock();
    try {
      if (!closed && waiting.add(channel)) {
        if (thread == null) {
          thread = LoopSupervisor.daemon("millrace-hint-sender", this::sendAll);
        }
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Sends the waiting hints, and returns when the data source is no longer used, or after a while.
   */
  void close() {
    Thread running = endSending();
    if (running == null) {
      return;
    }
    try {
      running.join(LAST_WORDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Thread endSending() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
      return thread;
    } finally {
      lock.unlock();
    }
  }

  private void sendAll() {
    try {
      for (List<String> channels = next(); !channels.isEmpty(); channels = next()) {
        send(channels);
        pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for channels to notify. Returns none when closed. */
  private List<String> next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !closed) {
        changed.await();
      }
      List<String> channels = List.copyOf(waiting);
      waiting.clear();
      return channels;
    } finally {
      lock.unlock();
    }
  }

  private void pause() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = PAUSE.toNanos();
      while (left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private void send(List<String> channels) {
    try {
      connections.runOnce(connection -> {
        for (String channel : channels) {
          PostgresDriver.notify(connection, channel, node);
        }
        if (!connection.getAutoCommit()) {
          connection.commit();
        }
        return channels;
      });
      channels.forEach(sent);
    } catch (SQLException | RuntimeException e) {
      LOG.debug("Hints on {} were not sent; others find the work when they look", channels, e);
    }
  }
}
