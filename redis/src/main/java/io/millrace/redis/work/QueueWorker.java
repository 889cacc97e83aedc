package io.millrace.redis.work;

import io.millrace.lifecycle.Waiter;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.WorkerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the jobs of a queue one after another. Thread-safe. */
public final class QueueWorker {

  private static final Logger LOG = LoggerFactory.getLogger(QueueWorker.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int MOST_PARENTS = 10_000;
  private static final Duration ROOM = Duration.ofMillis(100);

  private final String id;
  private final Station station;
  private final Protocol protocol;
  private final Step step;
  private final Outcomes outcomes;
  private final ParkedParents parked;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Waiter waiter;
  private final Backoff backoff;
  private volatile @Nullable Held held;
  private volatile boolean hurried;
  private volatile boolean doubtful; // as an answer was lost that may have been a job
  private volatile WorkerStatus status = WorkerStatus.READY;

  /** What is done with each job. */
  @FunctionalInterface
  interface Step {
    /** Throws only what the server is to blame for; it is done again then. */
    Verdict of(String worker, LeasedJob view, Held job);
  }

  QueueWorker(Station station, Step step) {
    this.station = station;
    this.id = station.setting().newId();
    this.protocol = station.protocol();
    this.step = step;
    this.outcomes = new Outcomes(station, id);
    this.parked = new ParkedParents(station, id, outcomes);
    this.waiter = station.setting().runtime().runner().waiter();
    this.backoff = new Backoff(station.setting().runtime().random());
  }

  public String id() {
    return id;
  }

  public WorkerStatus status() {
    return status;
  }

  /** The name of its queue; of a child's with the parent's. */
  public String queue() {
    return station.lane().name();
  }

  /**
   * Begins to take jobs.
   *
   * @throws IllegalStateException unless it is ready
   */
  public void start() {
    go(WorkerStatus.RUNNING);
    LOG.debug("Worker {} of queue {} starts", id, queue());
    station
        .setting()
        .runtime()
        .runner()
        .runOnPlatform("millrace-" + queue() + "-" + id.substring(id.length() - 6), this::live);
  }

  private void live() {
    try {
      loop();
    } finally {
      parked.close();
      go(WorkerStatus.STOPPED);
      ended.countDown();
      LOG.debug("Worker {} of queue {} has stopped", id, queue());
    }
  }

  /** Looks at the status, leases, works, stores the end, and looks at the status again. */
  private void loop() {
    Taken taken = null;
    boolean answered = false;
    while (isRunning()) {
      try {
        Taken next = taken == null ? lease() : taken;
        taken = next == null ? null : step(next);
        answered = true;
        backoff.reset();
      } catch (InterruptedException e) {
        LOG.debug("Worker {} was interrupted; only stop() ends it", id);
      } catch (Throwable fault) {
        taken = null;
        answered = false;
        failed(fault);
        rest();
      }
    }
    if (taken instanceof Taken.Leased unbegun) {
      giveBack(unbegun.entry());
    }
    String lost = answered ? insist(this::lost) : null;
    if (lost != null) {
      giveBack(lost);
    }
  }

  /** A parent that waits costs no thread, but its lock is renewed: there is an end to that. */
  private @Nullable Taken lease() throws InterruptedException {
    while (isRunning() && parked.size() >= MOST_PARENTS) {
      waiter.await(ROOM);
    }
    String lost = lost();
    return lost == null ? protocol.lease(id) : insist(() -> protocol.claim(id, lost, false));
  }

  /** The entry of a job that the worker has locked without knowing, for the answer was lost. */
  private @Nullable String lost() {
    if (!doubtful || station.setting().isStrict()) {
      return null;
    }
    for (Locked one : Locked.of(station.setting().redis(), station.lane())) {
      if (one.owner().equals(id) && !has(one.entry())) {
        LOG.debug("Worker {} has found its job {}, whose lease was not told", id, one.entry());
        return one.entry();
      }
    }
    doubtful = false;
    return null;
  }

  /** What was taken next, or null to ask for it. */
  private @Nullable Taken step(Taken taken) throws InterruptedException {
    switch (taken) {
      case Taken.Leased leased -> {
        station.doorbell().goOn();
        return isRunning() ? work(leased) : leased;
      }
      case Taken.Empty empty -> {
        station.doorbell().goOn();
        return listen();
      }
      case Taken.Paused paused -> station.doorbell().rest(this::isRunning, PAUSE);
      case Taken.Limited limited -> station.doorbell().rest(this::isRunning, limited.rest());
      case Taken.Delayed delayed -> LOG.debug("Jobs of {} come back: limited", queue());
      case Taken.Gone gone -> outcomes.dropped(gone);
      case Taken.Others others -> LOG.debug("Another worker has the job that was heard of");
    }
    return null;
  }

  private @Nullable Taken listen() {
    Doorbell.Heard heard = station.doorbell().await(this::isRunning, station.levels().size() > 1);
    if (heard == null) {
      return null;
    }
    if (!isRunning()) {
      giveBack(heard.entry());
      return null;
    }
    return insist(() -> protocol.claim(id, heard.entry(), isRecent(heard)));
  }

  private boolean isRecent(Doorbell.Heard heard) {
    return station.setting().nanoTime() - heard.askedNanos()
        < station.lane().policy().stallGrace().toNanos();
  }

  private @Nullable Taken work(Taken.Leased leased) {
    Held job = new Held(leased, station.setting().nanoTime());
    held = job;
    try {
      outcomes.begun(leased);
      Verdict verdict = run(job);
      if (verdict instanceof Verdict.Parked parent) {
        parked.keep(job, parent.children());
        return null;
      }
      return job.settle() ? settle(job, verdict) : null;
    } finally {
      held = null;
    }
  }

  private Verdict run(Held job) {
    LeasedJob view = new LeasedJob(station.lane(), job, station.setting().json(), outcomes);
    job.begin(Thread.currentThread()::interrupt);
    Verdict verdict = insist(() -> step.of(id, view, job));
    job.end();
    // Whoever wanted to end the handler has reached that; the worker goes on.
    Thread.interrupted();
    Held.Stop stop = job.stop();
    if (verdict == null) {
      return new Verdict.Nothing(Held.Stop.STOPPED);
    }
    return stop == null
        ? verdict
        : stop == Held.Stop.OVERTIME ? station.verdicts().overtime(job) : new Verdict.Nothing(stop);
  }

  private @Nullable Taken settle(Held job, Verdict verdict) {
    Duration took = Duration.ofNanos(station.setting().nanoTime() - job.begunNanos());
    Taken.Leased leased = job.leased();
    if (verdict instanceof Verdict.Nothing none) {
      if (none.why() == Held.Stop.STOPPED) {
        giveBack(leased.entry());
      }
      outcomes.lost(leased, none);
      return null;
    }
    Ended end = insist(() -> store(leased, verdict));
    if (end == null) {
      return null;
    }
    outcomes.stored(leased, verdict, end, took);
    return end.next();
  }

  private Ended store(Taken.Leased leased, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Done done -> protocol.complete(id, leased, done, isRunning());
      case Verdict.Again again -> protocol.again(id, leased, again, isRunning());
      case Verdict.Failed failed -> protocol.fail(id, leased, failed, isRunning());
      case Verdict.Parked parent ->
          throw new IllegalArgumentException("Nothing to store yet: " + parent);
      case Verdict.Nothing none -> throw new IllegalArgumentException("Nothing to store: " + none);
    };
  }

  /** For jobs whose handler does not return: the worker finds out when it does. */
  void abandon(Held job) {
    if (!job.settle()) {
      return;
    }
    Verdict.Failed failed = station.verdicts().abandoned();
    Duration took = Duration.ofNanos(station.setting().nanoTime() - job.begunNanos());
    try {
      outcomes.stored(job.leased(), failed, protocol.fail(id, job.leased(), failed, false), took);
    } catch (RedisUnavailableException | RedisReplyException e) {
      job.unsettle();
      throw e;
    }
  }

  /** Tries until the server takes it; null when it did not until the process had to end. */
  private <T> @Nullable T insist(Supplier<T> call) {
    while (true) {
      try {
        T answer = call.get();
        backoff.reset();
        return answer;
      } catch (RedisUnavailableException | RedisReplyException e) {
        failed(e);
        if (hurried) {
          return null;
        }
        rest();
      }
    }
  }

  private void failed(Throwable fault) {
    if (fault instanceof RedisUnavailableException) {
      doubtful = true;
    }
    outcomes.fault(fault);
  }

  private void giveBack(String entry) {
    Boolean done = insist(() -> protocol.release(id, entry));
    LOG.debug("Entry {} of queue {} was given back: {}", entry, queue(), done);
  }

  private void rest() {
    try {
      waiter.await(backoff.next());
    } catch (InterruptedException e) {
      LOG.debug("Worker {} was interrupted; only stop() ends it", id);
    }
  }

  /** Takes no further job; returns at once. Does nothing when that was said before. */
  synchronized void askToStop() {
    WorkerStatus now = status;
    if (now == WorkerStatus.STOPPING || now == WorkerStatus.STOPPED) {
      return;
    }
    go(WorkerStatus.STOPPING);
    waiter.wake();
    station.doorbell().stir();
  }

  /**
   * Ends the job in hand, takes no other, and returns when that is done. A wait for jobs ends at
   * once.
   *
   * @throws IllegalStateException if it was never started
   */
  public void stop() throws InterruptedException {
    askToStop();
    ended.await();
  }

  /** The same, and waits no longer than given. */
  boolean awaitEnd(Duration patience) throws InterruptedException {
    return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Interrupts the handler, whose job is given back, and tries nothing more than once. */
  void hurry() {
    hurried = true;
    waiter.wake();
    Held job = held;
    if (job != null) {
      job.stop(Held.Stop.STOPPED, station.setting().nanoTime());
    }
  }

  /** Puts back the job of a handler that does not return: what it answers later does not count. */
  void leaveBehind() {
    Held job = held;
    if (job != null && job.settle()) {
      try {
        giveBack(job.leased().entry());
      } catch (RuntimeException e) {
        outcomes.fault(e);
      }
    }
  }

  /** The jobs in its hands: one that is worked on, and parents that wait. */
  List<Held> jobs() {
    Held job = held;
    List<Held> waiting = parked.jobs();
    if (job == null) {
      return waiting;
    }
    List<Held> all = new ArrayList<>(waiting);
    all.add(job);
    return all;
  }

  /** Whether a job is in its hands. */
  boolean has(String entry) {
    return jobs().stream().anyMatch(job -> job.leased().entry().equals(entry));
  }

  boolean isRunning() {
    return status == WorkerStatus.RUNNING;
  }

  private synchronized void go(WorkerStatus to) {
    if (!status.leadsTo(to)) {
      throw new IllegalStateException(
          "Worker "
              + id
              + " of queue "
              + queue()
              + " is "
              + status
              + ", which does not lead to "
              + to
              + ": a worker is started once and stopped once; make another one");
    }
    status = to;
  }
}
