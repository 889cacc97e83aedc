package io.millrace.definition;

import io.millrace.codec.TypeRef;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A signal as a handler sees it. It counts as consumed once the handler's answer is accepted. */
public interface ReceivedSignal {

  String name();

  /**
   * Returns the payload.
   *
   * @throws io.millrace.codec.CodecException if there is none or it does not fit {@code type}
   */
  default <T> T payload(Class<T> type) {
    return payload(TypeRef.of(type));
  }

  /**
   * Returns the payload.
   *
   * @throws io.millrace.codec.CodecException if there is none or it does not fit {@code type}
   */
  <T> T payload(TypeRef<T> type);

  /** Returns true if the sender gave a payload. */
  boolean hasPayload();

  Instant sentAt();

  /** Returns the sender, or null if it is unknown. */
  @Nullable String actor();
}
