package io.millrace.verification.kill;

import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.TaskMessage;
import io.millrace.verification.kill.StopPoint.Point;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A transport that carries messages over another one, and stops those whose sequences say so. */
final class StoppingTransport implements ChannelTransport {

  private final ChannelTransport transport;
  private final Gates gates;
  private final StopPointInterceptor stopPointInterceptor;

  StoppingTransport(
      ChannelTransport transport, Gates gates, StopPointInterceptor stopPointInterceptor) {
    this.transport = transport;
    this.gates = gates;
    this.stopPointInterceptor = stopPointInterceptor;
  }

  @Override
  public String name() {
    return transport.name();
  }

  /** Sends messages; those that stop before they are sent wait at the gate first. */
  @Override
  public List<String> publish(List<Outgoing> messages) {
    List<Integer> now = new ArrayList<>();
    List<Integer> later = new ArrayList<>();
    for (int i = 0; i < messages.size(); i++) {
      (stopsAt(Point.PICKED, messages.get(i)) ? later : now).add(i);
    }
    String[] answers = new String[messages.size()];
    publish(messages, now, answers);
    List<StopPoint> reached =
        messages.stream()
            .filter(m -> stopsAt(Point.PICKED, m) || stopsAt(Point.PUBLISHED, m))
            .map(m -> StopPoint.of(TaskMessage.parse(m.body()).sequenceId()))
            .toList();
    if (!reached.isEmpty()) {
      reached.forEach(stopPoint -> Gates.say("AT " + stopPoint.sequenceId()));
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
    return new StopPoint(point, task.position()).equals(StopPoint.of(task.sequenceId()));
  }

  /** Starts to receive when the gate lets it. */
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

  private DeliveryOutcome receive(Incoming message, Receiver receiver) {
    TaskMessage task = TaskMessage.parse(message.body());
    stopPointInterceptor.at(Point.RECEIVED, task.sequenceId(), task.position());
    DeliveryOutcome deliveryOutcome = receiver.receive(message);
    if (deliveryOutcome instanceof DeliveryOutcome.Acknowledge) {
      stopPointInterceptor.acknowledge(task.executionId(), task.sequenceId(), task.position());
    }
    return deliveryOutcome;
  }

  @Override
  public QueueStatus queueStatus(String channel) {
    return transport.queueStatus(channel);
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
