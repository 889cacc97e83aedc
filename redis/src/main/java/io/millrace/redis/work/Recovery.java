package io.millrace.redis.work;

import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.FlowEvent;
import io.millrace.redis.wire.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts jobs back whose worker died: those that are worked on and have no lock, seen so twice with
 * the queue's grace between. A job that a worker of this process has locked and knows nothing of,
 * for the reply was lost, counts too. Safe beside others of its kind.
 */
final class Recovery implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  private final Setting setting;
  private final List<Station> stations;
  private final Warnings warnings;

  /** When each was first seen without its worker. */
  private final Map<Stray, Long> seen = new HashMap<>();

  /**
   * An entry that nobody works on.
   *
   * @param lane of its level of urgency
   * @param owner the worker of this process that has its lock; empty when nobody has
   */
  private record Stray(Station station, Lane lane, String entry, String owner) {}

  Recovery(Setting setting, List<Station> stations) {
    this.setting = setting;
    this.stations = stations;
    this.warnings = new Warnings(setting.runtime().clock());
  }

  @Override
  public Duration tick() {
    for (Station station : stations) {
      try {
        look(station);
      } catch (RedisUnavailableException | RedisReplyException e) {
        if (warnings.permits()) {
          LOG.warn(
              "Queue {} could not be searched for stalled jobs: {}",
              station.lane().name(),
              e.getMessage());
        }
      }
    }
    return rest();
  }

  private void look(Station station) {
    Set<Stray> strays = new LinkedHashSet<>();
    station.levels().forEach(lane -> look(station, lane, strays));
    seen.keySet().removeIf(known -> known.station() == station && !strays.contains(known));
    long now = setting.nanoTime();
    long grace = station.lane().policy().stallGrace().toNanos();
    for (Stray stray : strays) {
      Long first = seen.putIfAbsent(stray, now);
      if (first != null && now - first >= grace) {
        seen.remove(stray);
        recover(stray);
      }
    }
  }

  private void look(Station station, Lane lane, Set<Stray> strays) {
    for (Locked one : Locked.of(setting.redis(), lane)) {
      if (one.owner().isEmpty() || isForgotten(station, one)) {
        strays.add(new Stray(station, lane, one.entry(), one.owner()));
      }
    }
  }

  /** True when a worker of this process has the lock and does not know it. */
  private static boolean isForgotten(Station station, Locked one) {
    for (QueueWorker worker : station.workers()) {
      if (worker.id().equals(one.owner())) {
        return !worker.has(one.entry());
      }
    }
    return false;
  }

  private void recover(Stray stray) {
    Station station = stray.station();
    Lane lane = stray.lane();
    int limit = lane.policy().stallLimit();
    String message =
        "The worker of queue "
            + lane.name()
            + " died or lost its lock "
            + (limit + 1)
            + " times; the job was not tried again";
    List<String> arguments = new ArrayList<>(lane.arguments(stray.owner()));
    arguments.add(stray.entry());
    arguments.add(Integer.toString(limit));
    arguments.add(Integer.toString(lane.policy().deadLimit()));
    arguments.add(station.failure().queue());
    arguments.addAll(station.failure().fields(message));
    List<?> answer =
        (List<?>) Replies.need(setting.redis().run(Script.RECOVER, lane.keys(), arguments));
    tell(stray, Replies.text(answer.getFirst()), Replies.number(answer.get(1)), message);
  }

  private void tell(Stray stray, String status, long stalls, String message) {
    Station station = stray.station();
    String queue = station.lane().name();
    FlowEvent.Place place = station.place(stray.entry());
    switch (status) {
      case "RECOVERED" -> {
        LOG.warn("Job {} of queue {} had no worker any more and waits again", stray.entry(), queue);
        station.totals().count(Totals.Kind.RECOVERED);
        setting.tell(new FlowEvent.Recovered(place, stalls, false));
      }
      case "PARKED" -> {
        LOG.warn("Job {} of queue {} has failed: {}", stray.entry(), queue, message);
        station.totals().count(Totals.Kind.FAILED);
        station.ended(stray.entry());
        setting.tell(new FlowEvent.Recovered(place, stalls, true));
      }
      case "GONE" -> {
        LOG.warn("Job {} of queue {} is dropped: it is gone", stray.entry(), queue);
        station.totals().count(Totals.Kind.EXPIRED);
      }
      case "ENDED" -> LOG.info("Job {} of queue {} had ended already", stray.entry(), queue);
      default -> LOG.debug("Job {} of queue {} has a worker: {}", stray.entry(), queue, status);
    }
  }

  /** A third of the shortest grace, a little irregular so that processes do not go in step. */
  private Duration rest() {
    Duration rest = LONGEST;
    for (Station station : stations) {
      Duration third = station.lane().policy().stallGrace().dividedBy(3);
      rest = third.compareTo(rest) < 0 ? third : rest;
    }
    rest = rest.compareTo(SHORTEST) < 0 ? SHORTEST : rest;
    return rest.plusMillis(setting.runtime().random().nextLong(1 + rest.toMillis() / 10));
  }
}
