package io.millrace.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Receiver;
import io.millrace.sequence.ChannelTransport.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A receiver that keeps what has come. */
final class Inbox implements Receiver {

  private final BlockingQueue<Incoming> all = new LinkedBlockingQueue<>();
  private final Function<Incoming, Verdict> judge;

  Inbox(Function<Incoming, Verdict> judge) {
    this.judge = judge;
  }

  static Inbox ofAll() {
    return new Inbox(message -> new Verdict.Done());
  }

  @Override
  public Verdict receive(Incoming message) {
    all.add(message);
    return judge.apply(message);
  }

  Incoming next() throws InterruptedException {
    Incoming message = all.poll(Broker.SECONDS, TimeUnit.SECONDS);
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
