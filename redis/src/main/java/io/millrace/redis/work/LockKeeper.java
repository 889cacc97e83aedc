package io.millrace.redis.work;

import io.millrace.lifecycle.Loop;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.wire.Script;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the locks of all jobs in the hands of this process after a third of their time, and ends
 * handlers that have lost theirs, or run too long. In strict mode it renews none.
 */
final class LockKeeper implements Loop.Work {

  private static final Logger LOG = LoggerFactory.getLogger(LockKeeper.class);
  private static final int AT_ONCE = 500;
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration AFTER_FAULT = Duration.ofMillis(250);

  /** How long a handler may take to return once it was interrupted. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Setting setting;
  private final List<Station> stations;
  private final Warnings warnings;

  LockKeeper(Setting setting, List<Station> stations) {
    this.setting = setting;
    this.stations = stations;
    this.warnings = new Warnings(setting.runtime().clock());
  }

  private record Due(Station station, QueueWorker worker, Held job) {}

  @Override
  public Duration tick() {
    try {
      List<Due> due = new ArrayList<>();
      // What would be due before the next round is done now.
      long early = rest().toNanos() / 2;
      for (Station station : stations) {
        for (QueueWorker worker : station.workers()) {
          for (Held job : worker.jobs()) {
            guard(station, worker, job);
            if (!setting.isStrict() && isDue(station, job, early)) {
              due.add(new Due(station, worker, job));
            }
          }
        }
      }
      for (int from = 0; from < due.size(); from += AT_ONCE) {
        extend(due.subList(from, Math.min(due.size(), from + AT_ONCE)));
      }
      return rest();
    } catch (RedisUnavailableException | RedisReplyException e) {
      if (warnings.permits()) {
        LOG.warn("Locks could not be renewed, trying on: {}", e.getMessage());
      }
      return AFTER_FAULT;
    }
  }

  private boolean isDue(Station station, Held job, long early) {
    long third = station.lane().queue().lockTime().toNanos() / 3;
    return setting.nanoTime() - job.extendedNanos() >= third - early;
  }

  private void extend(List<Due> due) {
    long now = setting.nanoTime();
    List<String> keys = new ArrayList<>(3 * due.size());
    List<String> arguments = new ArrayList<>(3 * due.size());
    for (Due one : due) {
      Lane lane = one.station().lane();
      String entry = one.job().leased().entry();
      keys.addAll(List.of(lane.lock(entry), lane.job(entry), lane.meta(entry)));
      arguments.add(one.worker().id());
      arguments.add(Long.toString(lane.lockSeconds()));
      arguments.add(Long.toString(lane.targets().secondsToLive()));
    }
    List<?> answers = (List<?>) Replies.need(setting.redis().run(Script.EXTEND, keys, arguments));
    for (int i = 0; i < due.size(); i++) {
      Held job = due.get(i).job();
      if (Replies.number(answers.get(i)) == 1) {
        job.extended(now);
      } else if (job.stop(Held.Stop.LOST, now)) {
        // A job whose handler has returned has no lock to lose: that is not told here.
        LOG.debug("The lock of {} was lost", keys.get(3 * i));
      }
    }
  }

  private void guard(Station station, QueueWorker worker, Held job) {
    Duration limit = station.lane().maxRun(setting.isStrict());
    if (limit == null) {
      return;
    }
    long now = setting.nanoTime();
    if (job.stop() == null && now - job.begunNanos() >= limit.toNanos()) {
      job.stop(Held.Stop.OVERTIME, now);
    } else if (job.stop() == Held.Stop.OVERTIME
        && job.isRunning()
        && now - job.stoppedNanos() >= PATIENCE.toNanos()) {
      worker.abandon(job);
    }
  }

  /** So often that nothing is late by more than a part of its own time. */
  private Duration rest() {
    Duration rest = LONGEST;
    for (Station station : stations) {
      rest = shorter(rest, station.lane().queue().lockTime().dividedBy(6));
      Duration limit = station.lane().maxRun(setting.isStrict());
      rest = limit == null ? rest : shorter(rest, limit.dividedBy(8));
    }
    return rest.compareTo(SHORTEST) < 0 ? SHORTEST : rest;
  }

  private static Duration shorter(Duration one, Duration other) {
    return other.compareTo(one) < 0 ? other : one;
  }
}
