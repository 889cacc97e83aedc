package io.millrace.rabbitmq;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Receiver;
import io.millrace.sequence.ChannelTransport.Verdict;
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
 * Has the receiver of a channel judge its messages, each on a thread of its own, and does what it
 * says. Thread-safe.
 */
final class Handling {

  private static final Logger LOG = LoggerFactory.getLogger(RabbitTransport.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final int FIRST_PHASE = 0;

  /** The broker ends a consumer that has not settled a message for half an hour; this is less. */
  private static final int TRIES_TO_PUT_OFF = 60;

  private static final int TRIES_TO_BURY = 4;

  private final String channel;
  private final Receiver receiver;
  private final Semaphore room;
  private final Names names;
  private final Publisher publisher;
  private final EngineRuntime runtime;
  private final Pause pause;
  private final Complaint burials;
  private final CountDownLatch stopped = new CountDownLatch(1);

  private final AtomicBoolean stopping = new AtomicBoolean();

  /** Counts those who handle a message, and the one who stops: its only phase ends after them. */
  private final Phaser handlers = new Phaser(1);

  Handling(
      String channel,
      int concurrency,
      Receiver receiver,
      Names names,
      Publisher publisher,
      EngineRuntime runtime) {
    this.channel = channel;
    this.receiver = receiver;
    this.room = new Semaphore(concurrency);
    this.names = names;
    this.publisher = publisher;
    this.runtime = runtime;
    this.pause = new Pause(FIRST_PAUSE, LONGEST_PAUSE, runtime.random());
    this.burials = new Complaint(LOG, runtime.clock());
  }

  /** Returns at once. */
  void begin(Delivery delivery) {
    if (handlers.register() < 0) {
      delivery.giveBack();
      return;
    }
    runtime.runner().run("millrace-rabbitmq-" + names.queue(channel), () -> handle(delivery));
  }

  /** Returns when no call of the receiver runs any more, however long that takes. */
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

  private void handle(Delivery delivery) {
    try {
      Optional<Verdict> verdict = judge(delivery);
      if (verdict.isPresent()) {
        settle(delivery, verdict.get());
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

  /** Empty when the message is left to others. */
  private Optional<Verdict> judge(Delivery delivery) throws InterruptedException {
    int length = delivery.length();
    if (length > Mail.LONGEST) {
      return reject(
          Mail.tooLong(length) + "; only as many of them are kept among the dead letters.");
    }
    Optional<String> text = Mail.text(delivery.body());
    if (text.isEmpty()) {
      return reject("The message is no text in UTF-8, expected JSON.");
    }
    room.acquire();
    try {
      // Those who waited for the room meanwhile may have lost their message.
      if (isStopped() || !delivery.isOurs()) {
        delivery.giveBack();
        return Optional.empty();
      }
      return Optional.of(
          receiver.receive(
              new Incoming(channel, text.get(), delivery.properties().getMessageId())));
    } finally {
      room.release();
    }
  }

  private static Optional<Verdict> reject(String reason) {
    return Optional.of(new Verdict.Reject(reason));
  }

  private void settle(Delivery delivery, Verdict verdict) throws InterruptedException {
    switch (verdict) {
      case Verdict.Done done -> delivery.ack();
      case Verdict.Reject reject -> bury(delivery, reject.reason());
      case Verdict.Later later -> putOff(delivery);
    }
  }

  private void bury(Delivery delivery, String reason) throws InterruptedException {
    burials.oneOf(
        "A message of '" + channel + "' is put among the dead letters: " + Mail.shortened(reason));
    Parcel letter = Mail.dead(channel, names, delivery.properties(), delivery.body(), reason);
    if (moved(delivery, letter, TRIES_TO_BURY, 0)) {
      delivery.ack();
    } else {
      delivery.reject();
    }
  }

  /**
   * Sent again, to the end of the queue, since a message that is given back counts as one whose
   * consumer died. It is ours meanwhile, so that it does not come round and round at full speed.
   */
  private void putOff(Delivery delivery) throws InterruptedException {
    int times = Mail.timesPutOff(delivery.properties());
    restUnlessStopped(pause.after(times));
    Parcel again = Mail.putOff(channel, names, delivery.properties(), delivery.body());
    if (moved(delivery, again, TRIES_TO_PUT_OFF, times)) {
      delivery.ack();
    } else {
      delivery.giveBack();
    }
  }

  /** Given back as after a death, so that the delivery limit ends it. */
  private void failed(Delivery delivery, Throwable failure) {
    LOG.error("The receiver of '{}' has failed; its message comes again", channel, failure);
    try {
      restUnlessStopped(pause.after(Mail.deliveries(delivery.properties())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    delivery.giveBack();
  }

  /** True when it was stopped before the time was over. */
  private boolean restUnlessStopped(Duration time) throws InterruptedException {
    return stopped.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Puts a message elsewhere before it is settled here. A queue that was deleted is made again for
   * the second try.
   *
   * @param waits how many pauses there were before
   */
  private boolean moved(Delivery delivery, Parcel parcel, int tries, int waits)
      throws InterruptedException {
    for (int i = 0; i < tries && delivery.isOurs(); i++) {
      String refusal = publisher.send(List.of(parcel)).getFirst();
      if (refusal == null) {
        return true;
      }
      LOG.debug("A message of '{}' is not moved: {}", channel, refusal);
      if (i > 0 && restUnlessStopped(pause.after(waits + i))) {
        return false;
      }
    }
    return false;
  }
}
