package io.millrace.sequence;

import io.millrace.extension.EngineServices;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Loop;
import io.millrace.sequence.ChannelTransport.Outgoing;
import io.millrace.store.OutboxStore;
import io.millrace.store.OutboxStore.Message;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher that sends messages from the outbox, and deletes them when the broker has confirmed
 * them. A message may be sent twice, and is never lost.
 */
final class ChannelPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelPublisher.class);
  private static final int BATCH = 500;

  /**
   * Time for which messages are claimed. Longer than a publish may take, so that no other node
   * sends the same meanwhile.
   */
  private static final Duration RESERVE = Duration.ofSeconds(60);

  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int MAX_DOUBLINGS = 5;

  private final ChannelTransport transport;
  private final OutboxStore outbox;
  private final CompiledSequenceRegistry compiledSequences;
  private final EngineRuntime runtime;
  private final Duration pause;
  private final ChannelCircuitBreaker slow;
  private volatile @Nullable Loop loop;
  private boolean failing;

  ChannelPublisher(
      ChannelTransport transport,
      OutboxStore outbox,
      CompiledSequenceRegistry compiledSequences,
      EngineServices services) {
    this.transport = transport;
    this.outbox = outbox;
    this.compiledSequences = compiledSequences;
    this.runtime = services.runtime();
    this.slow = new ChannelCircuitBreaker(runtime.clock());
    this.pause = AGAIN.compareTo(services.maxSleep()) < 0 ? AGAIN : services.maxSleep();
  }

  void start() {
    loop = runtime.runner().loop("millrace-publisher", this::tick);
  }

  /** Wakes the publisher after messages were written. */
  void wake() {
    Loop present = loop;
    if (present != null) {
      present.wake();
    }
  }

  void stop(Duration patience) {
    Loop present = loop;
    if (present != null) {
      present.stop(patience);
    }
  }

  private Duration tick() {
    try {
      List<Message> messages = outbox.claim(BATCH, RESERVE);
      if (!messages.isEmpty()) {
        send(messages);
      }
      return messages.size() == BATCH ? Duration.ZERO : pause();
    } catch (StoreException e) {
      LOG.debug("The outbox cannot be read now", e);
      return pause();
    }
  }

  /** Returns a pause that is random by half, so that nodes do not poll together. */
  private Duration pause() {
    long half = pause.toMillis() / 2;
    return Duration.ofMillis(half + runtime.random().nextLong(half + 1));
  }

  private void send(List<Message> messages) {
    List<Message> sendable = new ArrayList<>();
    List<Outgoing> outgoing = new ArrayList<>();
    Map<String, List<Message>> waiting = new TreeMap<>();
    for (Message message : messages) {
      Outgoing one = outgoing(message);
      if (one == null) {
        outbox.markFailed(
            List.of(message.key()),
            "This node does not know the tasks of sequences of type '"
                + message.instance().type()
                + "'.",
            AGAIN);
      } else {
        switch (slow.pass(message.channel())) {
          case ChannelCircuitBreaker.Permit.Closed closed -> {
            sendable.add(message);
            outgoing.add(one);
          }
          case ChannelCircuitBreaker.Permit.HalfOpen halfOpen ->
              runtime.runner().runOnPool("millrace-publisher-probe", () -> probe(message, one));
          case ChannelCircuitBreaker.Permit.Open open ->
              waiting.computeIfAbsent(open.reason(), why -> new ArrayList<>()).add(message);
        }
      }
    }
    waiting.forEach(this::postpone);
    long begun = runtime.clock().nanoTime();
    List<@Nullable String> answers = transport.publish(outgoing);
    Duration took = Duration.ofNanos(runtime.clock().nanoTime() - begun);
    slow.failed(failedChannels(sendable, answers), took);
    recordAnswers(sendable, answers);
  }

  /** Returns the channels over which nothing was sent, with reasons. */
  private static Map<String, String> failedChannels(
      List<Message> messages, List<@Nullable String> answers) {
    Map<String, String> failed = new TreeMap<>();
    Set<String> confirmed = new HashSet<>();
    for (int i = 0; i < messages.size(); i++) {
      String why = answers.get(i);
      if (why == null) {
        confirmed.add(messages.get(i).channel());
      } else {
        failed.put(messages.get(i).channel(), why);
      }
    }
    failed.keySet().removeAll(confirmed);
    return failed;
  }

  /** Sends a message over a slow channel, while all others go on. */
  private void probe(Message message, Outgoing outgoing) {
    String why = "The message was not sent.";
    try {
      why = transport.publish(List.of(outgoing)).getFirst();
      if (why == null) {
        outbox.markSent(List.of(message.key()));
      } else {
        postpone(why, List.of(message));
      }
    } catch (StoreException e) {
      LOG.debug("What came of a message cannot be written now", e);
    } finally {
      if (why == null) {
        slow.probeConfirmed(message.channel());
        wake();
      } else {
        slow.probeFailed(message.channel(), why);
      }
    }
  }

  private @Nullable Outgoing outgoing(Message message) {
    String sequenceId = message.instance().businessKey();
    CompiledSequence compiledSequence =
        compiledSequences.find(message.instance().type(), message.instance().version());
    if (compiledSequence == null
        || compiledSequence.find(message.state()).isEmpty()
        || sequenceId == null) {
      return null;
    }
    OutboxStore.Key key = message.key();
    TaskMessage body =
        compiledSequence.message(key.instanceId(), sequenceId, message.state(), message.retry());
    String id = ChannelReceiver.id(key.instanceId(), key.seq());
    return new Outgoing(message.channel(), body.json(), id, message.retry() ? id : null);
  }

  private void recordAnswers(List<Message> messages, List<@Nullable String> answers) {
    List<OutboxStore.Key> sent = new ArrayList<>();
    Map<String, List<Message>> failed = new TreeMap<>();
    for (int i = 0; i < messages.size(); i++) {
      @Nullable String why = answers.get(i);
      if (why == null) {
        sent.add(messages.get(i).key());
      } else {
        failed.computeIfAbsent(why, text -> new ArrayList<>()).add(messages.get(i));
      }
    }
    outbox.markSent(sent);
    failed.forEach(this::postpone);
    logFailures(failed, sent.size());
  }

  private void postpone(String why, List<Message> messages) {
    Map<Duration, List<OutboxStore.Key>> byDelay = new TreeMap<>();
    for (Message message : messages) {
      byDelay.computeIfAbsent(delay(message), d -> new ArrayList<>()).add(message.key());
    }
    byDelay.forEach((delay, keys) -> outbox.markFailed(keys, why, delay));
  }

  private static Duration delay(Message message) {
    return AGAIN.multipliedBy(1L << Math.min(message.tries(), MAX_DOUBLINGS));
  }

  private void logFailures(Map<String, List<Message>> failed, int sent) {
    if (!failed.isEmpty() && !failing) {
      LOG.warn(
          "Messages cannot be sent over {}; they are kept, and their tasks begin later without them: {}",
          transport.name(),
          failed.keySet());
      failing = true;
    } else if (failed.isEmpty() && sent > 0 && failing) {
      LOG.info("Messages are sent over {} again", transport.name());
      failing = false;
    }
  }
}
