package io.millrace.dispatch;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.codec.TypeRef;
import io.millrace.definition.ReceivedSignal;
import io.millrace.instance.InboxMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A signal from the store as a handler sees it. */
record StoredSignal(InboxMessage signal, Codec codec, NonRetryableErrorTracker misuse)
    implements ReceivedSignal {
  @Override
  public String name() {
    return signal.name();
  }

  @Override
  public <T> T payload(TypeRef<T> type) {
    return misuse.check(() -> read(type));
  }

  private <T> T read(TypeRef<T> type) {
    if (signal.payload() == null) {
      throw new CodecException(
          "Signal '"
              + signal.name()
              + "' to instance "
              + signal.instanceId()
              + " came without payload, but a handler asks for a "
              + type
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
