package io.millrace.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages and waits for their confirms, never longer than the limit. Thread-safe. */
final class Publisher {

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
  private static final String BLOCKED = "RabbitMQ takes no messages now: ";

  /**
   * What a batch is sent over.
   *
   * @param lane null while it is opened
   * @param answers how many the broker had given there before
   */
  private record Use(Connection connection, @Nullable Lane lane, long answers) {
    /** True when the broker has answered to nobody since. */
    boolean isSilent() {
      return lane == null || lane.answers() == answers;
    }
  }

  /** Makes what a channel of tasks needs; may take its time. */
  @FunctionalInterface
  interface Maker {
    void make(Connection connection, String channel) throws IOException;
  }

  private final Link link;
  private final Maker maker;
  private final EngineRuntime runtime;
  private final Duration limit;
  private final ReentrantLock sending = new ReentrantLock();
  private final Map<String, ReentrantLock> making = new ConcurrentHashMap<>();

  /** Of the one who has {@link #sending}. */
  private @Nullable Lane lane;

  Publisher(Link link, Maker maker, EngineRuntime runtime, Duration limit) {
    this.link = link;
    this.maker = maker;
    this.runtime = runtime;
    this.limit = limit;
  }

  /** For each message null when it is safe with the broker, or else why not; does not throw. */
  List<@Nullable String> send(List<Parcel> parcels) {
    if (parcels.isEmpty()) {
      return List.of();
    }
    Batch batch = new Batch(parcels);
    AtomicReference<@Nullable Use> used = new AtomicReference<>();
    // A write to a broker that does not read blocks; the caller's thread must not.
    runtime.runner().runOnPool("millrace-rabbitmq-publish", () -> transmit(batch, used));
    try {
      if (!batch.await(limit)) {
        giveUp(batch, used.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      batch.failOpen("Interrupted before RabbitMQ confirmed.");
    }
    return batch.answers();
  }

  private void giveUp(Batch batch, @Nullable Use used) {
    String blocked = link.blocked();
    if (used == null) {
      batch.failOpen(
          "RabbitMQ gave no connection that is free within " + limit.toMillis() + " ms.");
    } else if (blocked != null) {
      batch.failOpen(BLOCKED + blocked + ".");
    } else {
      batch.failOpen("RabbitMQ has not confirmed within " + limit.toMillis() + " ms.");
      if (used.isSilent()) {
        cutUnlessAlive(used.connection());
      }
    }
    if (used != null && used.lane() != null) {
      used.lane().forget(batch);
    }
  }

  /**
   * One queue that does not answer is no reason to cut off all others: the broker is asked for
   * something else first. The question itself may be stuck in a socket that nobody reads.
   */
  private void cutUnlessAlive(Connection connection) {
    CountDownLatch alive = new CountDownLatch(1);
    runtime
        .runner()
        .runOnPool(
            "millrace-rabbitmq-ask",
            () -> {
              try {
                Channel asked = Channels.open(connection);
                alive.countDown();
                Channels.close(asked);
              } catch (IOException | RuntimeException e) {
                LOG.debug("The connection does not answer", e);
              }
            });
    runtime
        .runner()
        .runOnPool(
            "millrace-rabbitmq-judge",
            () -> {
              try {
                if (!alive.await(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                  link.cut(connection);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private void transmit(Batch batch, AtomicReference<@Nullable Use> used) {
    try {
      switch (link.await(limit)) {
        case Link.State.Up up -> {
          String blocked = link.blocked();
          if (blocked == null) {
            transmit(batch, used, up.connection());
          } else {
            batch.failOpen(BLOCKED + blocked + ".");
          }
        }
        case Link.State.Down down -> batch.failOpen(down.reason());
        case Link.State.Trying trying -> batch.failOpen("RabbitMQ gives no connection.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      batch.failOpen("Interrupted before RabbitMQ confirmed.");
    } catch (IOException | RuntimeException e) {
      LOG.debug("Messages were not sent", e);
      batch.failOpen("The message was not sent: " + Failures.of(e));
    }
  }

  private void transmit(Batch batch, AtomicReference<@Nullable Use> used, Connection connection)
      throws IOException {
    Map<String, List<Integer>> unmade = new LinkedHashMap<>();
    sending.lock();
    try {
      Lane open = use(used, connection);
      for (int i = 0; i < batch.size(); i++) {
        if (open.isDeclared(batch.parcel(i).channel())) {
          send(open, batch, i);
        } else {
          unmade.computeIfAbsent(batch.parcel(i).channel(), name -> new ArrayList<>()).add(i);
        }
      }
    } finally {
      sending.unlock();
    }
    for (Map.Entry<String, List<Integer>> one : unmade.entrySet()) {
      String refusal = made(connection, one.getKey());
      if (refusal == null) {
        transmit(batch, one.getValue(), used, connection);
      } else {
        one.getValue().forEach(index -> batch.fail(index, refusal));
      }
    }
  }

  /** Sends the messages of a channel that has just been made. */
  private void transmit(
      Batch batch,
      List<Integer> indexes,
      AtomicReference<@Nullable Use> used,
      Connection connection)
      throws IOException {
    sending.lock();
    try {
      Lane open = use(used, connection);
      for (int index : indexes) {
        send(open, batch, index);
      }
    } finally {
      sending.unlock();
    }
  }

  private Lane use(AtomicReference<@Nullable Use> used, Connection connection) throws IOException {
    Use before = used.get();
    if (before == null) {
      used.set(new Use(connection, null, 0));
    }
    Lane open = lane(connection);
    if (before == null || !open.equals(before.lane())) {
      used.set(new Use(connection, open, open.answers()));
    }
    return open;
  }

  private Lane lane(Connection connection) throws IOException {
    if (lane == null || !lane.isUsable(connection)) {
      lane = Lane.open(connection);
    }
    return lane;
  }

  /** After a failure in the midst of it the numbers of the confirms might not be ours any more. */
  private void send(Lane open, Batch batch, int index) throws IOException {
    if (!batch.isOpen(index)) {
      return;
    }
    boolean sent = false;
    try {
      open.send(batch, index);
      sent = true;
    } finally {
      if (!sent) {
        lane = null;
        open.close();
      }
    }
  }

  /**
   * Why the channel cannot be used; null when it can. Others send meanwhile: a queue without a
   * leader keeps its answer back. Only one makes it, since a queue that is declared several times
   * at once may refuse the first messages.
   */
  private @Nullable String made(Connection connection, String channel) {
    ReentrantLock one = making.computeIfAbsent(channel, name -> new ReentrantLock());
    try {
      if (!one.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        return "The queue of channel '" + channel + "' is not made yet.";
      }
      try {
        if (!isDeclared(connection, channel)) {
          maker.make(connection, channel);
          declared(connection, channel);
        }
        return null;
      } finally {
        one.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "Interrupted before the queue of channel '" + channel + "' was made.";
    } catch (IOException | AlreadyClosedException | InvalidRequestException e) {
      LOG.debug("Channel {} is not declared", channel, e);
      return Failures.of(e);
    }
  }

  private boolean isDeclared(Connection connection, String channel) {
    sending.lock();
    try {
      return lane != null && lane.isUsable(connection) && lane.isDeclared(channel);
    } finally {
      sending.unlock();
    }
  }

  private void declared(Connection connection, String channel) throws IOException {
    sending.lock();
    try {
      lane(connection).declared(channel);
    } finally {
      sending.unlock();
    }
  }
}
