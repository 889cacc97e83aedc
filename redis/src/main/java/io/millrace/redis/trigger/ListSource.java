package io.millrace.redis.trigger;

import io.millrace.continuous.Poll;
import io.millrace.continuous.Trigger;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.OwnKeys;
import io.millrace.redis.wire.Script;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The elements of one list for one workflow, one at a time. */
final class ListSource implements Trigger.Source {

  private static final Logger LOG = LoggerFactory.getLogger(RedisTriggers.class);

  /** As with messages of RabbitMQ: what an execution gets as its input must not be endless. */
  static final int LONGEST = 65_536;

  private final Redis redis;
  private final String list;
  private final String taken;
  private final String tooLong;
  private final Duration poll;

  ListSource(Redis redis, String workflow, String list, Duration poll) {
    this.redis = redis;
    this.list = list;
    this.taken = OwnKeys.taken(workflow);
    this.tooLong = OwnKeys.tooLong(workflow);
    this.poll = poll;
  }

  @Override
  public Poll poll() {
    Object reply =
        redis.run(Script.TAKE_ELEMENT, List.of(list, taken, tooLong), List.of("" + LONGEST));
    if (!(reply instanceof List<?> answer)) {
      return Poll.rest(poll);
    }
    if (answer.isEmpty()) {
      LOG.warn(
          "An element of the list '{}' is longer than {} bytes; it stands in '{}' now",
          list,
          LONGEST,
          tooLong);
      return Poll.rest(Duration.ZERO);
    }
    RedisTriggers.Element element =
        new RedisTriggers.Element(
            String.valueOf(answer.getFirst()), String.valueOf(answer.getLast()));
    return new Poll.Event(element, element.id(), null, () -> accepted(element));
  }

  private void accepted(RedisTriggers.Element element) {
    redis.run(Script.DROP_ELEMENT, List.of(taken), List.of(element.id()));
  }
}
