package io.millrace.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Connection;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends messages and waits for their confirms, never longer than the limit. Thread-safe. */
final class Publisher {

  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
  private static final String OK = "";
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

  private final Link link;
  private final Topology topology;
  private final EngineRuntime runtime;
  private final Duration limit;
  private final ReentrantLock sending = new ReentrantLock();

  /** Of the one who has {@link #sending}. */
  private @Nullable Lane lane;

  Publisher(Link link, Topology topology, EngineRuntime runtime, Duration limit) {
    this.link = link;
    this.topology = topology;
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
    runtime.runner().run("millrace-rabbitmq-publish", () -> transmit(batch, used));
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
        link.cut(used.connection());
      }
    }
    if (used != null && used.lane() != null) {
      used.lane().forget(batch);
    }
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
    sending.lock();
    try {
      used.set(new Use(connection, null, 0));
      Lane open = lane(connection);
      used.set(new Use(connection, open, open.answers()));
      Map<String, String> refusals = new HashMap<>();
      for (int i = 0; i < batch.size(); i++) {
        String refusal =
            refusals.computeIfAbsent(batch.parcel(i).channel(), name -> declare(open, name));
        if (!refusal.equals(OK)) {
          batch.fail(i, refusal);
        } else if (batch.isOpen(i)) {
          send(open, batch, i);
        }
      }
    } finally {
      sending.unlock();
    }
  }

  private Lane lane(Connection connection) throws IOException {
    if (lane == null || !lane.isUsable(connection)) {
      lane = Lane.open(connection, topology);
    }
    return lane;
  }

  /** After a failure in the midst of it the numbers of the confirms might not be ours any more. */
  private void send(Lane open, Batch batch, int index) throws IOException {
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

  /** Why the channel cannot be used; empty when it can. */
  private static String declare(Lane open, String channel) {
    try {
      open.declare(channel);
      return OK;
    } catch (IOException | AlreadyClosedException | InvalidRequestException e) {
      LOG.debug("Channel {} is not declared", channel, e);
      return Failures.of(e);
    }
  }
}
