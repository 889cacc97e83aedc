package io.millrace.redis.connect;

import io.millrace.lifecycle.LoopSupervisor;
import io.millrace.redis.connect.RedisConnector.OpenConnection;
import io.millrace.redis.connect.RedisHandshake.StateConflictException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * The thread of a connection that many callers share. It sends all waiting requests, reads their
 * replies, and continues with the requests that came meanwhile. It is a platform thread, because an
 * interrupt of a virtual thread would close the socket. It uses the machine's clock, as network
 * timeouts do.
 */
final class RedisConnectionLoop implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RedisConnectionLoop.class);
  private static final int MAX_COMMANDS = 2_000;
  static final Duration DOUBTFUL = Duration.ofSeconds(1);
  private static final List<List<String>> PING = List.of(List.of("PING"));
  private static final long BETWEEN_WARNINGS = Duration.ofSeconds(10).toNanos();

  /** Errors of a server that cannot serve this client now. */
  private static final Set<String> AWAY =
      Set.of("LOADING", "READONLY", "MASTERDOWN", "NOAUTH", "UNBLOCKED");

  private final RedisConnector connector;
  private final ReconnectBackoff reconnectBackoff;
  private final long doubtful;
  private final long patience;
  private final Queue<RedisRequest> waiting = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<RedisRequest> sent = new ArrayDeque<>();
  private final Thread thread;
  private volatile boolean parked;
  private volatile boolean closed;
  private volatile @Nullable RedisConnection connection;
  private long lastReply;
  private boolean outageLogged;
  private boolean away;
  private long awaySince;
  private long nextWarning = System.nanoTime();

  /**
   * Starts the thread.
   *
   * @param doubtful the idle time after which a connection is checked before it is used
   */
  RedisConnectionLoop(RedisConnector connector, RandomGenerator random, Duration doubtful) {
    this.doubtful = doubtful.toNanos();
    this.connector = connector;
    this.patience = connector.settings().timeout().toNanos();
    this.reconnectBackoff = new ReconnectBackoff(random);
    this.thread = LoopSupervisor.daemon("millrace-redis", this::turn);
  }

  /** Sends a request; the caller then waits for it. */
  void send(RedisRequest redisRequest) {
    waiting.add(redisRequest);
    if (parked) {
      LockSupport.unpark(thread);
    }
    if (closed) {
      failWaiting();
    }
  }

  private void turn() {
    while (!closed) {
      try {
        if (waiting.isEmpty()) {
          park();
        } else {
          round();
        }
      } catch (Throwable fault) {
        LOG.error("The connection to {} failed; reconnecting", connector.name(), fault);
        drop(String.valueOf(fault), fault);
        LockSupport.parkNanos(this, reconnectBackoff.next());
      }
    }
    drop("it was closed", null);
    failWaiting();
  }

  private void park() {
    parked = true;
    if (waiting.isEmpty() && !closed) {
      LockSupport.park(this);
    }
    parked = false;
  }

  private void round() {
    RedisConnection line = usable();
    if (line == null) {
      return;
    }
    try {
      write(line);
      read(line);
    } catch (IOException e) {
      if (!closed) {
        LOG.debug("{} was lost", RedisHandshake.named(line.place), e);
      }
      drop(e.getMessage(), e);
    }
  }

  private void write(RedisConnection line) throws IOException {
    int commands = 0;
    RedisRequest redisRequest;
    while (commands < MAX_COMMANDS && (redisRequest = waiting.poll()) != null) {
      sent.add(redisRequest);
      for (byte[] command : redisRequest.commands) {
        line.write(command);
      }
      commands += redisRequest.commands.size();
    }
    line.flush();
  }

  private void read(RedisConnection line) throws IOException {
    String moved = null;
    while (!sent.isEmpty()) {
      RedisRequest redisRequest = sent.element();
      for (int i = redisRequest.commands.size(); i > 0; i--) {
        Object reply = line.read();
        if (reply instanceof JedisDataException error && isAway(error)) {
          moved = RespCodec.message(error);
        }
        if (line.isDrained()) {
          lastReply = System.nanoTime();
        }
        redisRequest.reply(reply);
      }
      sent.remove();
      if (moved == null && line.isDrained() && !waiting.isEmpty() && !isDoubtful()) {
        // The server can execute more requests while the callers process their replies.
        write(line);
      }
    }
    if (moved != null) {
      if (System.nanoTime() - nextWarning >= 0) {
        nextWarning = System.nanoTime() + BETWEEN_WARNINGS;
        LOG.warn("{} is left, for it says: {}", RedisHandshake.named(line.place), moved);
      }
      drop(moved, null);
    }
  }

  static boolean isAway(JedisDataException error) {
    return AWAY.contains(new RedisReplyException(RespCodec.message(error)).code());
  }

  private boolean isDoubtful() {
    return System.nanoTime() - lastReply >= doubtful;
  }

  /** Returns a connection that is known to work; null after a failed attempt and a pause. */
  private @Nullable RedisConnection usable() {
    RedisConnection known = connection;
    if (known != null && isDoubtful()) {
      // No request must fail because the server was restarted during an idle time.
      try {
        known.exchange(PING);
      } catch (IOException e) {
        drop(e.getMessage(), e);
        known = null;
      }
    }
    return known != null ? known : connected();
  }

  private @Nullable RedisConnection connected() {
    try {
      OpenConnection openConnection = connector.connect();
      connection = openConnection.link();
      lastReply = System.nanoTime();
      reconnectBackoff.reset();
      away = false;
      if (outageLogged) {
        LOG.info("{} is back", RedisHandshake.named(openConnection.link().place));
        outageLogged = false;
      }
      return openConnection.link();
    } catch (StateConflictException e) {
      away = false;
      tellOnce(e);
      failWaiting(() -> RedisUnavailableException.unexecuted(text(e), e));
    } catch (IOException e) {
      tellOnce(e);
      failAway(() -> RedisUnavailableException.unexecuted(text(e), e));
    }
    LockSupport.parkNanos(this, reconnectBackoff.next());
    return null;
  }

  private void tellOnce(Exception e) {
    if (!outageLogged) {
      outageLogged = true;
      LOG.warn("{}; trying on", text(e));
    }
  }

  /**
   * Fails requests while the server is away. A request waits as long as its timeout allows. When
   * the server has been away for longer than that, later requests fail with the next failed
   * attempt.
   */
  private void failAway(Supplier<RedisUnavailableException> why) {
    long now = System.nanoTime();
    if (!away) {
      away = true;
      awaySince = now;
    }
    if (now - awaySince >= patience) {
      failWaiting(why);
    } else {
      failOld(now, why);
    }
  }

  /** Closes the connection and fails the requests that have no reply yet. */
  private void drop(@Nullable String why, @Nullable Throwable cause) {
    RedisConnection old = connection;
    connection = null;
    String where = old == null ? connector.name() : RedisHandshake.named(old.place);
    if (old != null) {
      old.close();
    }
    RedisRequest redisRequest;
    while ((redisRequest = sent.poll()) != null) {
      redisRequest.fail(() ->
          new RedisUnavailableException(
              where + " did not answer, and it is unknown whether it executed the command: " + why,
              cause));
    }
  }

  private void failOld(long now, Supplier<RedisUnavailableException> why) {
    // All requests wait equally long, so the oldest is always the first.
    for (RedisRequest first = waiting.peek();
        first != null && now - first.deadline >= 0;
        first = waiting.peek()) {
      waiting.poll();
      first.fail(why);
    }
  }

  private void failWaiting() {
    failWaiting(() ->
        RedisUnavailableException.unexecuted(
            "The connection to " + connector.name() + " is closed", null));
  }

  private void failWaiting(Supplier<RedisUnavailableException> why) {
    RedisRequest redisRequest;
    while ((redisRequest = waiting.poll()) != null) {
      redisRequest.fail(why);
    }
  }

  private static String text(Exception e) {
    return String.valueOf(e.getMessage());
  }

  @Override
  public void close() {
    closed = true;
    RedisConnection open = connection;
    if (open != null) {
      open.close();
    }
    LockSupport.unpark(thread);
    failWaiting(); // without waiting for an attempt to connect
  }
}
