package io.millrace.rabbitmq;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Return;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A protocol channel on which the broker confirms each message. One thread at a time sends; the
 * connection's thread brings the confirms.
 */
final class ConfirmChannel {

  /** A message that the broker has neither confirmed nor refused yet. */
  private static final class Pending {
    final PublishBatch batch;
    final int index;
    volatile boolean returned;

    Pending(PublishBatch publishBatch, int index) {
      this.batch = publishBatch;
      this.index = index;
    }

    OutgoingMessage parcel() {
      return batch.parcel(index);
    }
  }

  private final Channel channel;
  private final ConcurrentNavigableMap<Long, Pending> pending = new ConcurrentSkipListMap<>();
  private final AtomicLong answers = new AtomicLong();
  private final Set<String> declared = ConcurrentHashMap.newKeySet();

  private ConfirmChannel(Channel channel) {
    this.channel = channel;
  }

  static ConfirmChannel open(Connection connection) throws IOException {
    Channel channel = AmqpChannels.open(connection);
    ConfirmChannel confirmChannel = new ConfirmChannel(channel);
    channel.addReturnListener(confirmChannel::returned);
    channel.addConfirmListener(confirmChannel::confirmed, confirmChannel::refused);
    channel.addShutdownListener(confirmChannel::ended);
    channel.confirmSelect();
    return confirmChannel;
  }

  /** Returns how often the broker has confirmed or refused. */
  long answers() {
    return answers.get();
  }

  /** Forgets a batch that the caller no longer waits for. */
  void forget(PublishBatch publishBatch) {
    pending.values().removeIf(one -> one.batch.equals(publishBatch));
  }

  boolean isUsable(Connection connection) {
    return channel.isOpen() && channel.getConnection().equals(connection);
  }

  void close() {
    AmqpChannels.close(channel);
  }

  /** True if the topology of a task channel is known to exist. */
  boolean isDeclared(String taskChannel) {
    return declared.contains(taskChannel);
  }

  /** Records that the topology of a task channel exists. */
  void declared(String taskChannel) {
    declared.add(taskChannel);
  }

  /**
   * Sends a message; the outcome is recorded in its batch.
   *
   * @throws IOException when this channel is no longer usable
   * @throws AlreadyClosedException when this channel is no longer usable
   */
  void send(PublishBatch publishBatch, int index) throws IOException {
    OutgoingMessage outgoingMessage = publishBatch.parcel(index);
    long number = channel.getNextPublishSeqNo();
    pending.put(number, new Pending(publishBatch, index));
    channel.basicPublish(
        outgoingMessage.exchange(),
        outgoingMessage.key(),
        true,
        outgoingMessage.properties(),
        outgoingMessage.bytes());
  }

  private void confirmed(long number, boolean multiple) {
    endPending(
        number,
        multiple,
        one -> {
          if (one.returned) {
            declared.remove(one.parcel().channel());
            one.batch.fail(
                one.index,
                "No queue takes messages of '"
                    + one.parcel().channel()
                    + "'; it is made again with the next message.");
          } else {
            one.batch.confirm(one.index);
          }
        });
  }

  private void refused(long number, boolean multiple) {
    endPending(
        number,
        multiple,
        one ->
            one.batch.fail(
                one.index,
                "The broker could not store the message in '" + one.parcel().channel() + "'."));
  }

  private void endPending(long number, boolean multiple, Consumer<Pending> end) {
    answers.incrementAndGet();
    if (multiple) {
      Map<Long, Pending> upTo = pending.headMap(number, true);
      upTo.values().forEach(end);
      upTo.clear();
    } else {
      Pending one = pending.remove(number);
      if (one != null) {
        end.accept(one);
      }
    }
  }

  /** Marks a returned message. The return precedes the confirm and does not name its number. */
  private void returned(Return message) {
    for (Pending one : pending.values()) {
      if (one.parcel().key().equals(message.getRoutingKey())
          && one.parcel().exchange().equals(message.getExchange())
          && Objects.equals(
              one.parcel().properties().getMessageId(), message.getProperties().getMessageId())) {
        one.returned = true;
      }
    }
  }

  private void ended(ShutdownSignalException cause) {
    String reason =
        "The connection was lost before the broker confirmed: " + RabbitErrorMessages.of(cause);
    pending.values().forEach(one -> one.batch.fail(one.index, reason));
    pending.clear();
  }
}
