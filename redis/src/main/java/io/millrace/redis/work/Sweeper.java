package io.millrace.redis.work;

import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.wire.Script;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the jobs that are due to those that wait. Every process sweeps the queues that it works on;
 * since the script moves what it has removed itself, none is moved twice. Thread-safe.
 */
final class Sweeper implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  /** Another process may have delayed a job that this one does not know of. */
  private static final Duration LONGEST_REST = Duration.ofSeconds(1);

  private static final int BATCH = 500;

  private final Redis redis;
  private final List<Station> stations;
  private final Warnings warnings;

  Sweeper(Setting setting, List<Station> stations) {
    this.redis = setting.redis();
    this.stations = stations;
    this.warnings = new Warnings(setting.runtime().clock());
  }

  /** Answers the time until the next job is due. */
  @Override
  public Duration tick() {
    Duration rest = LONGEST_REST;
    for (Station station : stations) {
      for (Lane lane : station.levels()) {
        Duration next = sweep(station, lane);
        rest = next.compareTo(rest) < 0 ? next : rest;
      }
    }
    return rest;
  }

  private Duration sweep(Station station, Lane lane) {
    try {
      List<?> answer =
          (List<?>) Replies.need(redis.run(Script.PROMOTE, keys(lane), arguments(lane)));
      long moved = Replies.number(answer.get(0));
      long next = Replies.number(answer.get(1));
      station.totals().add(Totals.Kind.EXPIRED, Replies.number(answer.get(2)));
      if (moved > 0) {
        LOG.debug("{} delayed jobs of queue {} were due", moved, lane.name());
      }
      return next < 0 ? LONGEST_REST : Duration.ofMillis(next);
    } catch (RedisUnavailableException | RedisReplyException e) {
      if (warnings.permits()) {
        LOG.warn(
            "The delayed jobs of queue {} are looked at later: {}", lane.name(), e.getMessage());
      }
      return LONGEST_REST;
    }
  }

  private static List<String> keys(Lane lane) {
    return List.of(lane.delayed(), lane.waiting());
  }

  private static List<String> arguments(Lane lane) {
    List<String> keys = lane.keys();
    return List.of(keys.get(2), keys.get(4), keys.get(5), Integer.toString(BATCH));
  }
}
