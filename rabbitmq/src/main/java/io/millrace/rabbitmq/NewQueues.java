package io.millrace.rabbitmq;

import com.rabbitmq.client.Connection;
import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queues that this process has created lately. RabbitMQ writes a quorum queue to disk about a
 * second after it was created. If the broker ends before that, the queue comes back without a
 * leader and accepts and delivers nothing. Thread-safe.
 */
final class NewQueues {

  /** Time after which a queue is on disk, also on a slow machine. */
  private static final Duration ON_DISK = Duration.ofSeconds(10);

  private final EngineClock clock;

  /**
   * Connections over which the queues were created, kept until the queues are known to be on disk.
   */
  private final Map<String, Connection> madeOver = new ConcurrentHashMap<>();

  NewQueues(EngineClock clock) {
    this.clock = clock;
  }

  /** Records that a queue has just been created over a connection. */
  void add(String queue, Connection connection) {
    long made = clock.nanoTime();
    madeOver.put(queue, connection);
    connection.addShutdownListener(cause -> {
      if (clock.nanoTime() - made >= ON_DISK.toNanos()) {
        madeOver.remove(queue, connection);
      }
    });
  }

  /** True if the queue was created shortly before its connection ended. */
  boolean mayHaveNoLeader(String queue) {
    Connection connection = madeOver.get(queue);
    return connection != null && !connection.isOpen();
  }

  /** Records that a queue has a leader. */
  void remove(String queue) {
    madeOver.remove(queue);
  }
}
