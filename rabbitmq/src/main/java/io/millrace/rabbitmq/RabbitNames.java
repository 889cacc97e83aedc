package io.millrace.rabbitmq;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of a channel's exchange and queues at the broker. Thread-safe. */
final class RabbitNames {

  private static final String DEAD = ".dead";
  private static final int MAX_LENGTH = 200;
  private static final Pattern WILDCARD = Pattern.compile("[*#\\s\\p{Cntrl}]");

  private final String exchange;
  private final Map<String, String> channels = new ConcurrentHashMap<>();

  RabbitNames(String exchange) {
    this.exchange = exchange;
  }

  String exchange() {
    return exchange;
  }

  String deadExchange() {
    return exchange + DEAD;
  }

  /**
   * Returns the queue of a channel.
   *
   * @throws InvalidRequestException when there can be none, or another channel of this node has it
   */
  String queue(String channel) {
    String queue = shown(channel);
    check(channel, queue, channels.putIfAbsent(queue, channel));
    return queue;
  }

  /**
   * Returns the queue of a channel for a query. The name may come from any user, so it does not
   * keep another channel from having the queue.
   *
   * @throws InvalidRequestException as {@link #queue} does
   */
  String shown(String channel) {
    requirePresent(channel, "The name of a channel");
    if (channel.isBlank()
        || channel.getBytes(StandardCharsets.UTF_8).length > MAX_LENGTH
        || channel.startsWith("amq.")
        || WILDCARD.matcher(channel).find()
        || !StorableText.isStorable(channel)) {
      throw new InvalidRequestException(
          "The channel '"
              + StorableText.repaired(channel)
              + "' cannot be a routing key of RabbitMQ; expected 1 to "
              + MAX_LENGTH
              + " bytes without spaces, '*' and '#', "
              + StorableText.EXPECTED
              + ", and not 'amq.' at the beginning.");
    }
    String queue = channel.replace('.', '_');
    check(channel, queue, channels.get(queue));
    return queue;
  }

  private static void check(String channel, String queue, @Nullable String owner) {
    if (owner != null && !owner.equals(channel)) {
      throw new InvalidRequestException(
          "The channels '"
              + owner
              + "' and '"
              + channel
              + "' would share the queue '"
              + queue
              + "', since '.' becomes '_'; rename one of them.");
    }
  }

  String deadQueue(String channel) {
    return queue(channel) + DEAD;
  }

  /** Returns the dead-letter queue of a channel for a query, as {@link #shown} does. */
  String shownDead(String channel) {
    return shown(channel) + DEAD;
  }
}
