package io.millrace.sequence;

import io.millrace.extension.EngineServices;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.WorkflowInstance;
import io.millrace.sequence.ChannelTransport.DeliveryOutcome;
import io.millrace.sequence.ChannelTransport.Incoming;
import io.millrace.sequence.ChannelTransport.Subscription;
import io.millrace.store.QueryStore;
import io.millrace.store.StoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A receiver of messages. It claims the execution that a message announces, and acknowledges the
 * message once this node holds the execution. From then on the lease protects the execution,
 * however long it runs.
 */
final class ChannelReceiver {

  private static final Logger LOG = LoggerFactory.getLogger(ChannelReceiver.class);
  private static final DeliveryOutcome DONE = new DeliveryOutcome.Acknowledge();
  private static final DeliveryOutcome LATER = new DeliveryOutcome.Requeue();

  /** Pattern of the id of a message of Millrace: the execution and the seq of its history entry. */
  private static final Pattern ID = Pattern.compile("(\\d{1,18})-(\\d{1,9})");

  private final ChannelTransport transport;
  private final CompiledSequenceRegistry compiledSequences;
  private final QueryStore queries;
  private final EngineServices services;
  private final int concurrency;
  private final Map<String, Subscription> subscriptions = new TreeMap<>();
  private final Set<String> logged = new HashSet<>();

  ChannelReceiver(
      ChannelTransport transport,
      CompiledSequenceRegistry compiledSequences,
      QueryStore queries,
      EngineServices services,
      int concurrency) {
    this.transport = transport;
    this.compiledSequences = compiledSequences;
    this.queries = queries;
    this.services = services;
    this.concurrency = concurrency;
  }

  static String id(long executionId, int seq) {
    return executionId + "-" + seq;
  }

  /**
   * Subscribes to the channels of all tasks that this node runs. Failed subscriptions are retried.
   */
  synchronized void subscribe() {
    for (String channel : compiledSequences.channels()) {
      try {
        subscriptions.computeIfAbsent(
            channel, name -> transport.subscribe(name, concurrency, this::receive));
      } catch (RuntimeException e) {
        // A channel that fails must not keep the others from being subscribed.
        if (logged.add(channel + " " + e.getMessage())) {
          LOG.warn("Nothing is received on channel {}: {}", channel, e.getMessage(), e);
        }
      }
    }
  }

  /**
   * Ends all subscriptions. Returns when no message is being received any more, unless another
   * thread waits for that already: it may wait for longer than the caller can.
   */
  void close() {
    List<Subscription> ending;
    synchronized (this) {
      ending = List.copyOf(subscriptions.values());
      subscriptions.clear();
    }
    ending.forEach(Subscription::close);
  }

  DeliveryOutcome receive(Incoming incoming) {
    try {
      TaskMessage message = TaskMessage.parse(incoming.body());
      Matcher id = ID.matcher(incoming.id() == null ? "" : incoming.id());
      return id.matches() && Long.parseLong(id.group(1)) == message.executionId()
          ? claim(incoming, message.executionId(), Integer.parseInt(id.group(2)))
          : plain(incoming, message);
    } catch (InvalidRequestException e) {
      return reject(incoming, String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      LOG.debug("A message on channel {} waits for the database", incoming.channel(), e);
      return LATER;
    }
  }

  /** Handles a message of another program, which identifies the execution by its fields. */
  private DeliveryOutcome plain(Incoming incoming, TaskMessage message) {
    Optional<WorkflowInstance> found = queries.find(message.executionId());
    if (found.isEmpty()) {
      return unknown(incoming, message.executionId());
    }
    WorkflowInstance execution = found.get();
    CompiledSequence compiledSequence =
        compiledSequences.find(execution.type(), execution.version());
    @Nullable String state = compiledSequence == null ? null : compiledSequence.stateOf(message);
    if (state == null || !message.sequenceId().equals(execution.origin().businessKey())) {
      return reject(
          incoming,
          "Execution "
              + message.executionId()
              + " of sequence '"
              + execution.origin().businessKey()
              + "' has no task "
              + message.currentTaskId()
              + " at position "
              + message.position()
              + ", which the message names for sequence '"
              + message.sequenceId()
              + "'.");
    }
    return state.equals(execution.state())
        ? claim(incoming, execution.id(), execution.seq())
        : DONE;
  }

  private DeliveryOutcome claim(Incoming incoming, long executionId, int seq) {
    return switch (services.claim(executionId, seq)) {
      case CLAIMED -> DONE;
      case SUPERSEDED -> {
        LOG.debug(
            "A message on channel {} tells of seq {} of execution {}, which has gone on",
            incoming.channel(),
            seq,
            executionId);
        yield DONE;
      }
      case NO_CAPACITY, NOT_ELIGIBLE -> LATER;
      case NOT_FOUND -> unknown(incoming, executionId);
    };
  }

  private static DeliveryOutcome unknown(Incoming incoming, long executionId) {
    return reject(
        incoming,
        "Execution "
            + executionId
            + " is not known. It may have been deleted, or the message is for another system.");
  }

  private static DeliveryOutcome reject(Incoming incoming, String reason) {
    LOG.warn("A message on channel {} goes to the dead letters: {}", incoming.channel(), reason);
    return new DeliveryOutcome.Reject(reason);
  }
}
