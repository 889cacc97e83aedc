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
   * The connection and channel over which a batch is sent.
   *
   * @param confirmChannel null while it is being opened
   * @param answers the channel's number of confirms and refusals when the batch began to use it
   */
  private record ChannelUse(
      Connection connection, @Nullable ConfirmChannel confirmChannel, long answers) {
    /** True if the broker has answered nothing on this channel since. */
    boolean isSilent() {
      return confirmChannel == null || confirmChannel.answers() == answers;
    }
  }

  /** Declares the topology of a task channel; may take some time. */
  @FunctionalInterface
  interface TopologyDeclarer {
    void make(Connection connection, String channel) throws IOException;
  }

  private final RabbitConnection rabbitConnection;
  private final TopologyDeclarer topologyDeclarer;
  private final EngineRuntime runtime;
  private final Duration limit;
  private final ReentrantLock sending = new ReentrantLock();
  private final Map<String, ReentrantLock> making = new ConcurrentHashMap<>();

  /** Channel in use; guarded by {@link #sending}. */
  private @Nullable ConfirmChannel confirmChannel;

  Publisher(
      RabbitConnection rabbitConnection,
      TopologyDeclarer topologyDeclarer,
      EngineRuntime runtime,
      Duration limit) {
    this.rabbitConnection = rabbitConnection;
    this.topologyDeclarer = topologyDeclarer;
    this.runtime = runtime;
    this.limit = limit;
  }

  /**
   * Returns for each message null when it is safe with the broker, or else the reason; does not
   * throw.
   */
  List<@Nullable String> send(List<OutgoingMessage> parcels) {
    if (parcels.isEmpty()) {
      return List.of();
    }
    PublishBatch batch = new PublishBatch(parcels);
    AtomicReference<@Nullable ChannelUse> used = new AtomicReference<>();
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

  private void giveUp(PublishBatch batch, @Nullable ChannelUse used) {
    String blocked = rabbitConnection.blocked();
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
    if (used != null && used.confirmChannel() != null) {
      used.confirmChannel().forget(batch);
    }
  }

  /**
   * Cuts the connection unless the broker answers another request. One queue that does not answer
   * is no reason to cut off all others. The request itself may block on a socket that the broker no
   * longer reads.
   */
  private void cutUnlessAlive(Connection connection) {
    CountDownLatch alive = new CountDownLatch(1);
    runtime
        .runner()
        .runOnPool(
            "millrace-rabbitmq-ask",
            () -> {
              try {
                Channel asked = AmqpChannels.open(connection);
                alive.countDown();
                AmqpChannels.close(asked);
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
                  rabbitConnection.cut(connection);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private void transmit(PublishBatch batch, AtomicReference<@Nullable ChannelUse> used) {
    try {
      switch (rabbitConnection.await(limit)) {
        case RabbitConnection.State.Connected connected -> {
          String blocked = rabbitConnection.blocked();
          if (blocked == null) {
            transmit(batch, used, connected.connection());
          } else {
            batch.failOpen(BLOCKED + blocked + ".");
          }
        }
        case RabbitConnection.State.Disconnected disconnected ->
            batch.failOpen(disconnected.reason());
        case RabbitConnection.State.Connecting connecting ->
            batch.failOpen("RabbitMQ gives no connection.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      batch.failOpen("Interrupted before RabbitMQ confirmed.");
    } catch (IOException | RuntimeException e) {
      LOG.debug("Messages were not sent", e);
      batch.failOpen("The message was not sent: " + RabbitErrorMessages.of(e));
    }
  }

  private void transmit(
      PublishBatch batch, AtomicReference<@Nullable ChannelUse> used, Connection connection)
      throws IOException {
    Map<String, List<Integer>> unmade = new LinkedHashMap<>();
    sending.lock();
    try {
      ConfirmChannel open = use(used, connection);
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

  /** Sends the messages of a task channel that has just been declared. */
  private void transmit(
      PublishBatch batch,
      List<Integer> indexes,
      AtomicReference<@Nullable ChannelUse> used,
      Connection connection)
      throws IOException {
    sending.lock();
    try {
      ConfirmChannel open = use(used, connection);
      for (int index : indexes) {
        send(open, batch, index);
      }
    } finally {
      sending.unlock();
    }
  }

  private ConfirmChannel use(AtomicReference<@Nullable ChannelUse> used, Connection connection)
      throws IOException {
    ChannelUse before = used.get();
    if (before == null) {
      used.set(new ChannelUse(connection, null, 0));
    }
    ConfirmChannel open = confirmChannel(connection);
    if (before == null || !open.equals(before.confirmChannel())) {
      used.set(new ChannelUse(connection, open, open.answers()));
    }
    return open;
  }

  private ConfirmChannel confirmChannel(Connection connection) throws IOException {
    if (confirmChannel == null || !confirmChannel.isUsable(connection)) {
      confirmChannel = ConfirmChannel.open(connection);
    }
    return confirmChannel;
  }

  /**
   * Sends one message. After a failure in between, the numbers of the confirms may no longer match,
   * so the channel is closed.
   */
  private void send(ConfirmChannel open, PublishBatch batch, int index) throws IOException {
    if (!batch.isOpen(index)) {
      return;
    }
    boolean sent = false;
    try {
      open.send(batch, index);
      sent = true;
    } finally {
      if (!sent) {
        confirmChannel = null;
        open.close();
      }
    }
  }

  /**
   * Declares the topology of a task channel unless that is done; returns the reason why the channel
   * cannot be used, or null when it can. Other threads send meanwhile, since a queue without a
   * leader holds back its answer. Only one thread declares a channel, since a queue that is
   * declared several times at once may refuse the first messages.
   */
  private @Nullable String made(Connection connection, String channel) {
    ReentrantLock one = making.computeIfAbsent(channel, name -> new ReentrantLock());
    try {
      if (!one.tryLock(limit.toNanos(), TimeUnit.NANOSECONDS)) {
        return "The queue of channel '" + channel + "' is not made yet.";
      }
      try {
        if (!isDeclared(connection, channel)) {
          topologyDeclarer.make(connection, channel);
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
      return RabbitErrorMessages.of(e);
    }
  }

  private boolean isDeclared(Connection connection, String channel) {
    sending.lock();
    try {
      return confirmChannel != null
          && confirmChannel.isUsable(connection)
          && confirmChannel.isDeclared(channel);
    } finally {
      sending.unlock();
    }
  }

  private void declared(Connection connection, String channel) throws IOException {
    sending.lock();
    try {
      confirmChannel(connection).declared(channel);
    } finally {
      sending.unlock();
    }
  }
}
