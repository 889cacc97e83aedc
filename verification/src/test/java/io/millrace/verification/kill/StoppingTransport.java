package io.millrace.verification.kill;

import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.TaskMessage;
import io.millrace.verification.kill.Stop.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Carries messages over another transport, and stops those whose workflows say so. */
final class StoppingTransport implements ChannelTransport {

  private final ChannelTransport transport;
  private final Gates gates;
  private final Stops stops;

  StoppingTransport(ChannelTransport transport, Gates gates, Stops stops) {
    this.transport = transport;
    this.gates = gates;
    this.stops = stops;
  }

  @Override
  public String name() {
    return transport.name();
  }

  /** Sends those that stop before it last. */
  @Override
  public List<String> publish(List<Outgoing> messages) {
    List<Integer> now = new ArrayList<>();
    List<Integer> later = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      (stopsAt(Point.PICKED, messages.get(i)) ? later : now).add(i);
    }
    String[] answers = new String[messages.size()];
    publish(messages, now, answers);
    List<Stop> reached =
        messages.stream()
            .filter(m -> stopsAt(Point.PICKED, m) || stopsAt(Point.PUBLISHED, m))
            .map(m -> Stop.of(TaskMessage.parse(m.body()).workflowId()))
            .toList();
    if (!reached.isEmpty()) {
      reached.forEach(stop -> Gates.say("AT " + stop.workflowId()));
      gates.pass(Gates.POINTS);
    }
    publish(messages, later, answers);
    return Arrays.asList(answers);
  }

  private void publish(List<Outgoing> messages, List<Integer> places, String[] answers) {
    List<String> some = transport.publish(places.stream().map(messages::get).toList());
    for (int i = 0; i < places.size(); i++) {
      answers[places.get(i)] = some.get(i);
    }
  }

  private static boolean stopsAt(Point point, Outgoing message) {
    TaskMessage task = TaskMessage.parse(message.body());
    return new Stop(point, task.sequence()).equals(Stop.of(task.workflowId()));
  }

  /** Begins to receive when the node is let. */
  @Override
  public Subscription subscribe(String channel, int concurrency, Receiver receiver) {
    CompletableFuture<Subscription> subscribed = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          gates.pass(Gates.NODE);
          subscribed.complete(
              transport.subscribe(channel, concurrency, message -> receive(message, receiver)));
        });
    return new Subscription() {
      @Override
      public boolean isConnected() {
        return subscribed.isDone() && subscribed.join().isConnected();
      }

      @Override
      public void close() {
        subscribed.join().close();
      }
    };
  }

  private Verdict receive(Incoming message, Receiver receiver) {
    TaskMessage task = TaskMessage.parse(message.body());
    stops.at(Point.RECEIVED, task.workflowId(), task.sequence());
    Verdict verdict = receiver.receive(message);
    if (verdict instanceof Verdict.Done) {
      stops.acknowledge(task.executionId(), task.workflowId(), task.sequence());
    }
    return verdict;
  }

  @Override
  public Depth depth(String channel) {
    return transport.depth(channel);
  }

  @Override
  public List<DeadLetter> deadLetters(String channel, int limit) {
    return transport.deadLetters(channel, limit);
  }

  @Override
  public int requeue(String channel, int limit) {
    return transport.requeue(channel, limit);
  }

  @Override
  public void close() {
    transport.close();
  }
}
