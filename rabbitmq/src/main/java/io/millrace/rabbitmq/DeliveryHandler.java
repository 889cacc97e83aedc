package io.millrace.rabbitmq;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Receiver;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the receiver of a channel for each message, on a thread of its own, and carries out the
 * receiver's outcome. Thread-safe.
 */
final class DeliveryHandler {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitTransport.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);
  private static final int FIRST_PHASE = 0;

  /**
   * Number of attempts to put a message off. They take less than half an hour, after which the
   * broker ends a consumer that has not acknowledged a message.
   */
  private static final int TRIES_TO_PUT_OFF = 60;

  private static final int TRIES_TO_BURY = 4;

  private final String channel;
  private final Receiver receiver;
  private final Semaphore room;
  private final RabbitNames rabbitNames;
  private final Publisher publisher;
  private final EngineRuntime runtime;
  private final RabbitBackoff backoff;
  private final PeriodicLogger burials;
  private final CountDownLatch stopped = new CountDownLatch(1);

  private final AtomicBoolean stopping = new AtomicBoolean();

  /** Counts running handlers and the stop itself; its only phase ends after all of them. */
  private final Phaser handlers = new Phaser(1);

  DeliveryHandler(
      String channel,
      int concurrency,
      Receiver receiver,
      RabbitNames rabbitNames,
      Publisher publisher,
      EngineRuntime runtime) {
    this.channel = channel;
    this.receiver = receiver;
    this.room = new Semaphore(concurrency);
    this.rabbitNames = rabbitNames;
    this.publisher = publisher;
    this.runtime = runtime;
    this.backoff = new RabbitBackoff(FIRST_PAUSE, MAX_PAUSE, runtime.random());
    this.burials = new PeriodicLogger(LOG, runtime.clock());
  }

  /** Handles a message on another thread; returns at once. */
  void accept(UnackedDelivery delivery) {
    if (handlers.register() < 0) {
      delivery.requeue();
      return;
    }
    runtime.runner().run("millrace-rabbitmq-" + rabbitNames.queue(channel), () -> handle(delivery));
  }

  /** Stops, and returns when no call of the receiver runs any more, however long that takes. */
  void stop() {
    stopped.countDown();
    if (stopping.compareAndSet(false, true)) {
      handlers.arriveAndDeregister();
    }
    handlers.awaitAdvance(FIRST_PHASE);
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  private void handle(UnackedDelivery delivery) {
    try {
      Optional<DeliveryOutcome> outcome = judge(delivery);
      if (outcome.isPresent()) {
        apply(delivery, outcome.get());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable failure) {
      // An Error too: whatever a receiver throws, the next message is received.
      failed(delivery, failure);
    } finally {
      handlers.arriveAndDeregister();
    }
  }

  /** Returns the outcome; empty when the message is left to other consumers. */
  private Optional<DeliveryOutcome> judge(UnackedDelivery delivery) throws InterruptedException {
    int length = delivery.length();
    if (length > MessageCodec.MAX_LENGTH) {
      return reject(
          MessageCodec.tooLong(length) + "; only as many of them are kept among the dead letters.");
    }
    Optional<String> text = MessageCodec.text(delivery.body());
    if (text.isEmpty()) {
      return reject("The message must be JSON in UTF-8.");
    }
    room.acquire();
    try {
      // The message may have been lost while this thread waited for a permit.
      if (isStopped() || !delivery.isOpen()) {
        delivery.requeue();
        return Optional.empty();
      }
      return Optional.of(
          receiver.receive(
              new Incoming(channel, text.get(), delivery.properties().getMessageId())));
    } finally {
      room.release();
    }
  }

  private static Optional<DeliveryOutcome> reject(String reason) {
    return Optional.of(new DeliveryOutcome.Reject(reason));
  }

  private void apply(UnackedDelivery delivery, DeliveryOutcome deliveryOutcome)
      throws InterruptedException {
    switch (deliveryOutcome) {
      case DeliveryOutcome.Acknowledge acknowledge -> delivery.ack();
      case DeliveryOutcome.Reject reject -> bury(delivery, reject.reason());
      case DeliveryOutcome.Requeue requeue -> putOff(delivery);
    }
  }

  private void bury(UnackedDelivery delivery, String reason) throws InterruptedException {
    burials.warnThrottled(
        "A message of '"
            + channel
            + "' is put among the dead letters: "
            + MessageCodec.shortened(reason));
    OutgoingMessage letter =
        MessageCodec.dead(channel, rabbitNames, delivery.properties(), delivery.body(), reason);
    if (moved(delivery, letter, TRIES_TO_BURY, 0)) {
      delivery.ack();
    } else {
      delivery.reject();
    }
  }

  /**
   * Sends the message again, to the end of the queue, because a message that is requeued counts as
   * one whose consumer died. This consumer keeps it during the pause, so that it does not circulate
   * at full speed.
   */
  private void putOff(UnackedDelivery delivery) throws InterruptedException {
    int times = MessageCodec.timesPutOff(delivery.properties());
    restUnlessStopped(backoff.after(times));
    OutgoingMessage again =
        MessageCodec.putOff(channel, rabbitNames, delivery.properties(), delivery.body());
    if (moved(delivery, again, TRIES_TO_PUT_OFF, times)) {
      delivery.ack();
    } else {
      delivery.requeue();
    }
  }

  /** Requeues a message as after a crash, so that the delivery limit applies to it. */
  private void failed(UnackedDelivery delivery, Throwable failure) {
    LOG.error("The receiver of '{}' has failed; its message comes again", channel, failure);
    try {
      restUnlessStopped(backoff.after(MessageCodec.deliveries(delivery.properties())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    delivery.requeue();
  }

  /** Waits; returns true if the handler was stopped before the time was over. */
  private boolean restUnlessStopped(Duration time) throws InterruptedException {
    return stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Publishes a message elsewhere before the original is acknowledged here. A deleted queue is
   * created again before the second attempt.
   *
   * @param waits the number of pauses before this call
   */
  private boolean moved(
      UnackedDelivery delivery, OutgoingMessage outgoingMessage, int tries, int waits)
      throws InterruptedException {
    for (int i = 0; i < tries && delivery.isOpen(); i++) {
      String refusal = publisher.send(List.of(outgoingMessage)).getFirst();
      if (refusal == null) {
        return true;
      }
      LOG.debug("A message of '{}' is not moved: {}", channel, refusal);
      if (i > 0 && restUnlessStopped(backoff.after(waits + i))) {
        return false;
      }
    }
    return false;
  }
}
