package io.millrace.redis.connect;

import io.millrace.lifecycle.LoopSupervisor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a connection that many callers share. It sends all waiting requests, reads their
 * replies, and continues with the requests that came meanwhile. It is a platform thread, because an
 * interrupt of a virtual thread would close the socket. It uses the machine's clock, as network
 * timeouts do.
 */
final class RedisConnectionLoop implements AutoCloseable {

  static final Duration DOUBTFUL = Duration.ofSeconds(1);
  static final BiConsumer<Duration, Runnable> TIMER =
      (delay, task) ->
          CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS).execute(task);

  private static final Logger LOG = LoggerFactory.getLogger(RedisConnectionLoop.class);
  private static final int MAX_COMMANDS = 2_000;
  private static final List<List<String>> PING = List.of(List.of("PING"));
  private static final long BETWEEN_WARNINGS = Duration.ofSeconds(10).toNanos();
  private static final long FIRST_PAUSE = Duration.ofMillis(50).toNanos();
  private static final long MAX_PAUSE = Duration.ofSeconds(1).toNanos();

  private final RedisConnector connector;
  private final RandomGenerator random;
  private final long doubtful;
  private final Duration patience;
  private final BiConsumer<Duration, Runnable> timer;
  private final Queue<RedisRequest> waiting = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<RedisRequest> sent = new ArrayDeque<>();
  private final Thread thread;
  private volatile boolean parked;
  private volatile boolean closed;
  private volatile boolean writing;

  /** True while a check is due. One timer checks many writes, since most writes are short. */
  private final AtomicBoolean watched = new AtomicBoolean();

  private volatile @Nullable RedisConnection connection;
  private long lastReply;
  private long nextPause = FIRST_PAUSE;

  /** True since the first failed attempt to connect, until one succeeds. */
  private boolean away;

  private long awaySince;
  private long nextWarning = System.nanoTime();

  /**
   * Starts the thread.
   *
   * @param doubtful the idle time after which a connection is checked before it is used
   * @param timer runs a task after a delay
   */
  RedisConnectionLoop(
      RedisConnector connector,
      RandomGenerator random,
      Duration doubtful,
      BiConsumer<Duration, Runnable> timer) {
    this.connector = connector;
    this.random = random;
    this.doubtful = doubtful.toNanos();
    this.patience = connector.settings().timeout();
    this.timer = timer;
    this.thread = LoopSupervisor.daemon("millrace-redis", this::turn);
  }

  /** Sends a request; the caller then waits for it. */
  void send(RedisRequest redisRequest) {
    waiting.add(redisRequest);
    if (parked) {
      LockSupport.unpark(thread);
    }
    if (closed) {
      failClosed();
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
        pause();
      }
    }
    drop("it was closed", null);
    failClosed();
  }

  private void park() {
    parked = true;
    if (waiting.isEmpty() && !closed) {
      LockSupport.park(this);
    }
    parked = false;
  }

  /** Pauses before the next attempt, for a random time so that processes do not retry in step. */
  private void pause() {
    LockSupport.parkNanos(this, nextPause / 2 + random.nextLong(nextPause / 2));
    nextPause = Math.min(MAX_PAUSE, nextPause * 2);
  }

  private void round() {
    RedisConnection usable = usable();
    if (usable == null) {
      return;
    }
    try {
      write(usable);
      read(usable);
    } catch (IOException e) {
      if (!closed) {
        LOG.debug("{} was lost", usable.place.named(), e);
      }
      drop(e.getMessage(), e);
    }
  }

  private void write(RedisConnection usable) throws IOException {
    writing = true;
    watch(usable);
    try {
      int commands = 0;
      RedisRequest redisRequest;
      while (commands < MAX_COMMANDS && (redisRequest = waiting.poll()) != null) {
        send(usable, redisRequest);
        commands += redisRequest.commands;
      }
      usable.flush();
    } finally {
      writing = false;
    }
  }

  private void send(RedisConnection usable, RedisRequest redisRequest) throws IOException {
    sent.add(redisRequest);
    try {
      usable.write(redisRequest.bytes);
    } catch (IOException e) {
      if (redisRequest.isAtomic) {
        sent.removeLast();
        redisRequest.fail(() ->
            RedisUnavailableException.unexecuted(
                usable.place.named() + " did not read the whole command: " + e.getMessage(), e));
      }
      throw e;
    }
  }

  /**
   * Closes the connection if a write makes no progress until the next check, so that it cannot
   * block the loop, and with it all callers, without end.
   */
  private void watch(RedisConnection usable) {
    if (!watched.compareAndSet(false, true)) {
      return;
    }
    int before = usable.progress();
    timer.accept(
        patience,
        () -> {
          watched.set(false);
          RedisConnection open = connection;
          if (!writing || open == null) {
            return;
          }
          if (open == usable && open.progress() == before) {
            LOG.warn("{} is left, for it has stopped reading", open.place.named());
            open.close();
          } else {
            watch(open);
          }
        });
  }

  private void read(RedisConnection usable) throws IOException {
    String moved = null;
    while (!sent.isEmpty()) {
      RedisRequest redisRequest = sent.element();
      for (int i = redisRequest.commands; i > 0; i--) {
        Object reply = usable.read();
        if (reply instanceof ErrorReply error && error.isAway()) {
          moved = error.message();
        }
        if (usable.isDrained()) {
          lastReply = System.nanoTime();
        }
        redisRequest.reply(reply);
      }
      sent.remove();
      if (moved == null && usable.isDrained() && !waiting.isEmpty() && !isDoubtful()) {
        // The server can execute more requests while the callers process their replies.
        write(usable);
      }
    }
    if (moved != null) {
      if (System.nanoTime() - nextWarning >= 0) {
        nextWarning = System.nanoTime() + BETWEEN_WARNINGS;
        LOG.warn("{} is left, for it says: {}", usable.place.named(), moved);
      }
      drop(moved, null);
    }
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
      RedisConnection fresh = connector.connect();
      connection = fresh;
      lastReply = System.nanoTime();
      nextPause = FIRST_PAUSE;
      if (away) {
        LOG.info("{} is back", fresh.place.named());
        away = false;
      }
      return fresh;
    } catch (RedisUnavailableException e) {
      unavailable(e, true);
    } catch (IOException e) {
      unavailable(e, false);
    }
    pause();
    return null;
  }

  /**
   * Fails requests while the server is away. A request waits as long as its timeout allows. When
   * the server has been away for longer than that, or a retry does not help, all fail with this
   * attempt.
   */
  private void unavailable(Exception cause, boolean isLasting) {
    String why = String.valueOf(cause.getMessage());
    long now = System.nanoTime();
    if (!away) {
      away = true;
      awaySince = now;
      LOG.warn("{}; trying on", why);
    }
    failWaiting(
        isLasting || now - awaySince >= patience.toNanos(),
        () -> RedisUnavailableException.unexecuted(why, cause));
  }

  /** Closes the connection and fails the requests that have no reply yet. */
  private void drop(@Nullable String why, @Nullable Throwable cause) {
    RedisConnection old = connection;
    connection = null;
    String where = old == null ? connector.name() : old.place.named();
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

  private void failClosed() {
    failWaiting(
        true,
        () ->
            RedisUnavailableException.unexecuted(
                "The connection to " + connector.name() + " is closed", null));
  }

  /** Fails all requests that are not sent, or those whose time is up. */
  private void failWaiting(boolean all, Supplier<RedisUnavailableException> why) {
    // All requests wait equally long, so the oldest is always the first.
    for (RedisRequest first = waiting.peek();
        first != null && (all || System.nanoTime() - first.deadline >= 0);
        first = waiting.peek()) {
      if (waiting.remove(first)) {
        first.fail(why);
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    RedisConnection open = connection;
    if (open != null) {
      open.close();
    }
    LockSupport.unpark(thread);
    failClosed(); // without waiting for an attempt to connect
  }
}
