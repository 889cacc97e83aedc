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
  private static final int MAX_PARENTS = 10_000;
  private static final Duration ROOM = Duration.ofMillis(100);

  private final String id;
  private final QueueRuntime queueRuntime;
  private final QueueProtocol queueProtocol;
  private final JobProcessor jobProcessor;
  private final JobOutcomeReporter jobOutcomeReporter;
  private final LeasedParents parked;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Waiter waiter;
  private final WorkerBackoff workerBackoff;
  private volatile @Nullable RunningJob runningJob;
  private volatile boolean hurried;
  private volatile boolean doubtful; // as an answer was lost that may have been a job
  private volatile WorkerStatus status = WorkerStatus.READY;

  /** What is done with each job. */
  @FunctionalInterface
  interface JobProcessor {
    /** Throws only what the server is to blame for; it is done again then. */
    JobOutcome of(String worker, LeasedJob view, RunningJob job);
  }

  QueueWorker(QueueRuntime queueRuntime, JobProcessor jobProcessor) {
    this.queueRuntime = queueRuntime;
    this.id = queueRuntime.setting().newId();
    this.queueProtocol = queueRuntime.protocol();
    this.jobProcessor = jobProcessor;
    this.jobOutcomeReporter = new JobOutcomeReporter(queueRuntime, id);
    this.parked = new LeasedParents(queueRuntime, id, jobOutcomeReporter);
    this.waiter = queueRuntime.setting().runtime().runner().waiter();
    this.workerBackoff = new WorkerBackoff(queueRuntime.setting().runtime().random());
  }

  public String id() {
    return id;
  }

  public WorkerStatus status() {
    return status;
  }

  /** The name of its queue; of a child's with the parent's. */
  public String queue() {
    return queueRuntime.queueKeys().name();
  }

  /**
   * Begins to take jobs.
   *
   * @throws IllegalStateException unless it is ready
   */
  public void start() {
    go(WorkerStatus.RUNNING);
    LOG.debug("Worker {} of queue {} starts", id, queue());
    queueRuntime
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
    LeaseResult leaseResult = null;
    boolean answered = false;
    while (isRunning()) {
      try {
        LeaseResult next = leaseResult == null ? lease() : leaseResult;
        leaseResult = next == null ? null : step(next);
        answered = true;
        workerBackoff.reset();
      } catch (InterruptedException e) {
        LOG.debug("Worker {} was interrupted; only stop() ends it", id);
      } catch (Throwable fault) {
        leaseResult = null;
        answered = false;
        failed(fault);
        rest();
      }
    }
    if (leaseResult instanceof LeaseResult.Leased unbegun) {
      giveBack(unbegun.entry());
    }
    String lost = answered ? insist(this::lost) : null;
    if (lost != null) {
      giveBack(lost);
    }
  }

  /** A parent that waits costs no thread, but its lock is renewed: there is an end to that. */
  private @Nullable LeaseResult lease() throws InterruptedException {
    while (isRunning() && parked.size() >= MAX_PARENTS) {
      waiter.await(ROOM);
    }
    String lost = lost();
    return lost == null
        ? queueProtocol.lease(id)
        : insist(() -> queueProtocol.claim(id, lost, false));
  }

  /** The entry of a job that the worker has locked without knowing, for the answer was lost. */
  private @Nullable String lost() {
    if (!doubtful || queueRuntime.setting().isStrict()) {
      return null;
    }
    for (ProcessingEntry one :
        ProcessingEntry.of(queueRuntime.setting().redis(), queueRuntime.queueKeys())) {
      if (one.owner().equals(id) && !has(one.entry())) {
        LOG.debug("Worker {} has found its job {}, whose lease was not told", id, one.entry());
        return one.entry();
      }
    }
    doubtful = false;
    return null;
  }

  /** What was taken next, or null to ask for it. */
  private @Nullable LeaseResult step(LeaseResult leaseResult) throws InterruptedException {
    switch (leaseResult) {
      case LeaseResult.Leased leased -> {
        queueRuntime.idleWorkers().endRest();
        return isRunning() ? work(leased) : leased;
      }
      case LeaseResult.Empty empty -> {
        queueRuntime.idleWorkers().endRest();
        return listen();
      }
      case LeaseResult.Paused paused -> queueRuntime.idleWorkers().rest(this::isRunning, PAUSE);
      case LeaseResult.RateLimited rateLimited ->
          queueRuntime.idleWorkers().rest(this::isRunning, rateLimited.rest());
      case LeaseResult.Delayed delayed -> LOG.debug("Jobs of {} come back: limited", queue());
      case LeaseResult.Gone gone -> jobOutcomeReporter.dropped(gone);
      case LeaseResult.TakenByOther takenByOther ->
          LOG.debug("Another worker has the job that was heard of");
    }
    return null;
  }

  private @Nullable LeaseResult listen() {
    IdleWorkers.ReceivedEntry receivedEntry =
        queueRuntime.idleWorkers().await(this::isRunning, queueRuntime.levels().size() > 1);
    if (receivedEntry == null) {
      return null;
    }
    if (!isRunning()) {
      giveBack(receivedEntry.entry());
      return null;
    }
    return insist(() -> queueProtocol.claim(id, receivedEntry.entry(), isRecent(receivedEntry)));
  }

  private boolean isRecent(IdleWorkers.ReceivedEntry receivedEntry) {
    return queueRuntime.setting().nanoTime() - receivedEntry.waitStartNanos()
        < queueRuntime.queueKeys().policy().stallGrace().toNanos();
  }

  private @Nullable LeaseResult work(LeaseResult.Leased leased) {
    RunningJob job = new RunningJob(leased, queueRuntime.setting().nanoTime());
    runningJob = job;
    try {
      jobOutcomeReporter.jobStarted(leased);
      JobOutcome jobOutcome = run(job);
      if (jobOutcome instanceof JobOutcome.AwaitChildren parent) {
        parked.keep(job, parent.children());
        return null;
      }
      return job.claimCompletion() ? settle(job, jobOutcome) : null;
    } finally {
      runningJob = null;
    }
  }

  private JobOutcome run(RunningJob job) {
    LeasedJob view =
        new LeasedJob(
            queueRuntime.queueKeys(), job, queueRuntime.setting().json(), jobOutcomeReporter);
    job.handlerStarted(Thread.currentThread()::interrupt);
    JobOutcome jobOutcome = insist(() -> jobProcessor.of(id, view, job));
    job.handlerReturned();
    // Whoever wanted to end the handler has reached that; the worker goes on.
    Thread.interrupted();
    RunningJob.StopCause stopCause = job.stop();
    if (jobOutcome == null) {
      return new JobOutcome.Discarded(RunningJob.StopCause.STOPPED);
    }
    return stopCause == null
        ? jobOutcome
        : stopCause == RunningJob.StopCause.TIMEOUT
            ? queueRuntime.jobOutcomeMapper().overtime(job)
            : new JobOutcome.Discarded(stopCause);
  }

  private @Nullable LeaseResult settle(RunningJob job, JobOutcome jobOutcome) {
    Duration took = Duration.ofNanos(queueRuntime.setting().nanoTime() - job.startNanos());
    LeaseResult.Leased leased = job.leased();
    if (jobOutcome instanceof JobOutcome.Discarded none) {
      if (none.why() == RunningJob.StopCause.STOPPED) {
        giveBack(leased.entry());
      }
      jobOutcomeReporter.lost(leased, none);
      return null;
    }
    CompletionResult end = insist(() -> store(leased, jobOutcome));
    if (end == null) {
      return null;
    }
    jobOutcomeReporter.stored(leased, jobOutcome, end, took);
    return end.next();
  }

  private CompletionResult store(LeaseResult.Leased leased, JobOutcome jobOutcome) {
    return switch (jobOutcome) {
      case JobOutcome.Completed completed ->
          queueProtocol.complete(id, leased, completed, isRunning());
      case JobOutcome.Retry retry -> queueProtocol.retry(id, leased, retry, isRunning());
      case JobOutcome.Failed failed -> queueProtocol.fail(id, leased, failed, isRunning());
      case JobOutcome.AwaitChildren parent ->
          throw new IllegalArgumentException("Nothing to store yet: " + parent);
      case JobOutcome.Discarded none ->
          throw new IllegalArgumentException("Nothing to store: " + none);
    };
  }

  /** For jobs whose handler does not return: the worker finds out when it does. */
  void failUnresponsive(RunningJob job) {
    if (!job.claimCompletion()) {
      return;
    }
    JobOutcome.Failed failed = queueRuntime.jobOutcomeMapper().abandoned();
    Duration took = Duration.ofNanos(queueRuntime.setting().nanoTime() - job.startNanos());
    try {
      jobOutcomeReporter.stored(
          job.leased(), failed, queueProtocol.fail(id, job.leased(), failed, false), took);
    } catch (RedisUnavailableException | RedisReplyException e) {
      job.releaseCompletion();
      throw e;
    }
  }

  /** Tries until the server takes it; null when it did not until the process had to end. */
  private <T> @Nullable T insist(Supplier<T> call) {
    while (true) {
      try {
        T answer = call.get();
        workerBackoff.reset();
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
    jobOutcomeReporter.fault(fault);
  }

  private void giveBack(String entry) {
    Boolean done = insist(() -> queueProtocol.release(id, entry));
    LOG.debug("Entry {} of queue {} was given back: {}", entry, queue(), done);
  }

  private void rest() {
    try {
      waiter.await(workerBackoff.next());
    } catch (InterruptedException e) {
      LOG.debug("Worker {} was interrupted; only stop() ends it", id);
    }
  }

  /** Takes no further job; returns at once. Does nothing when that was said before. */
  synchronized void requestStop() {
    WorkerStatus now = status;
    if (now == WorkerStatus.STOPPING || now == WorkerStatus.STOPPED) {
      return;
    }
    go(WorkerStatus.STOPPING);
    waiter.wake();
    queueRuntime.idleWorkers().interruptAll();
  }

  /**
   * Ends the job in hand, takes no other, and returns when that is done. A wait for jobs ends at
   * once.
   *
   * @throws IllegalStateException if it was never started
   */
  public void stop() throws InterruptedException {
    requestStop();
    ended.await();
  }

  /** The same, and waits no longer than given. */
  boolean awaitEnd(Duration patience) throws InterruptedException {
    return ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Interrupts the handler, whose job is given back, and tries nothing more than once. */
  void interruptHandler() {
    hurried = true;
    waiter.wake();
    RunningJob job = runningJob;
    if (job != null) {
      job.stop(RunningJob.StopCause.STOPPED, queueRuntime.setting().nanoTime());
    }
  }

  /** Puts back the job of a handler that does not return: what it answers later does not count. */
  void releaseUnfinishedJob() {
    RunningJob job = runningJob;
    if (job != null && job.claimCompletion()) {
      try {
        giveBack(job.leased().entry());
      } catch (RuntimeException e) {
        jobOutcomeReporter.fault(e);
      }
    }
  }

  /** The jobs in its hands: one that is worked on, and parents that wait. */
  List<RunningJob> jobs() {
    RunningJob job = runningJob;
    List<RunningJob> waiting = parked.jobs();
    if (job == null) {
      return waiting;
    }
    List<RunningJob> all = new ArrayList<>(waiting);
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
