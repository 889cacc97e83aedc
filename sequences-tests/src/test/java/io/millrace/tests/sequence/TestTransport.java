package io.millrace.tests.sequence;

import io.millrace.instance.InvalidRequestException;
import io.millrace.sequence.ChannelTransport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A broker under a test's control: it keeps messages until the test delivers them. Not thread-safe.
 */
class TestTransport implements ChannelTransport {

  final List<Outgoing> sent = new ArrayList<>();
  final Map<String, Receiver> receivers = new HashMap<>();
  String failure;

  /** Name of a channel from which receiving fails; null for none. */
  String refused;

  @Override
  public String name() {
    return "test";
  }

  @Override
  public List<String> publish(List<Outgoing> messages) {
    List<String> answers = new ArrayList<>();
    for (Outgoing message : messages) {
      if (failure == null) {
        sent.add(message);
      }
      answers.add(failure);
    }
    return answers;
  }

  @Override
  public Subscription subscribe(String channel, int concurrency, Receiver receiver) {
    if (channel.equals(refused)) {
      throw new InvalidRequestException("The channel '" + channel + "' cannot have a queue.");
    }
    receivers.put(channel, receiver);
    return new Subscription() {
      @Override
      public boolean isConnected() {
        return true;
      }

      @Override
      public void close() {
        receivers.remove(channel);
      }
    };
  }

  /** Delivers the oldest message that was sent. */
  DeliveryOutcome deliver() {
    Outgoing message = sent.removeFirst();
    return deliver(message.channel(), message.body(), message.id());
  }

  DeliveryOutcome deliver(String channel, String body, String id) {
    return receivers.get(channel).receive(new Incoming(channel, body, id));
  }

  @Override
  public QueueStatus queueStatus(String channel) {
    return new QueueStatus(channel, sent.size(), 1, 0);
  }

  @Override
  public List<DeadLetter> deadLetters(String channel, int limit) {
    return List.of();
  }

  @Override
  public int requeue(String channel, int limit) {
    return 0;
  }

  @Override
  public void close() {}
}
