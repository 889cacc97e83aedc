package io.millrace.redis.trigger;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import java.time.Duration;

/**
 * Lists whose elements start executions. Programs append to them with {@code RPUSH}; the element at
 * the head comes first. All triggers share a connection, which is restored whenever it is lost.
 * Thread-safe.
 *
 * <p>An element that is removed from the list is kept under the workflow's name until its execution
 * is durable, so that none is lost when a node dies, and none starts two executions. An element
 * that is not UTF-8 or longer than 65,536 bytes is moved to the list {@code
 * millrace:trigger:<workflow>:rejected}.
 */
public final class RedisTriggers implements AutoCloseable {

  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration MAX_POLL = Duration.ofHours(1);

  /**
   * The event of an element.
   *
   * @param id when it was removed from the list: microseconds since 1970 by the clock of the server
   * @param text the element
   */
  public record Element(String id, String text) {}

  private final Redis redis;

  private RedisTriggers(Redis redis) {
    this.redis = redis;
  }

  /** Creates triggers, which connect at the first use. */
  public static RedisTriggers open(RedisSettings settings) {
    return new RedisTriggers(
        RedisConnections.open(
            requirePresent(settings, "The settings of Redis"), EngineRuntime.system()));
  }

  /**
   * Returns a trigger for the elements of a list, which is polled each second while it is empty.
   */
  public Trigger list(String key) {
    return list(key, POLL);
  }

  /**
   * Returns a trigger for the elements of a list.
   *
   * @param poll the interval at which an empty list is polled; more than zero, at most an hour
   */
  public Trigger list(String key, Duration poll) {
    if (requirePresent(key, "The key of the list").isBlank()) {
      throw new InvalidRequestException(
          "The key of the list is blank; expected its name in Redis.");
    }
    if (!requirePresent(poll, "poll").isPositive() || poll.compareTo(MAX_POLL) > 0) {
      throw new InvalidRequestException(
          "The list '"
              + key
              + "' cannot be looked at every "
              + poll
              + "; expected more than nothing, at most "
              + MAX_POLL
              + ".");
    }
    return new ListTrigger(key, poll);
  }

  private final class ListTrigger implements Trigger {
    private final String key;
    private final Duration poll;

    ListTrigger(String key, Duration poll) {
      this.key = key;
      this.poll = poll;
    }

    @Override
    public String describe() {
      return "elements of the Redis list " + key;
    }

    @Override
    public Source open(TriggerContext scope) {
      return new RedisListSource(redis, scope.name(), key, poll);
    }
  }

  /** Closes the connection. Call it after the engine is closed. */
  @Override
  public void close() {
    redis.close();
  }
}
