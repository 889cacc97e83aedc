package io.millrace.verification.simulation;

import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.sequence.ChannelTransport.Receiver;
import io.millrace.sequence.ChannelTransport.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A broker that keeps none of a broker's promises: it loses confirmed messages, delivers
 * unconfirmed ones, delivers twice, late and in any order, and is sometimes down.
 */
final class SimBroker {

  private static final Duration AGAIN = Duration.ofMillis(500);
  private static final Duration UNACKNOWLEDGED = Duration.ofSeconds(15);
  private static final Duration SLICE = Duration.ofMillis(10);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(60);
  private static final int MAX_DELIVERIES = 20;

  private final SimulationKernel simulationKernel;
  private final SimJournal simJournal;
  private final TreeMap<String, List<Subscriber>> subscribers = new TreeMap<>();
  private double lost;
  private double unconfirmed;
  private double repeated;
  private double late;
  private long backAt;

  /** A node that receives from a channel. */
  private static final class Subscriber {
    private final SimHost simHost;
    private final Receiver receiver;
    private int receiving;

    Subscriber(SimHost simHost, Receiver receiver) {
      this.simHost = simHost;
      this.receiver = receiver;
    }
  }

  /** A message on its way. */
  private static final class Letter {
    private final Outgoing message;
    private boolean acknowledged;
    private int deliveries;

    Letter(Outgoing message) {
      this.message = message;
    }
  }

  SimBroker(SimulationKernel simulationKernel, SimJournal simJournal) {
    this.simulationKernel = simulationKernel;
    this.simJournal = simJournal;
    this.lost = chance();
    this.unconfirmed = chance();
    this.repeated = chance();
    this.late = chance();
  }

  private double chance() {
    return simulationKernel.random.nextBoolean() ? simulationKernel.random.nextDouble() / 2 : 0;
  }

  /** Ends all faults of the broker. */
  void calm() {
    lost = 0;
    unconfirmed = 0;
    repeated = 0;
    late = 0;
    backAt = 0;
  }

  void goAway(Duration time) {
    backAt = simulationKernel.now() + time.toNanos();
  }

  private boolean isAway() {
    return simulationKernel.now() < backAt;
  }

  /** Returns the broker as one machine sees it. */
  ChannelTransport transport(SimHost simHost) {
    return new SimTransport(this, simHost, simulationKernel);
  }

  private boolean happens(double likely, String what) {
    boolean happens = likely > 0 && simulationKernel.random.nextDouble() < likely;
    if (happens) {
      simJournal.count(what);
    }
    return happens;
  }

  /** Accepts a message; returns null if it is safe, otherwise an error for the sender. */
  String accept(Outgoing message) {
    if (isAway()) {
      simJournal.count("messages refused");
      return "the broker is away";
    }
    boolean gone = happens(lost, "messages lost");
    boolean silent = happens(unconfirmed, "messages not confirmed");
    if (!gone) {
      send(new Letter(message));
      if (happens(repeated, "messages repeated")) {
        send(new Letter(message));
      }
    }
    return silent ? "not confirmed in time" : null;
  }

  private void send(Letter letter) {
    boolean slow = happens(late, "messages late");
    simulationKernel.after(
        Duration.ofMillis(1 + simulationKernel.random.nextInt(slow ? 20_000 : 30)),
        () -> offer(letter));
  }

  private void offer(Letter letter) {
    List<Subscriber> ready =
        subscribers.getOrDefault(letter.message.channel(), List.of()).stream()
            .filter(subscriber -> !subscriber.simHost.dead())
            .toList();
    if (letter.acknowledged) {
      return;
    }
    if (isAway() || ready.isEmpty()) {
      simulationKernel.after(AGAIN, () -> offer(letter));
      return;
    }
    Subscriber receiver = ready.get(simulationKernel.random.nextInt(ready.size()));
    if (++letter.deliveries <= MAX_DELIVERIES) {
      simulationKernel.spawn(receiver.simHost, "message", () -> deliver(letter, receiver));
      simulationKernel.after(UNACKNOWLEDGED, () -> offer(letter));
    }
  }

  private void deliver(Letter letter, Subscriber to) {
    Outgoing message = letter.message;
    to.receiving++;
    try {
      DeliveryOutcome deliveryOutcome =
          to.receiver.receive(new Incoming(message.channel(), message.body(), message.id()));
      simulationKernel.note(to.simHost, "message", () -> message.body() + " -> " + deliveryOutcome);
      letter.acknowledged |= deliveryOutcome instanceof DeliveryOutcome.Acknowledge;
      if (deliveryOutcome instanceof DeliveryOutcome.Requeue) {
        simulationKernel.after(AGAIN, () -> offer(letter));
      } else if (deliveryOutcome instanceof DeliveryOutcome.Reject reject) {
        simJournal.violated("channel", "a message of the engine's own is rejected: " + reject);
      } else {
        simJournal.count("messages received");
      }
    } finally {
      to.receiving--;
    }
  }

  /** Adds a receiver, until the subscription is closed. */
  Subscription subscribe(SimHost simHost, String channel, Receiver receiver) {
    Subscriber subscriber = new Subscriber(simHost, receiver);
    List<Subscriber> all = subscribers.computeIfAbsent(channel, name -> new ArrayList<>());
    all.add(subscriber);
    return new Subscription() {
      @Override
      public boolean isConnected() {
        return !isAway();
      }

      @Override
      public void close() {
        all.remove(subscriber);
        long end = simulationKernel.now() + CLOSE_LIMIT.toNanos();
        while (subscriber.receiving > 0 && simulationKernel.now() < end) {
          simulationKernel.current().rest(SLICE);
        }
        if (subscriber.receiving > 0) {
          simJournal.violated("channel", "receiving on " + simHost + " does not end");
        }
      }
    };
  }

  /** Returns the time that a sender waits for its answer. */
  Duration answersAfter() {
    int most = isAway() ? 5_000 : 20;
    return Duration.ofMillis(1 + simulationKernel.random.nextInt(most));
  }
}
