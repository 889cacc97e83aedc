package io.millrace.redis.work;

import io.millrace.redis.connect.RedisReplyException;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.FlowEvent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reporter of the outcomes of a worker's jobs: it counts and logs them, notifies the listener, and
 * lets waiting parents and callers know of jobs that have finished. It also stores the progress
 * that handlers report. Thread-safe.
 */
final class JobOutcomeReporter implements LeasedJob.ProgressReporter {

  private static final Logger LOG = LoggerFactory.getLogger(JobOutcomeReporter.class);

  private final QueueRuntime queueRuntime;
  private final String worker;

  JobOutcomeReporter(QueueRuntime queueRuntime, String worker) {
    this.queueRuntime = queueRuntime;
    this.worker = worker;
  }

  void jobStarted(LeaseResult.Leased leased) {
    notifyListener(
        new FlowEvent.Leased(
            queueRuntime.jobRef(leased.id()), worker, leased.metadata().failedAttempts() + 1));
  }

  void dropped(LeaseResult.Gone gone) {
    if (gone.why().isEmpty()) {
      queueRuntime.counters().count(QueueCounters.Kind.EXPIRED);
    }
    if (queueRuntime.warningThrottle().permits()) {
      LOG.warn(
          "Job {} of queue {} is dropped: {}",
          gone.id(),
          queueRuntime.queueKeys().name(),
          gone.why().isEmpty()
              ? "its fields are gone, they expired or were deleted"
              : "its fields cannot be read: " + gone.why());
    }
  }

  /** Reports a job whose result was not stored. */
  void notStored(LeaseResult.Leased leased, JobOutcome.Discarded discarded) {
    notStored(
        leased,
        discarded.why() == LeasedJob.StopCause.STOPPED
            ? "the process ends; the job was released"
            : "its lock was lost");
  }

  private void notStored(LeaseResult.Leased leased, String why) {
    if (queueRuntime.warningThrottle().permits()) {
      LOG.warn(
          "The result of job {} in queue {} was not stored: {}",
          leased.id(),
          queueRuntime.queueKeys().name(),
          why);
    }
    notifyListener(new FlowEvent.Lost(queueRuntime.jobRef(leased.id()), worker, why));
  }

  void stored(
      LeaseResult.Leased leased, JobOutcome outcome, StoreResult storeResult, Duration took) {
    switch (storeResult.status()) {
      case OK -> stored(leased, outcome, took);
      case LOST -> notStored(leased, "another worker has its lock, or the lock has expired");
      case INVALID -> notStored(leased, "another program has moved it out of the processing list");
      case GONE -> notStored(leased, "its fields are gone, they expired or were deleted");
    }
  }

  private void stored(LeaseResult.Leased leased, JobOutcome outcome, Duration took) {
    FlowEvent.JobRef jobRef = queueRuntime.jobRef(leased.id());
    switch (outcome) {
      case JobOutcome.Completed completed -> {
        queueRuntime.counters().count(QueueCounters.Kind.COMPLETED);
        if (completed.nextQueue() == null) {
          queueRuntime.jobFinished(leased.id());
        }
        notifyListener(new FlowEvent.Completed(jobRef, worker, completed.nextQueue(), took));
      }
      case JobOutcome.Retry retry -> {
        queueRuntime.counters().count(QueueCounters.Kind.RETRIED);
        log(leased, "failed and is retried", retry.reason(), retry.cause());
        notifyListener(new FlowEvent.Retried(jobRef, worker, retry.reason(), retry.delay()));
      }
      case JobOutcome.Later later ->
          notifyListener(new FlowEvent.Later(jobRef, worker, later.reason(), later.delay()));
      case JobOutcome.Failed failed -> {
        queueRuntime.counters().count(QueueCounters.Kind.FAILED);
        queueRuntime.jobFinished(leased.id());
        log(leased, "failed", failed.message(), failed.cause());
        notifyListener(new FlowEvent.Failed(jobRef, worker, failed.message(), took));
      }
      case JobOutcome.AwaitChildren awaitChildren ->
          throw new IllegalArgumentException("It has not finished: " + awaitChildren);
      case JobOutcome.Discarded discarded ->
          throw new IllegalArgumentException("Nothing was stored: " + discarded);
    }
  }

  private void log(
      LeaseResult.Leased leased, String what, String message, @Nullable Throwable cause) {
    if (queueRuntime.warningThrottle().permits()) {
      String text =
          "Job " + leased.id() + " of queue " + queueRuntime.queueKeys().name() + " " + what;
      try {
        LOG.warn("{}: {}", text, message, cause);
      } catch (RuntimeException e) {
        // Exceptions of users may override any method, and may throw while they are logged.
        LOG.warn("{}: {}", text, message);
      }
    }
  }

  /**
   * Logs that the server is unavailable, or refused a command; the worker retries after a pause.
   */
  void fault(Throwable fault) {
    if (!queueRuntime.warningThrottle().permits()) {
      return;
    }
    boolean ours =
        !(fault instanceof RedisUnavailableException || fault instanceof RedisReplyException);
    LOG.atLevel(ours ? Level.ERROR : Level.WARN)
        .setCause(ours ? fault : null)
        .log(
            "Worker {} of queue {} retries after a pause: {}",
            worker,
            queueRuntime.queueKeys().name(),
            fault.getMessage());
  }

  @Override
  public void progress(LeaseResult.Leased leased, int percent, String note) {
    String metadata = queueRuntime.queueKeys().metadata(leased.id());
    String queue = queueRuntime.queueKeys().name();
    String done = Integer.toString(percent);
    queueRuntime
        .context()
        .redis()
        .pipelined(
            List.of(
                List.of("HSET", metadata, "progress", done, "note", note, "toldIn", queue),
                List.of(
                    "EXPIRE", metadata, Long.toString(queueRuntime.queueKeys().secondsToLive()))));
  }

  private void notifyListener(FlowEvent event) {
    queueRuntime.context().notifyListener(event);
  }
}
