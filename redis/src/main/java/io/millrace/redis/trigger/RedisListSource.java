package io.millrace.redis.trigger;

import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A source of the elements of one list for one workflow, one at a time. */
final class RedisListSource implements Trigger.Source {

  private static final Logger LOG = LoggerFactory.getLogger(RedisTriggers.class);

  /**
   * Upper limit of an element in bytes, as for messages of RabbitMQ, because it becomes the input
   * of an execution.
   */
  static final int MAX_LENGTH = 65_536;

  private final Redis redis;
  private final String list;
  private final String taken;
  private final String rejected;
  private final Duration poll;

  RedisListSource(Redis redis, String workflow, String list, Duration poll) {
    this.redis = redis;
    this.list = list;
    this.taken = MillraceKeys.taken(workflow);
    this.rejected = MillraceKeys.rejected(workflow);
    this.poll = poll;
  }

  @Override
  public PollResult poll() {
    Object reply =
        redis.run(LuaScript.TAKE_ELEMENT, List.of(list, taken, rejected), List.of("" + MAX_LENGTH));
    if (!(reply instanceof List<?> answer)) {
      return PollResult.waitFor(poll);
    }
    if (answer.size() == 1) {
      LOG.warn(
          "Moved an element of the list '{}' to '{}', since it is {}",
          list,
          rejected,
          answer.getFirst());
      return PollResult.waitFor(Duration.ZERO);
    }
    RedisTriggers.Element element =
        new RedisTriggers.Element(
            String.valueOf(answer.getFirst()), String.valueOf(answer.getLast()));
    return new PollResult.Event(element, element.id(), null, () -> accepted(element));
  }

  private void accepted(RedisTriggers.Element element) {
    redis.run(LuaScript.DROP_ELEMENT, List.of(taken), List.of(element.id()));
  }
}
