package io.millrace.verification.simulation;

import io.millrace.sequence.ChannelTransport;
import java.util.ArrayList;
import java.util.List;

/** The simulated broker as one simulated machine sees it. */
final class SimTransport implements ChannelTransport {

  private final SimBroker broker;
  private final SimHost simHost;
  private final SimulationKernel simulationKernel;

  SimTransport(SimBroker broker, SimHost simHost, SimulationKernel simulationKernel) {
    this.broker = broker;
    this.simHost = simHost;
    this.simulationKernel = simulationKernel;
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public List<String> publish(List<Outgoing> messages) {
    List<String> answers = new ArrayList<>();
    messages.forEach(message -> answers.add(broker.accept(message)));
    simulationKernel.current().rest(broker.answersAfter());
    return answers;
  }

  @Override
  public Subscription subscribe(String channel, int concurrency, Receiver receiver) {
    return broker.subscribe(simHost, channel, receiver);
  }

  @Override
  public QueueStatus queueStatus(String channel) {
    return new QueueStatus(channel, 0, 0, 0);
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
