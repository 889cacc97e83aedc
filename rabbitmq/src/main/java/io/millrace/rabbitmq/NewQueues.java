package io.millrace.rabbitmq;

import com.rabbitmq.client.Connection;
import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queues that this process has made lately. RabbitMQ writes a quorum queue to disk about a
 * second after it has made it; if it ends before, the queue comes back without a leader, and
 * nothing goes in or out. Thread-safe.
 */
final class NewQueues {

  /** By then a queue is on disk, also on a slow machine. */
  private static final Duration ON_DISK = Duration.ofSeconds(10);

  private final EngineClock clock;

  /** The connections over which the queues were made, until it is known that they are on disk. */
  private final Map<String, Connection> madeOver = new ConcurrentHashMap<>();

  NewQueues(EngineClock clock) {
    this.clock = clock;
  }

  /** Records that a queue is made now over a connection. */
  void add(String queue, Connection connection) {
    long made = clock.nanoTime();
    madeOver.put(queue, connection);
    connection.addShutdownListener(cause -> {
      if (clock.nanoTime() - made >= ON_DISK.toNanos()) {
        madeOver.remove(queue, connection);
      }
    });
  }

  /** True if the queue was made shortly before its connection ended. */
  boolean mayHaveNoLeader(String queue) {
    Connection connection = madeOver.get(queue);
    return connection != null && !connection.isOpen();
  }

  /** Records that a queue has a leader. */
  void remove(String queue) {
    madeOver.remove(queue);
  }
}
