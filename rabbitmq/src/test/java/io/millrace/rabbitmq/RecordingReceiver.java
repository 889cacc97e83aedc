package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Receiver;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A receiver that keeps the messages it receives. */
final class RecordingReceiver implements Receiver {

  private final BlockingQueue<Incoming> all = new LinkedBlockingQueue<>();
  private final Function<Incoming, DeliveryOutcome> judge;

  RecordingReceiver(Function<Incoming, DeliveryOutcome> judge) {
    this.judge = judge;
  }

  static RecordingReceiver ofAll() {
    return new RecordingReceiver(message -> new DeliveryOutcome.Acknowledge());
  }

  @Override
  public DeliveryOutcome receive(Incoming message) {
    all.add(message);
    return judge.apply(message);
  }

  Incoming next() throws InterruptedException {
    Incoming message = all.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
    assertThat(message).as("a message").isNotNull();
    return message;
  }

  List<String> bodies(int messages) throws InterruptedException {
    List<String> bodies = new ArrayList<>();
    while (bodies.size() < messages) {
      bodies.add(next().body());
    }
    return bodies;
  }

  int size() {
    return all.size();
  }
}
