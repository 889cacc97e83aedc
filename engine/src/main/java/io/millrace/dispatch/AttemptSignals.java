package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.definition.ReceivedSignal;
import io.millrace.instance.InboxMessage;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** The signals of one attempt: those that existed at the claim, and later ones. */
final class AttemptSignals {

  private final Inbox inbox;
  private final Function<String, Optional<InboxMessage>> store;
  private final Codec codec;
  private final NonRetryableErrorTracker errorTracker;
  private final Map<Long, InboxMessage> received = new TreeMap<>();

  /**
   * @param store reads the oldest signal of a name from the store
   */
  AttemptSignals(
      Inbox inbox,
      Function<String, Optional<InboxMessage>> store,
      Codec codec,
      NonRetryableErrorTracker errorTracker) {
    this.inbox = inbox;
    this.store = store;
    this.codec = codec;
    this.errorTracker = errorTracker;
  }

  /** Returns the oldest signal of a name, which counts as received from now on. */
  Optional<ReceivedSignal> receive(String name) {
    Optional<InboxMessage> found =
        inbox
            .oldestLoaded(name)
            .or(() -> received.values().stream().filter(one -> one.name().equals(name)).findFirst())
            .or(() -> inbox.remembered(store.apply(name)));
    found.ifPresent(signal -> received.putIfAbsent(signal.id(), signal));
    return found.map(signal -> new StoredSignal(signal, codec, errorTracker));
  }

  /** Returns the ids of the signals that an accepted answer consumes. */
  Set<Long> received() {
    return received.keySet();
  }
}
