package io.millrace.redis.work;

import io.millrace.lifecycle.Waiter;
import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.JobResult;
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
 * The parents of one worker that wait for their children. The worker keeps their locks, which are
 * renewed, and they need no thread. Thread-safe.
 */
final class WaitingParents {

  private static final Logger LOG = LoggerFactory.getLogger(WaitingParents.class);

  private final QueueRuntime queueRuntime;
  private final String worker;
  private final JobOutcomeReporter reporter;
  private final Map<String, Parent> parents = new ConcurrentHashMap<>();

  /** Jobs whose outcome is being stored; their locks are renewed until then. */
  private final Map<String, LeasedJob> storing = new ConcurrentHashMap<>();

  private volatile boolean closed;

  WaitingParents(QueueRuntime queueRuntime, String worker, JobOutcomeReporter reporter) {
    this.queueRuntime = queueRuntime;
    this.worker = worker;
    this.reporter = reporter;
  }

  /** A waiting parent. The thread that removes it from the map decides its outcome. */
  private static final class Parent {
    private final LeasedJob job;
    private volatile @Nullable Runnable cancelWait;

    Parent(LeasedJob job) {
      this.job = job;
    }

    String id() {
      return job.id();
    }
  }

  /** Keeps a job until its children are done, its lock is lost, or the worker stops. */
  void keep(LeasedJob job, List<String> children) {
    Parent parent = new Parent(job);
    parents.put(parent.id(), parent);
    parent.cancelWait =
        queueRuntime.childMonitor().onChildrenDone(children, () -> finish(parent, this::completed));
    job.allowStop(() -> stopped(parent));
    if (parents.get(parent.id()) != parent) {
      cancelWait(parent);
      job.disallowStop();
    }
  }

  int size() {
    return parents.size();
  }

  List<LeasedJob> jobs() {
    return Stream.concat(
            parents.values().stream().map(parent -> parent.job), storing.values().stream())
        .toList();
  }

  private void stopped(Parent parent) {
    if (parent.job.stopCause() == LeasedJob.StopCause.TIMEOUT) {
      finish(parent, () -> queueRuntime.jobOutcomeMapper().timedOut(parent.job));
    } else if (remove(parent)) {
      reporter.notStored(parent.job.leased(), new JobOutcome.Discarded(LeasedJob.StopCause.LOST));
    }
  }

  private boolean remove(Parent parent) {
    boolean removed = parents.remove(parent.id(), parent);
    if (removed) {
      cancelWait(parent);
    }
    return removed;
  }

  private static void cancelWait(Parent parent) {
    Runnable cancelWait = parent.cancelWait;
    if (cancelWait != null) {
      cancelWait.run();
    }
  }

  /** Stores the outcome on another thread, since the thread that calls this must not be blocked. */
  private void finish(Parent parent, Supplier<JobOutcome> outcome) {
    if (remove(parent)) {
      storing.put(parent.id(), parent.job);
      parent.job.disallowStop();
      queueRuntime
          .context()
          .runtime()
          .runner()
          .runOnPool("millrace-parent-" + parent.id(), () -> storeOutcome(parent, outcome));
    }
  }

  private void storeOutcome(Parent parent, Supplier<JobOutcome> outcome) {
    try {
      store(parent.job, outcome);
    } finally {
      storing.remove(parent.id(), parent.job);
    }
  }

  private void store(LeasedJob job, Supplier<JobOutcome> supplier) {
    LeaseResult.Leased leased = job.leased();
    Duration took = Duration.ofNanos(queueRuntime.context().nanoTime() - job.startNanos());
    WorkerBackoff workerBackoff = new WorkerBackoff(queueRuntime.context().runtime().random());
    Waiter waiter = queueRuntime.context().runtime().runner().waiter();
    do {
      try {
        JobOutcome jobOutcome = supplier.get();
        StoreResult storeResult =
            jobOutcome instanceof JobOutcome.Completed completed
                ? queueRuntime.protocol().complete(worker, leased, completed, false)
                : fail(leased, jobOutcome);
        reporter.stored(leased, jobOutcome, storeResult, took);
        return;
      } catch (RedisUnavailableException | RedisReplyException e) {
        reporter.fault(e);
        pause(waiter, workerBackoff.next());
      }
    } while (!closed);
  }

  private JobOutcome completed() {
    return queueRuntime.jobOutcomeMapper().completed(JobResult.completed());
  }

  private StoreResult fail(LeaseResult.Leased leased, JobOutcome jobOutcome) {
    return jobOutcome instanceof JobOutcome.Retry retry
        ? queueRuntime.protocol().retry(worker, leased, retry, false)
        : queueRuntime.protocol().fail(worker, leased, (JobOutcome.Failed) jobOutcome, false);
  }

  private static void pause(Waiter waiter, Duration time) {
    try {
      waiter.await(time);
    } catch (InterruptedException e) {
      LOG.debug("The interrupt is ignored: the outcome of a parent is retried until it is stored");
    }
  }

  /** Releases all parents, so that other processes wait in place of this one. */
  void close() {
    closed = true;
    for (Parent parent : parents.values()) {
      if (remove(parent)) {
        try {
          queueRuntime.protocol().release(worker, parent.id());
        } catch (RedisUnavailableException | RedisReplyException e) {
          reporter.fault(e);
        }
      }
    }
  }
}
