package io.millrace.store.sql;

import io.millrace.lifecycle.LoopSupervisor;
import io.millrace.store.HintChannel.Subscription;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener on a connection and a thread of its own, which start with the first subscription. */
final class PostgresHintListener {

  private record Listening(String channel, Runnable onHint) {}

  private static final Logger LOG = LoggerFactory.getLogger(PostgresHintListener.class);
  private static final int WAIT_MILLIS = 250;
  private static final int PROBE_SECONDS = 10;
  private static final int PROBE_TIMEOUT_SECONDS = 5;
  private static final long MIN_BACKOFF_MILLIS = 100;
  private static final long MAX_BACKOFF_MILLIS = 5_000;
  private static final long CLOSE_MILLIS = 2_000;

  /** Time that other users of the pool wait for a connection before this one is returned. */
  private static final long STARVED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private static final long MIN_SCARCE_MILLIS = TimeUnit.MINUTES.toMillis(1);
  private static final long MAX_SCARCE_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final PooledConnections connections;
  private final PoolMonitor poolMonitor;
  private final String node;
  private final HintProbe probe;
  private final Consumer<String> notify;
  private final List<Listening> subscriptions = new CopyOnWriteArrayList<>();
  private @Nullable Thread thread;
  private volatile boolean closed;

  /**
   * True if this connection has listened for a while, without the wait for it. Used by its own
   * thread only.
   */
  private boolean steady;

  /**
   * True after the connection was lost, until hints are received again. Used by its own thread
   * only.
   */
  private boolean lost;

  /**
   * @param notify sends a notification through another connection
   */
  PostgresHintListener(
      DataSource dataSource,
      PoolMonitor poolMonitor,
      String node,
      HintProbe probe,
      Consumer<String> notify) {
    this.connections = new PooledConnections(dataSource);
    this.poolMonitor = poolMonitor;
    this.node = node;
    this.probe = probe;
    this.notify = notify;
  }

  synchronized Subscription subscribe(String channel, Runnable onHint) {
    Listening listening = new Listening(channel, onHint);
    subscriptions.add(listening);
    if (thread == null && !closed) {
      thread = LoopSupervisor.daemon("millrace-hint-listener", this::run);
    }
    return () -> subscriptions.remove(listening);
  }

  void close() {
    closed = true;
    Thread running;
    synchronized (this) {
      running = thread;
    }
    if (running == null) {
      return;
    }
    running.interrupt();
    try {
      running.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    long backoff = MIN_BACKOFF_MILLIS;
    long scarce = 0;
    while (!closed) {
      long began = System.nanoTime();
      boolean wasLost = lost;
      lost = true;
      try {
        connections.runOnce(connection -> {
          listen(connection, wasLost);
          return connection;
        });
        long listened = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        scarce = listened > scarce ? MIN_SCARCE_MILLIS : Math.min(2 * scarce, MAX_SCARCE_MILLIS);
        yieldToOthers(scarce);
      } catch (SQLException | RuntimeException e) {
        backoff = steady ? MIN_BACKOFF_MILLIS : Math.min(2 * backoff, MAX_BACKOFF_MILLIS);
        warn(wasLost && !steady, e);
        steady = false;
        pause(backoff);
      }
    }
  }

  private static boolean isLong(long began) {
    return System.nanoTime() - began > TimeUnit.SECONDS.toNanos(PROBE_SECONDS);
  }

  private void warn(boolean warned, Exception error) {
    if (!warned && !closed) {
      LOG.warn(
          "The connection that listens for hints was lost; work is found by looking until it is"
              + " back: {}",
          error.getMessage());
      LOG.debug("Where it was lost", error);
    }
  }

  /** Pauses, since the pool is too small to spare this connection for hints. */
  private void yieldToOthers(long millis) {
    if (!closed) {
      LOG.warn(
          "The pool has no connection to spare for hints, so for {} s work of other processes is"
              + " found by looking. Give the pool at least four connections, or open the store"
              + " without listening",
          TimeUnit.MILLISECONDS.toSeconds(millis));
      pause(millis);
    }
  }

  private void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      closed = true;
      Thread.currentThread().interrupt();
    }
  }

  private void listen(Connection connection, boolean wasLost) throws SQLException {
    connection.setAutoCommit(true);
    Set<String> channels = new HashSet<>();
    execute(connection, "LISTEN \"" + probe.channel() + "\"");
    addChannels(connection, channels);
    probe.restart();
    if (wasLost) {
      LOG.info("Listening for hints again");
      subscriptions.forEach(PostgresHintListener::hint);
    }
    long probed = System.nanoTime();
    PoolStarvation poolStarvation = new PoolStarvation();
    while (!closed && !poolStarvation.isLong(connection)) {
      addChannels(connection, channels);
      PostgresDriver.listen(connection, WAIT_MILLIS, this::received);
      probe.look(notify);
      if (isLong(probed)) {
        probe(connection);
        probed = System.nanoTime();
        steady = true;
      }
    }
    execute(connection, "UNLISTEN *");
  }

  /**
   * A measure of how long no user has got a connection although some wait and the database answers.
   * While it does not answer, a pool of any size makes them wait.
   */
  private final class PoolStarvation {
    private long served = poolMonitor.connectionsServed();
    private long since = System.nanoTime();
    private boolean answered;

    boolean isLong(Connection connection) throws SQLException {
      long servedNow = poolMonitor.connectionsServed();
      if (servedNow != served || !poolMonitor.isWaiting()) {
        served = servedNow;
        since = System.nanoTime();
        answered = false;
      }
      if (System.nanoTime() - since <= STARVED_NANOS) {
        return false;
      }
      if (!answered) {
        probe(connection);
        since = System.nanoTime();
        answered = true;
        return false;
      }
      return true;
    }
  }

  private void addChannels(Connection connection, Set<String> channels) throws SQLException {
    for (Listening subscription : subscriptions) {
      if (channels.add(subscription.channel)) {
        execute(connection, "LISTEN \"" + subscription.channel + "\"");
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Checks the connection: if its other end is gone, it is as silent as an idle one. */
  private static void probe(Connection connection) throws SQLException {
    if (!connection.isValid(PROBE_TIMEOUT_SECONDS)) {
      throw new SQLException("The connection that listens for hints is dead.", "08006");
    }
  }

  private void received(String channel, String from) {
    if (channel.equals(probe.channel())) {
      if (probe.arrived()) {
        subscriptions.forEach(PostgresHintListener::hint);
      }
    } else if (!from.equals(node)) {
      subscriptions.stream()
          .filter(subscription -> subscription.channel.equals(channel))
          .forEach(PostgresHintListener::hint);
    }
  }

  private static void hint(Listening subscription) {
    try {
      subscription.onHint.run();
    } catch (Throwable e) {
      LOG.error("A hint was not taken", e);
    }
  }
}
