package io.millrace.verification.simulation;

import io.millrace.sequence.ChannelTransport;
import java.util.ArrayList;
import java.util.List;

/** The simulated broker as one simulated machine sees it. */
final class SimTransport implements ChannelTransport {

  private final SimBroker broker;
  private final Host host;
  private final Kernel kernel;

  SimTransport(SimBroker broker, Host host, Kernel kernel) {
    this.broker = broker;
    this.host = host;
    this.kernel = kernel;
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public List<String> publish(List<Outgoing> messages) {
    List<String> answers = new ArrayList<>();
    messages.forEach(message -> answers.add(broker.accept(message)));
    kernel.current().rest(broker.answersAfter());
    return answers;
  }

  @Override
  public Subscription subscribe(String channel, int concurrency, Receiver receiver) {
    return broker.subscribe(host, channel, receiver);
  }

  @Override
  public Depth depth(String channel) {
    return new Depth(channel, 0, 0, 0);
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
