package io.millrace.redis.work;

import io.millrace.lifecycle.Waiter;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parents that a worker has leased and that wait for their children: each is a job in the
 * worker's hands, with a lock that is renewed, and has no thread. Thread-safe.
 */
final class ParkedParents {

  private static final Logger LOG = LoggerFactory.getLogger(ParkedParents.class);

  private final Station station;
  private final String worker;
  private final Outcomes outcomes;
  private final Map<String, Parent> parents = new ConcurrentHashMap<>();

  /** Those whose end is being stored: their locks are renewed until it is. */
  private final Map<String, Held> ending = new ConcurrentHashMap<>();

  private volatile boolean closed;

  ParkedParents(Station station, String worker, Outcomes outcomes) {
    this.station = station;
    this.worker = worker;
    this.outcomes = outcomes;
  }

  /** Whoever removes it from the map decides what becomes of it. */
  private static final class Parent {
    private final Held job;
    private volatile @Nullable Runnable wait;

    Parent(Held job) {
      this.job = job;
    }

    String entry() {
      return job.leased().entry();
    }
  }

  /** Keeps a job until its children have ended, its lock is lost, or the worker stops. */
  void keep(Held job, List<String> children) {
    Parent parent = new Parent(job);
    parents.put(parent.entry(), parent);
    parent.wait = station.brood().await(children, () -> end(parent, () -> done(children)));
    job.begin(() -> stopped(parent));
    if (parents.get(parent.entry()) != parent) {
      forget(parent);
      job.end();
    }
  }

  int size() {
    return parents.size();
  }

  List<Held> jobs() {
    return Stream.concat(
            parents.values().stream().map(parent -> parent.job), ending.values().stream())
        .toList();
  }

  private void stopped(Parent parent) {
    if (parent.job.stop() == Held.Stop.OVERTIME) {
      end(parent, () -> station.verdicts().overtime(parent.job));
    } else if (take(parent)) {
      outcomes.lost(parent.job.leased(), new Verdict.Nothing(Held.Stop.LOST));
    }
  }

  private boolean take(Parent parent) {
    boolean mine = parents.remove(parent.entry(), parent);
    if (mine) {
      forget(parent);
    }
    return mine;
  }

  private static void forget(Parent parent) {
    Runnable wait = parent.wait;
    if (wait != null) {
      wait.run();
    }
  }

  /** The thread that found the end has other things to do. */
  private void end(Parent parent, Supplier<Verdict> verdict) {
    if (take(parent)) {
      ending.put(parent.entry(), parent.job);
      parent.job.end();
      station
          .setting()
          .runtime()
          .runner()
          .runOnPool("millrace-parent-" + parent.entry(), () -> settle(parent, verdict));
    }
  }

  private void settle(Parent parent, Supplier<Verdict> verdict) {
    try {
      store(parent.job, verdict);
    } finally {
      ending.remove(parent.entry(), parent.job);
    }
  }

  private void store(Held job, Supplier<Verdict> supplier) {
    Taken.Leased leased = job.leased();
    Backoff backoff = new Backoff(station.setting().runtime().random());
    Waiter waiter = station.setting().runtime().runner().waiter();
    do {
      try {
        Verdict verdict = supplier.get();
        Ended end =
            verdict instanceof Verdict.Done done
                ? station.protocol().complete(worker, leased, done, false)
                : fail(leased, verdict);
        Duration took = Duration.ofNanos(station.setting().nanoTime() - job.begunNanos());
        outcomes.stored(leased, verdict, end, took);
        return;
      } catch (RedisUnavailableException | RedisReplyException e) {
        outcomes.fault(e);
        rest(waiter, backoff.next());
      }
    } while (!closed);
  }

  private Verdict done(List<String> children) {
    return station.verdicts().completed(Results.of(station.setting(), station.lane(), children));
  }

  private Ended fail(Taken.Leased leased, Verdict verdict) {
    return verdict instanceof Verdict.Again again
        ? station.protocol().again(worker, leased, again, false)
        : station.protocol().fail(worker, leased, (Verdict.Failed) verdict, false);
  }

  private static void rest(Waiter waiter, Duration time) {
    try {
      waiter.await(time);
    } catch (InterruptedException e) {
      LOG.debug("The end of a parent's wait is stored; only the end of the process ends that");
    }
  }

  /** Gives all back, for other processes to wait in its place. */
  void close() {
    closed = true;
    for (Parent parent : parents.values()) {
      if (take(parent)) {
        try {
          station.protocol().release(worker, parent.entry());
        } catch (RedisUnavailableException | RedisReplyException e) {
          outcomes.fault(e);
        }
      }
    }
  }
}
