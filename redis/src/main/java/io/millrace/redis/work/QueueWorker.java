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

/** A worker that processes the jobs of a queue one after another. Thread-safe. */
public final class QueueWorker {

  private static final Logger LOG = LoggerFactory.getLogger(QueueWorker.class);

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int MAX_PARENTS = 10_000;
  private static final Duration ROOM = Duration.ofMillis(100);

  private final String id;
  private final QueueRuntime queueRuntime;
  private final QueueProtocol queueProtocol;
  private final JobProcessor jobProcessor;
  private final JobOutcomeReporter reporter;
  private final WaitingParents waitingParents;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Waiter waiter;
  private final WorkerBackoff workerBackoff;
  private volatile @Nullable LeasedJob jobInProcess;

  /** True if the process ends, and does not wait for the server any longer. */
  private volatile boolean retriesStopped;

  /** True after a reply was lost that may have been a job. */
  private volatile boolean maybeUnknownLease;

  private volatile WorkerStatus status = WorkerStatus.READY;

  /** Processing of a job. */
  @FunctionalInterface
  interface JobProcessor {
    /**
     * Processes a job. If it throws a failure of the server, it is called again for the same job,
     * so an implementation that must not be repeated returns an outcome instead.
     */
    JobOutcome process(String worker, LeasedJob job);
  }

  QueueWorker(QueueRuntime queueRuntime, JobProcessor jobProcessor) {
    this.queueRuntime = queueRuntime;
    this.id = queueRuntime.context().newId();
    this.queueProtocol = queueRuntime.protocol();
    this.jobProcessor = jobProcessor;
    this.reporter = new JobOutcomeReporter(queueRuntime, id);
    this.waitingParents = new WaitingParents(queueRuntime, id, reporter);
    this.waiter = queueRuntime.context().runtime().runner().waiter();
    this.workerBackoff = new WorkerBackoff(queueRuntime.context().runtime().random());
  }

  public String id() {
    return id;
  }

  public WorkerStatus status() {
    return status;
  }

  /** Returns the name of its queue; that of a child queue begins with its parent's. */
  public String queue() {
    return queueRuntime.queueKeys().name();
  }

  /**
   * Starts to process jobs.
   *
   * @throws IllegalStateException unless it is ready
   */
  public void start() {
    go(WorkerStatus.RUNNING);
    LOG.debug("Worker {} of queue {} starts", id, queue());
    queueRuntime
        .context()
        .runtime()
        .runner()
        .runOnPlatform("millrace-" + queue() + "-" + id.substring(id.length() - 6), this::live);
  }

  private void live() {
    try {
      loop();
    } finally {
      waitingParents.close();
      go(WorkerStatus.STOPPED);
      stopped.countDown();
      LOG.debug("Worker {} of queue {} has stopped", id, queue());
    }
  }

  /** Repeats while the worker runs: lease a job, process it, store its outcome. */
  private void loop() {
    LeaseResult leaseResult = null;
    boolean serverResponds = false;
    while (isRunning()) {
      try {
        LeaseResult next = leaseResult == null ? lease() : leaseResult;
        leaseResult = next == null ? null : handle(next);
        serverResponds = true;
        workerBackoff.reset();
      } catch (InterruptedException e) {
        LOG.debug("Worker {} was interrupted; only stop() ends it", id);
      } catch (Throwable fault) {
        leaseResult = null;
        serverResponds = false;
        reportFault(fault);
        backOff();
      }
    }
    if (leaseResult instanceof LeaseResult.Leased notStarted) {
      release(notStarted.id());
    }
    // Without the server this would only delay the stop; the recovery of stalled jobs finds the
    // job.
    String unknown = serverResponds ? retryUntilAccepted(this::unknownLease) : null;
    if (unknown != null) {
      release(unknown);
    }
  }

  /**
   * Leases a job, once there is room for it. Waiting parents need no thread, but their locks are
   * renewed, so their number is limited.
   */
  private @Nullable LeaseResult lease() throws InterruptedException {
    while (isRunning() && waitingParents.size() >= MAX_PARENTS) {
      waiter.await(ROOM);
    }
    String unknown = unknownLease();
    return unknown == null
        ? queueProtocol.lease(id)
        : retryUntilAccepted(() -> queueProtocol.leaseMoved(id, unknown, false));
  }

  /**
   * Returns the id of a job that the worker has leased without knowing it, because the reply was
   * lost.
   */
  private @Nullable String unknownLease() {
    if (!maybeUnknownLease) {
      return null;
    }
    for (ProcessingEntry one :
        ProcessingEntry.of(queueRuntime.context().redis(), queueRuntime.queueKeys())) {
      if (one.owner().equals(id) && !has(one.id())) {
        LOG.debug("Worker {} has found its job {}, whose lease it did not know", id, one.id());
        return one.id();
      }
    }
    maybeUnknownLease = false;
    return null;
  }

  /** Handles the result of a lease; returns the next result, or null if a new lease is needed. */
  private @Nullable LeaseResult handle(LeaseResult leaseResult) throws InterruptedException {
    switch (leaseResult) {
      case LeaseResult.Leased leased -> {
        queueRuntime.idleWorkers().endPause();
        return isRunning() ? work(leased) : leased;
      }
      case LeaseResult.Empty empty -> {
        queueRuntime.idleWorkers().endPause();
        return listen();
      }
      case LeaseResult.Paused paused -> queueRuntime.idleWorkers().pause(this::isRunning, PAUSE);
      case LeaseResult.QueueLimited queueLimited ->
          queueRuntime.idleWorkers().pause(this::isRunning, queueLimited.pause());
      case LeaseResult.GroupLimited groupLimited ->
          LOG.debug("Jobs of queue {} are delayed by the rate limit of their groups", queue());
      case LeaseResult.Gone gone -> reporter.dropped(gone);
      case LeaseResult.TakenByOther takenByOther ->
          LOG.debug("Another worker has leased the received job");
    }
    return null;
  }

  private @Nullable LeaseResult listen() {
    IdleWorkers.ReceivedJob received = queueRuntime.idleWorkers().await(this::isRunning);
    if (received == null) {
      return null;
    }
    if (!isRunning()) {
      release(received.id());
      return null;
    }
    return retryUntilAccepted(
        () -> queueProtocol.leaseMoved(id, received.id(), isRecent(received)));
  }

  private boolean isRecent(IdleWorkers.ReceivedJob received) {
    return queueRuntime.context().nanoTime() - received.waitStartNanos()
        < queueRuntime.queueKeys().policy().stallGrace().toNanos();
  }

  private @Nullable LeaseResult work(LeaseResult.Leased leased) {
    LeasedJob job =
        new LeasedJob(
            queueRuntime.queueKeys(),
            leased,
            queueRuntime.context().json(),
            reporter,
            queueRuntime.context().nanoTime());
    jobInProcess = job;
    try {
      reporter.jobStarted(leased);
      JobOutcome outcome = run(job);
      if (outcome instanceof JobOutcome.AwaitChildren parent) {
        waitingParents.keep(job, parent.children());
        return null;
      }
      return job.tryStartStore() ? storeOutcome(job, outcome) : null;
    } finally {
      jobInProcess = null;
    }
  }

  private JobOutcome run(LeasedJob job) {
    job.allowStop(Thread.currentThread()::interrupt);
    // A handler is called once: its processor never throws. Only the creation of children is
    // repeated while Redis is away.
    JobOutcome outcome = retryUntilAccepted(() -> jobProcessor.process(id, job));
    job.disallowStop();
    // The interrupt has done its job; it must not reach the next handler.
    Thread.interrupted();
    LeasedJob.StopCause stopCause = job.stopCause();
    if (outcome == null) {
      return new JobOutcome.Discarded(LeasedJob.StopCause.STOPPED);
    }
    return stopCause == null
        ? outcome
        : stopCause == LeasedJob.StopCause.TIMEOUT
            ? queueRuntime.jobOutcomeMapper().timedOut(job)
            : new JobOutcome.Discarded(stopCause);
  }

  private @Nullable LeaseResult storeOutcome(LeasedJob job, JobOutcome outcome) {
    Duration took = Duration.ofNanos(queueRuntime.context().nanoTime() - job.startNanos());
    LeaseResult.Leased leased = job.leased();
    if (outcome instanceof JobOutcome.Discarded discarded) {
      if (discarded.why() == LeasedJob.StopCause.STOPPED) {
        release(leased.id());
      }
      reporter.notStored(leased, discarded);
      return null;
    }
    StoreResult storeResult = retryUntilAccepted(() -> store(leased, outcome));
    if (storeResult == null) {
      return null;
    }
    reporter.stored(leased, outcome, storeResult, took);
    return storeResult.next();
  }

  private StoreResult store(LeaseResult.Leased leased, JobOutcome outcome) {
    return switch (outcome) {
      case JobOutcome.Completed completed ->
          queueProtocol.complete(id, leased, completed, isRunning());
      case JobOutcome.Retry retry -> queueProtocol.retry(id, leased, retry, isRunning());
      case JobOutcome.Later later -> queueProtocol.later(id, leased, later, isRunning());
      case JobOutcome.Failed failed -> queueProtocol.fail(id, leased, failed, isRunning());
      case JobOutcome.AwaitChildren parent ->
          throw new IllegalArgumentException("Nothing to store yet: " + parent);
      case JobOutcome.Discarded discarded ->
          throw new IllegalArgumentException("Nothing to store: " + discarded);
    };
  }

  /** Fails a job whose handler does not return; the worker notices when it does. */
  void failUnresponsive(LeasedJob job) {
    if (!job.tryStartStore()) {
      return;
    }
    JobOutcome.Failed failed = queueRuntime.jobOutcomeMapper().unresponsive();
    Duration took = Duration.ofNanos(queueRuntime.context().nanoTime() - job.startNanos());
    try {
      reporter.stored(
          job.leased(), failed, queueProtocol.fail(id, job.leased(), failed, false), took);
    } catch (RedisUnavailableException | RedisReplyException e) {
      job.cancelStore();
      throw e;
    }
  }

  /**
   * Retries until the server accepts the call; returns null if the process had to end before that.
   */
  private <T> @Nullable T retryUntilAccepted(Supplier<T> call) {
    while (true) {
      try {
        T answer = call.get();
        workerBackoff.reset();
        return answer;
      } catch (RedisUnavailableException | RedisReplyException e) {
        reportFault(e);
        if (retriesStopped) {
          return null;
        }
        backOff();
      }
    }
  }

  private void reportFault(Throwable fault) {
    if (fault instanceof RedisUnavailableException) {
      maybeUnknownLease = true;
    }
    reporter.fault(fault);
  }

  private void release(String jobId) {
    Boolean released = retryUntilAccepted(() -> queueProtocol.release(id, jobId));
    LOG.debug("Release of job {} of queue {}: {}", jobId, queue(), released);
  }

  private void backOff() {
    try {
      waiter.await(workerBackoff.next());
    } catch (InterruptedException e) {
      LOG.debug("Worker {} was interrupted; only stop() ends it", id);
    }
  }

  /** Asks the worker to lease no further job; returns at once. Repeated calls do nothing. */
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
   * Finishes the current job, leases no other, and returns when that is done. A wait for jobs ends
   * at once.
   *
   * @throws IllegalStateException if it was never started
   */
  public void stop() throws InterruptedException {
    requestStop();
    stopped.await();
  }

  /** Waits until the worker has stopped, at most the given time. */
  boolean awaitStop(Duration patience) throws InterruptedException {
    return stopped.await(patience.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Interrupts the handler, whose job is released, and stops all retries. */
  void interruptHandler() {
    retriesStopped = true;
    waiter.wake();
    LeasedJob job = jobInProcess;
    if (job != null) {
      job.stop(LeasedJob.StopCause.STOPPED, queueRuntime.context().nanoTime());
    }
  }

  /** Releases the job of a handler that does not return; the handler's result no longer counts. */
  void releaseUnfinishedJob() {
    LeasedJob job = jobInProcess;
    if (job != null && job.tryStartStore()) {
      try {
        release(job.id());
      } catch (RuntimeException e) {
        reporter.fault(e);
      }
    }
  }

  /** Returns the jobs of this worker: the one in processing, and waiting parents. */
  List<LeasedJob> jobs() {
    LeasedJob job = jobInProcess;
    List<LeasedJob> waiting = waitingParents.jobs();
    if (job == null) {
      return waiting;
    }
    List<LeasedJob> all = new ArrayList<>(waiting);
    all.add(job);
    return all;
  }

  /** Returns true if this worker has the job. */
  boolean has(String jobId) {
    return jobs().stream().anyMatch(job -> job.id().equals(jobId));
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
              + ": a worker is started once and stopped once; create another one");
    }
    status = to;
  }
}
