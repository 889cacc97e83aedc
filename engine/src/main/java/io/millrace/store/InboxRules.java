package io.millrace.store;

import io.millrace.instance.InboxMessage;
import io.millrace.instance.Position;
import io.millrace.store.OperatorStore.SignalRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Limits of inboxes. Pure; used by every store. */
public final class InboxRules {

  /**
   * Maximum number of unconsumed messages that are read at once. The others are looked up by name.
   */
  public static final int PAGE = 100;

  /** Maximum number of bytes of payloads that are read at once of one instance. */
  public static final long PAGE_BYTES = 1 << 20;

  /** Maximum number of unconsumed messages of an instance. */
  public static final int MAX_UNCONSUMED = 10_000;

  /** Maximum number of bytes of the unconsumed payloads of an instance. */
  public static final long MAX_UNCONSUMED_BYTES = 64 << 20;

  /** Number of messages that are within the limits whatever their payloads are. */
  public static final int ALWAYS_ALLOWED = 50;

  /**
   * Maximum number of unconsumed requests of one kind, to wake or to pause. A further one would
   * have no effect, since all of them are read and consumed together.
   */
  public static final int MAX_REQUESTS = 50;

  /**
   * Order in which requests to pause and to wake come before signals, however many of those there
   * are.
   */
  private static final Comparator<InboxMessage> BY_URGENCY =
      Comparator.comparing(InboxMessage::kind, Comparator.comparingInt(InboxRules::urgency))
          .thenComparingLong(InboxMessage::id);

  private InboxRules() {}

  /**
   * The unconsumed messages of an instance.
   *
   * @param bytes of their payloads
   * @param named true if a signal of the name in question is among them
   */
  public record Unconsumed(int messages, long bytes, boolean named) {}

  /**
   * Returns true if the inbox refuses this signal. The first signal of a name that the instance
   * waits for is always accepted, or an instance with a full inbox could wait without end.
   */
  public static boolean refuses(
      SignalRequest request, @Nullable String waitingFor, Unconsumed unconsumed) {
    boolean full =
        unconsumed.messages >= MAX_UNCONSUMED
            || unconsumed.bytes + bytes(request.payload()) > MAX_UNCONSUMED_BYTES;
    boolean awaited = Position.signal(request.name()).equals(waitingFor) && !unconsumed.named;
    return full && !awaited;
  }

  /** Returns the message for the sender of a refused signal. */
  public static String refusal(SignalRequest request) {
    return "The inbox of instance "
        + request.instanceId()
        + " is full: signal '"
        + request.name()
        + "' was not stored. Expected at most "
        + MAX_UNCONSUMED
        + " unconsumed signals with payloads of "
        + (MAX_UNCONSUMED_BYTES >> 20)
        + " MiB together. Send it again when handlers of the instance have read some, or keep large"
        + " data elsewhere and send a reference to it.";
  }

  /**
   * Returns the unconsumed messages that are read at once, oldest first: requests, and the oldest
   * signals.
   *
   * @param budget maximum number of bytes of payloads, also below {@link #PAGE_BYTES}
   */
  public static List<InboxMessage> page(Collection<InboxMessage> unconsumed, long budget) {
    List<InboxMessage> page = new ArrayList<>();
    long left = Math.min(budget, PAGE_BYTES);
    for (InboxMessage message : unconsumed.stream().sorted(BY_URGENCY).limit(PAGE).toList()) {
      left -= bytes(message.payload());
      if (left < 0) {
        break;
      }
      page.add(message);
    }
    page.sort(Comparator.comparingLong(InboxMessage::id));
    return List.copyOf(page);
  }

  /** Returns the bytes of a text in UTF-8, as the database counts them. */
  public static long bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static int urgency(InboxMessage.Kind kind) {
    return switch (kind) {
      case PAUSE -> 0;
      case WAKE -> 1;
      case SIGNAL -> 2;
    };
  }
}
