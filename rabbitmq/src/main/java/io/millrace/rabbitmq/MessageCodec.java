package io.millrace.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.millrace.instance.StorableText;
import io.millrace.sequence.ChannelTransport.Outgoing;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Converts messages to properties and bytes, and back. */
final class MessageCodec {

  /** Header with the reason why a message is a dead letter. */
  static final String REASON = "millrace-reason";

  /** Header with the number of times a message was put off. */
  static final String PUT_OFF = "millrace-later";

  /** Header with the id of the execution that is retried. */
  static final String RETRY_OF = "executionHistoryId";

  /**
   * Upper limit of a body in bytes, more than any message of a task has. Of a longer body the first
   * bytes are kept.
   */
  static final int MAX_LENGTH = 65_536;

  /** Upper limit of a message id in bytes, set by the protocol. */
  static final int MAX_ID = 255;

  private static final String DELIVERIES = "x-delivery-count";

  /**
   * Headers that are not copied: two make the broker send copies to further queues, one is its own
   * count.
   */
  private static final Set<String> NOT_AGAIN = Set.of("CC", "BCC", DELIVERIES);

  private static final int PERSISTENT = 2;
  private static final int MAX_REASON = 1_000;

  private MessageCodec() {}

  static OutgoingMessage of(Outgoing message, RabbitNames rabbitNames) {
    BasicProperties.Builder properties =
        new BasicProperties.Builder()
            .contentType("application/json")
            .contentEncoding("UTF-8")
            .deliveryMode(PERSISTENT)
            .messageId(message.id());
    if (message.retryOf() != null) {
      properties.headers(Map.of(RETRY_OF, message.retryOf()));
    }
    return new OutgoingMessage(
        message.channel(),
        rabbitNames.exchange(),
        message.channel(),
        properties.build(),
        ByteBuffer.wrap(message.body().getBytes(StandardCharsets.UTF_8)));
  }

  /** Returns what is wrong with a message to be sent; null when it can be sent. */
  static @Nullable String fault(Outgoing message, OutgoingMessage outgoingMessage) {
    int half = StorableText.indexOfHalf(message.body());
    if (half >= 0) {
      return "The body of the message has half of a surrogate pair at character "
          + half
          + ", which would arrive as another text. Cut texts between whole characters.";
    }
    for (String text : Arrays.asList(message.id(), message.retryOf())) {
      if (text != null && !StorableText.isStorable(text)) {
        return "The id '"
            + StorableText.repaired(text)
            + "' cannot be sent as it is; expected text "
            + StorableText.EXPECTED
            + ".";
      }
    }
    int length = outgoingMessage.body().remaining();
    if (length > MAX_LENGTH) {
      return tooLong(length) + ".";
    }
    String id = outgoingMessage.properties().getMessageId();
    if (id != null && id.getBytes(StandardCharsets.UTF_8).length > MAX_ID) {
      return "The id '" + id + "' has over " + MAX_ID + " bytes.";
    }
    return null;
  }

  static String tooLong(int length) {
    return String.format(
        Locale.ROOT, "The message has %,d bytes, expected at most %,d", length, MAX_LENGTH);
  }

  /** Returns the message for the dead letters of its channel. */
  static OutgoingMessage dead(
      String channel, RabbitNames rabbitNames, BasicProperties from, byte[] body, String why) {
    int kept = Math.min(body.length, MAX_LENGTH);
    return new OutgoingMessage(
        channel,
        rabbitNames.deadExchange(),
        channel,
        withHeader(from, REASON, shortened(why)),
        ByteBuffer.wrap(body, 0, kept));
  }

  static String shortened(String reason) {
    return start(StorableText.repaired(reason), MAX_REASON);
  }

  /** Returns the first characters of a text; a surrogate pair is not cut in two. */
  static String start(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }

  /**
   * Returns the message for the end of its own queue, addressed so that no other queue of the
   * exchange gets it.
   */
  static OutgoingMessage putOff(
      String channel, RabbitNames rabbitNames, BasicProperties from, byte[] body) {
    BasicProperties properties = withHeader(from, PUT_OFF, timesPutOff(from) + 1);
    return new OutgoingMessage(
        channel, "", rabbitNames.queue(channel), properties, ByteBuffer.wrap(body));
  }

  /** Returns the dead letter as it was first sent. */
  static OutgoingMessage revived(
      String channel, RabbitNames rabbitNames, BasicProperties from, byte[] body) {
    Map<String, Object> headers = new HashMap<>(headers(from));
    headers.keySet().removeIf(name -> name.startsWith("x-") || name.startsWith("millrace-"));
    return new OutgoingMessage(
        channel, "", rabbitNames.queue(channel), again(from, headers), ByteBuffer.wrap(body));
  }

  static int timesPutOff(BasicProperties properties) {
    return number(properties, PUT_OFF);
  }

  /** Returns how often the message came back from a consumer that had not acknowledged it. */
  static int deliveries(BasicProperties properties) {
    return number(properties, DELIVERIES);
  }

  private static int number(BasicProperties properties, String header) {
    return headers(properties).get(header) instanceof Number number
        ? Math.clamp(number.longValue(), 0, Integer.MAX_VALUE)
        : 0;
  }

  private static BasicProperties withHeader(BasicProperties from, String name, Object value) {
    Map<String, Object> headers = new HashMap<>(headers(from));
    headers.put(name, value);
    return again(from, headers);
  }

  /**
   * Returns the properties without those that would send the message to further queues, have it
   * refused, or let it expire.
   */
  private static BasicProperties again(BasicProperties from, Map<String, Object> headers) {
    headers.keySet().removeAll(NOT_AGAIN);
    return from.builder()
        .headers(headers)
        .deliveryMode(PERSISTENT)
        .userId(null)
        .expiration(null)
        .build();
  }

  private static Map<String, Object> headers(BasicProperties properties) {
    return properties.getHeaders() == null ? Map.of() : properties.getHeaders();
  }

  /** Returns the text of a body; empty when it is not UTF-8. */
  static Optional<String> text(byte[] body) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** Returns the reason why a message is a dead letter. */
  static String reason(BasicProperties properties) {
    Object given = headers(properties).get(REASON);
    if (given != null) {
      return given.toString();
    }
    if (headers(properties).get("x-death") instanceof List<?> deaths
        && !deaths.isEmpty()
        && deaths.getFirst() instanceof Map<?, ?> death) {
      return ofBroker(String.valueOf(death.get("reason")));
    }
    return "unknown; it was put here by another program";
  }

  private static String ofBroker(String reason) {
    return switch (reason) {
      case "delivery_limit" ->
          "delivery limit: each consumer that had it ended or failed before it was acknowledged";
      case "rejected" -> "rejected, and the reason could not be written";
      case "expired" -> "it was not taken before it expired";
      case "maxlen" -> "the queue was full";
      default -> reason;
    };
  }
}
