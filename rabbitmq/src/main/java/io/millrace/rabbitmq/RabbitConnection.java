package io.millrace.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import com.rabbitmq.client.SocketConfigurators;
import com.rabbitmq.client.impl.DefaultExceptionHandler;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that a loop of its own restores whenever it is lost. The library's own recovery is
 * off because it cannot be asked why it fails. Thread-safe.
 */
final class RabbitConnection {

  /** Work of the connection's loop while there is a connection. */
  @FunctionalInterface
  interface MaintenanceTask {
    MaintenanceTask NONE = connection -> Loop.UNTIL_WOKEN;

    /** Does the work and returns the longest delay until the next call; does not throw. */
    Duration maintain(Connection connection);
  }

  /** State of the connection. */
  sealed interface State {
    /** The connection loop is about to connect. */
    record Connecting() implements State {}

    record Connected(Connection connection) implements State {}

    /** The last attempt failed; the connection loop will retry. */
    record Disconnected(String reason) implements State {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(RabbitTransport.class);
  private static final int CONNECT_MILLIS = 5_000;
  private static final int HEARTBEAT_SECONDS = 10;
  private static final int ANSWER_MILLIS = 5_000;
  private static final int CLOSE_MILLIS = 2_000;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);
  private static final Duration STEADY = Duration.ofSeconds(10);

  private final RabbitSettings.BrokerUri brokerUri;
  private final String name;
  private final EngineRuntime runtime;
  private final MaintenanceTask maintenanceTask;
  private final ConnectionFactory factory;
  private final RabbitBackoff backoff;
  private final PeriodicLogger periodicLogger;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private volatile State state = new State.Connecting();
  private volatile boolean closed;
  private volatile @Nullable String blocked;
  private volatile @Nullable Socket socket;
  private volatile @Nullable Loop loop;

  /** Time of the last connect, in nanoseconds. Used by the loop only. */
  private long connectedNanos;

  RabbitConnection(
      RabbitSettings settings,
      String role,
      EngineRuntime runtime,
      MaintenanceTask maintenanceTask) {
    this.brokerUri = settings.place();
    this.name = settings.connectionName() + "-" + role;
    this.runtime = runtime;
    this.maintenanceTask = maintenanceTask;
    this.factory = factory(settings);
    this.backoff = new RabbitBackoff(FIRST_PAUSE, MAX_PAUSE, runtime.random());
    this.periodicLogger = new PeriodicLogger(LOG, runtime.clock());
  }

  void start() {
    loop = runtime.runner().loop("millrace-rabbitmq-" + name, this::tick);
  }

  private ConnectionFactory factory(RabbitSettings settings) {
    ConnectionFactory made = new ConnectionFactory();
    made.setHost(brokerUri.host());
    made.setPort(brokerUri.port());
    made.setUsername(brokerUri.user());
    made.setPassword(brokerUri.password());
    made.setVirtualHost(brokerUri.vhost());
    made.setAutomaticRecoveryEnabled(false);
    made.setTopologyRecoveryEnabled(false);
    made.setConnectionTimeout(CONNECT_MILLIS);
    made.setHandshakeTimeout(CONNECT_MILLIS);
    made.setShutdownTimeout(CLOSE_MILLIS);
    made.setChannelRpcTimeout(Math.max(ANSWER_MILLIS, (int) settings.confirmLimit().toMillis()));
    made.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    // A message over the library's limit would cut the connection on each delivery. Here it is
    // received once and becomes a dead letter. The broker has a limit of its own.
    made.setMaxInboundMessageBodySize(Integer.MAX_VALUE);
    made.setSocketConfigurator(one -> {
      SocketConfigurators.defaultConfigurator().configure(one);
      socket = one;
    });
    made.setExceptionHandler(new QuietExceptionHandler());
    if (brokerUri.tls()) {
      useTls(made);
    }
    return made;
  }

  /**
   * Turns on TLS with certificate checks. The library's own way, a URI with amqps, would trust
   * every certificate.
   */
  private static void useTls(ConnectionFactory factory) {
    try {
      factory.useSslProtocol(SSLContext.getDefault());
      factory.enableHostnameVerification();
    } catch (GeneralSecurityException e) {
      throw new InvalidRequestException(
          "RabbitMQ cannot be spoken to over TLS, for this JVM has no usable TLS context: "
              + e.getMessage());
    }
  }

  /** Keeps the library from logging a lost connection, since this class logs it. */
  private static final class QuietExceptionHandler extends DefaultExceptionHandler {
    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable cause) {
      LOG.debug("The library noticed the end of a connection", cause);
    }
  }

  private Duration tick() {
    if (closed) {
      return Loop.UNTIL_WOKEN;
    }
    if (state instanceof State.Connected connected) {
      if (connected.connection().isOpen()) {
        return maintenanceTask.maintain(connected.connection());
      }
      boolean steady = runtime.clock().nanoTime() - connectedNanos > STEADY.toNanos();
      lost(connected.connection());
      if (!steady) {
        return backoff.next();
      }
      backoff.reset();
    }
    return connect();
  }

  private void lost(Connection connection) {
    ShutdownSignalException reason = connection.getCloseReason();
    String why = reason == null ? "unknown" : RabbitErrorMessages.of(reason);
    LOG.info("Connection {} to RabbitMQ at {} is lost: {}", name, brokerUri, why);
    set(new State.Connecting());
  }

  private Duration connect() {
    try {
      Connection connection = factory.newConnection(name);
      connectedNanos = runtime.clock().nanoTime();
      blocked = null;
      connection.addBlockedListener(why -> blocked = why, () -> blocked = null);
      connection.addShutdownListener(cause -> wake());
      LOG.info(
          "Connection {} to RabbitMQ at {} is {}",
          name,
          brokerUri,
          periodicLogger.end() ? "made after all" : "made");
      set(new State.Connected(connection));
      return connection.isOpen() ? maintenanceTask.maintain(connection) : Duration.ZERO;
    } catch (IOException | TimeoutException | RuntimeException e) {
      String why = RabbitErrorMessages.ofConnecting(e, brokerUri);
      LOG.debug("Connection {} is not made", name, e);
      periodicLogger.warn("Connection " + name + " is not made, it is tried again: " + why);
      set(new State.Disconnected(why));
      return backoff.next();
    }
  }

  private void set(State next) {
    lock.lock();
    try {
      state = next;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the state of the connection, after an attempt to connect that is due has ended.
   *
   * @param limit the longest wait
   */
  State await(Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (!isDecided() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (closed) {
        return new State.Disconnected("The transport is closed.");
      }
      return isDecided()
          ? state
          : new State.Disconnected("RabbitMQ at " + brokerUri + " gives no connection in time.");
    } finally {
      lock.unlock();
    }
  }

  private boolean isDecided() {
    return closed
        || switch (state) {
          case State.Connecting connecting -> false;
          case State.Connected connected -> connected.connection().isOpen();
          case State.Disconnected disconnected -> true;
        };
  }

  /** Returns why the broker accepts no messages over this connection now; null when it does. */
  @Nullable String blocked() {
    return blocked;
  }

  /** Wakes the loop, which then calls the maintenance task. */
  void wake() {
    Loop running = loop;
    if (running != null) {
      running.wake();
    }
  }

  /** Cuts a connection that does not answer, unless another has replaced it. */
  void cut(Connection connection) {
    Socket one = socket;
    if (state instanceof State.Connected connected
        && connected.connection().equals(connection)
        && one != null) {
      close(one);
    }
  }

  /**
   * Closes a socket on another thread, because over TLS the close may wait for a blocked writer.
   */
  private void close(Socket one) {
    runtime
        .runner()
        .runOnPool(
            "millrace-rabbitmq-cut",
            () -> {
              try {
                one.close();
              } catch (IOException e) {
                LOG.debug("A socket was not closed", e);
              }
            });
  }

  void close() {
    closed = true;
    set(state);
    Loop running = loop;
    if (running != null) {
      running.stop(Duration.ofMillis(2L * CONNECT_MILLIS));
    }
    if (state instanceof State.Connected connected) {
      close(connected.connection());
    }
  }

  private void close(Connection connection) {
    CountDownLatch done = new CountDownLatch(1);
    runtime
        .runner()
        .runOnPool(
            "millrace-rabbitmq-close",
            () -> {
              connection.abort(CLOSE_MILLIS);
              done.countDown();
            });
    boolean inOrder = false;
    try {
      inOrder = done.await(2L * CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Socket one = socket;
    if (!inOrder && one != null) {
      close(one);
    }
  }
}
