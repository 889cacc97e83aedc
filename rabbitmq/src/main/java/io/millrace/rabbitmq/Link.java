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
 * A connection that is made anew whenever it is lost, by a loop of its own. The library's own
 * recovery is off: it cannot be asked why it fails. Thread-safe.
 */
final class Link {

  /** What is done by the link's loop while there is a connection. */
  @FunctionalInterface
  interface Upkeep {
    Upkeep NONE = connection -> Loop.UNTIL_WOKEN;

    /** Answers when to be called again at the latest; does not throw. */
    Duration keepUp(Connection connection);
  }

  /** How the link is. */
  sealed interface State {
    /** It is about to connect. */
    record Trying() implements State {}

    record Up(Connection connection) implements State {}

    /** It could not connect, and will try again. */
    record Down(String reason) implements State {}
  }

  private static final Logger LOG = LoggerFactory.getLogger(RabbitTransport.class);
  private static final int CONNECT_MILLIS = 5_000;
  private static final int HEARTBEAT_SECONDS = 10;
  private static final int ANSWER_MILLIS = 5_000;
  private static final int CLOSE_MILLIS = 2_000;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration STEADY = Duration.ofSeconds(10);

  private final RabbitSettings.Place place;
  private final String name;
  private final EngineRuntime runtime;
  private final Upkeep upkeep;
  private final ConnectionFactory factory;
  private final Pause pause;
  private final Complaint complaint;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private volatile State state = new State.Trying();
  private volatile boolean closed;
  private volatile @Nullable String blocked;
  private volatile @Nullable Socket socket;
  private volatile @Nullable Loop loop;

  /** Of the loop only. */
  private long connectedNanos;

  Link(RabbitSettings settings, String role, EngineRuntime runtime, Upkeep upkeep) {
    this.place = settings.place();
    this.name = settings.connectionName() + "-" + role;
    this.runtime = runtime;
    this.upkeep = upkeep;
    this.factory = factory(settings);
    this.pause = new Pause(FIRST_PAUSE, LONGEST_PAUSE, runtime.random());
    this.complaint = new Complaint(LOG, runtime.clock());
  }

  void start() {
    loop = runtime.runner().loop("millrace-rabbitmq-" + name, this::tick);
  }

  private ConnectionFactory factory(RabbitSettings settings) {
    ConnectionFactory made = new ConnectionFactory();
    made.setHost(place.host());
    made.setPort(place.port());
    made.setUsername(place.user());
    made.setPassword(place.password());
    made.setVirtualHost(place.vhost());
    made.setAutomaticRecoveryEnabled(false);
    made.setTopologyRecoveryEnabled(false);
    made.setConnectionTimeout(CONNECT_MILLIS);
    made.setHandshakeTimeout(CONNECT_MILLIS);
    made.setShutdownTimeout(CLOSE_MILLIS);
    made.setChannelRpcTimeout(Math.max(ANSWER_MILLIS, (int) settings.confirmLimit().toMillis()));
    made.setRequestedHeartbeat(HEARTBEAT_SECONDS);
    // A message over the library's limit would cut the connection each time that it comes; here it
    // is taken once and put among the dead letters. The broker has a limit of its own.
    made.setMaxInboundMessageBodySize(Integer.MAX_VALUE);
    made.setSocketConfigurator(one -> {
      SocketConfigurators.defaultConfigurator().configure(one);
      socket = one;
    });
    made.setExceptionHandler(new Quiet());
    if (place.tls()) {
      useTls(made);
    }
    return made;
  }

  /** The library's own way, a URI with amqps, would trust every certificate. */
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

  /** What the library would say of a lost connection, the link says itself. */
  private static final class Quiet extends DefaultExceptionHandler {
    @Override
    public void handleUnexpectedConnectionDriverException(Connection connection, Throwable cause) {
      LOG.debug("The library noticed the end of a connection", cause);
    }
  }

  private Duration tick() {
    if (closed) {
      return Loop.UNTIL_WOKEN;
    }
    if (state instanceof State.Up up) {
      if (up.connection().isOpen()) {
        return upkeep.keepUp(up.connection());
      }
      boolean steady = runtime.clock().nanoTime() - connectedNanos > STEADY.toNanos();
      lost(up.connection());
      if (!steady) {
        return pause.next();
      }
      pause.reset();
    }
    return connect();
  }

  private void lost(Connection connection) {
    ShutdownSignalException reason = connection.getCloseReason();
    String why = reason == null ? "unknown" : Failures.of(reason);
    LOG.info("Connection {} to RabbitMQ at {} is lost: {}", name, place, why);
    set(new State.Trying());
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
          place,
          complaint.end() ? "made after all" : "made");
      set(new State.Up(connection));
      return connection.isOpen() ? upkeep.keepUp(connection) : Duration.ZERO;
    } catch (IOException | TimeoutException | RuntimeException e) {
      String why = Failures.ofConnecting(e, place);
      LOG.debug("Connection {} is not made", name, e);
      complaint.of("Connection " + name + " is not made, it is tried again: " + why);
      set(new State.Down(why));
      return pause.next();
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
   * How the link is once an attempt to connect that is about to be made has ended.
   *
   * @param limit the longest wait
   */
  State await(Duration limit) throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (!isSettled() && left > 0) {
        left = changed.awaitNanos(left);
      }
      if (closed) {
        return new State.Down("The transport is closed.");
      }
      return isSettled()
          ? state
          : new State.Down("RabbitMQ at " + place + " gives no connection in time.");
    } finally {
      lock.unlock();
    }
  }

  private boolean isSettled() {
    return closed
        || switch (state) {
          case State.Trying trying -> false;
          case State.Up up -> up.connection().isOpen();
          case State.Down down -> true;
        };
  }

  /** Why the broker takes no messages over this connection now; null when it does. */
  @Nullable String blocked() {
    return blocked;
  }

  /** Calls the upkeep. */
  void wake() {
    Loop running = loop;
    if (running != null) {
      running.wake();
    }
  }

  /** Drops a connection that does not answer, unless another has taken its place. */
  void cut(Connection connection) {
    Socket one = socket;
    if (state instanceof State.Up up && up.connection().equals(connection) && one != null) {
      close(one);
    }
  }

  /** Over TLS it may wait for one who writes. */
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
    if (state instanceof State.Up up) {
      close(up.connection());
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
