package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.definition.ReceivedSignal;
import io.millrace.instance.Signal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The signals of one attempt: those that were there at the claim, and later ones. */
final class AttemptSignals {

  private final Inbox inbox;
  private final Function<String, Optional<Signal>> store;
  private final Codec codec;
  private final NonRetryableErrorTracker errorTracker;
  private final Map<Long, Signal> received = new TreeMap<>();

  /**
   * @param store asks the store for the oldest signal of a name
   */
  AttemptSignals(
      Inbox inbox,
      Function<String, Optional<Signal>> store,
      Codec codec,
      NonRetryableErrorTracker errorTracker) {
    this.inbox = inbox;
    this.store = store;
    this.codec = codec;
    this.errorTracker = errorTracker;
  }

  /** Returns the oldest signal of a name, which counts as received from now on. */
  Optional<ReceivedSignal> receive(String name) {
    Optional<Signal> found =
        inbox
            .oldestLoaded(name)
            .or(() -> received.values().stream().filter(one -> one.name().equals(name)).findFirst())
            .or(() -> inbox.remembered(store.apply(name)));
    found.ifPresent(signal -> received.putIfAbsent(signal.id(), signal));
    return found.map(signal -> new Received(signal, codec, errorTracker));
  }

  /** Returns the ids of the signals that an accepted answer consumes. */
  Set<Long> received() {
    return received.keySet();
  }

  private record Received(Signal signal, Codec codec, NonRetryableErrorTracker misuse)
      implements ReceivedSignal {
    @Override
    public String name() {
      return signal.name();
    }

    @Override
    public <T> T payload(Class<T> type) {
      return misuse.check(() -> read(type));
    }

    private <T> T read(Class<T> type) {
      if (signal.payload() == null) {
        throw new CodecException(
            "Signal '"
                + signal.name()
                + "' to instance "
                + signal.instanceId()
                + " came without payload, but a handler asks for a "
                + type.getName()
                + ".",
            null);
      }
      String payload = signal.payload();
      return CodecException.naming(
          "The payload of signal '" + signal.name() + "'", () -> codec.decode(payload, type));
    }

    @Override
    public boolean hasPayload() {
      return signal.payload() != null;
    }

    @Override
    public Instant sentAt() {
      return signal.sent().at();
    }

    @Override
    public @Nullable String actor() {
      return signal.sent().actor();
    }
  }
}
