package io.millrace.redis.work;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.retry.RetryDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Mapper from the results and failures of handlers to outcomes. Thread-safe. */
final class JobOutcomeMapper {

  private static final Logger LOG = LoggerFactory.getLogger(JobOutcomeMapper.class);
  private static final String COMPLETED_QUEUE = "completed-queue";
  private static final String DONE = "done";

  /** Fields that every job has, or that a failure sets. A result should not overwrite them. */
  private static final Set<String> RESERVED_FIELDS =
      Set.of("id", "failed", "failedQueue", "failedErrorMsg", LeasedJob.CORRELATION);

  private final WorkerContext context;
  private final QueueKeys queueKeys;
  private final JavaScriptJson json;
  private final String queue;
  private final Set<String> alreadyLogged = ConcurrentHashMap.newKeySet();

  JobOutcomeMapper(WorkerContext context, QueueKeys queueKeys) {
    this.context = context;
    this.queueKeys = queueKeys;
    this.json = context.json();
    this.queue = json.write(queueKeys.name());
  }

  /** Returns the outcome for the result of a handler. */
  @SuppressWarnings("NullAway") // handlers answer null in spite of their type
  JobOutcome ofResult(@Nullable JobResult result) {
    return switch (result) {
      case null -> completed(JobResult.completed());
      case JobResult.Completed completed -> completed(completed);
      case JobResult.Later later ->
          new JobOutcome.Later(later.delay(), FailureFields.limited(later.reason()));
      case JobResult.Failed failed ->
          new JobOutcome.Failed(FailureFields.limited(failed.reason()), null);
    };
  }

  JobOutcome.Completed completed(JobResult.Completed result) {
    List<String> fields = new ArrayList<>(2 * result.fields().size() + 2);
    for (Map.Entry<String, @Nullable Object> field : result.fields().entrySet()) {
      String name = field.getKey();
      if (!name.equals(COMPLETED_QUEUE) && !(queueKeys.isChildQueue() && name.equals(DONE))) {
        fields.add(name);
        fields.add(text(name, field.getValue()));
      }
      warnOnce(name);
    }
    fields.add(COMPLETED_QUEUE);
    fields.add(queue);
    if (queueKeys.isChildQueue()) {
      // The parent waits for this very field.
      fields.add(DONE);
      fields.add("true");
    }
    return new JobOutcome.Completed(fields, next(result.nextQueue()));
  }

  private String text(String name, @Nullable Object value) {
    try {
      return json.write(value);
    } catch (RuntimeException e) {
      throw new InvalidRequestException(
          "Field '"
              + name
              + "' of the result cannot be stored: "
              + FailureFields.message(e)
              + ". Answer values that Jackson turns into JSON");
    }
  }

  private @Nullable String next(@Nullable String asked) {
    String standard = queueKeys.queue().next();
    if (asked == null || asked.equals(standard)) {
      return standard;
    }
    if (!queueKeys.targets().contains(asked)) {
      throw new InvalidRequestException(
          "The handler of queue "
              + queueKeys.name()
              + " sent the job to queue '"
              + asked
              + "', which flow "
              + queueKeys.flow()
              + " does not have; it has "
              + queueKeys.targets().stream().sorted().toList());
    }
    return asked;
  }

  /**
   * Logs a warning, once per field, for a field that others need. As in Node.js, results may
   * overwrite the fields that a job was created with.
   */
  private void warnOnce(String field) {
    boolean isReserved = field.equals(COMPLETED_QUEUE) || RESERVED_FIELDS.contains(field);
    if ((isReserved || queueKeys.queue().fields().contains(field)) && alreadyLogged.add(field)) {
      LOG.warn(
          "The handler of queue {} answers field '{}', which {}; this is said once",
          queueKeys.name(),
          field,
          field.equals(COMPLETED_QUEUE)
              ? "the worker writes itself: it is left out"
              : "overwrites what the job had");
    }
  }

  /** Returns the outcome for a job whose handler threw. */
  JobOutcome ofFailure(Throwable failure, LeasedJob job) {
    String message = FailureFields.message(failure);
    LeaseResult.JobMetadata jobMetadata = job.leased().metadata();
    int attempt = jobMetadata.failedAttempts() + 1;
    RetryDecision decision =
        queueKeys.policy().retry().decide(attempt, elapsed(job, jobMetadata), failure, random());
    return switch (decision) {
      case RetryDecision.Retry retry -> new JobOutcome.Retry(retry.delay(), message, failure);
      case RetryDecision.GiveUp giveUp -> new JobOutcome.Failed(message, failure);
    };
  }

  private RandomGenerator random() {
    return context.runtime().random();
  }

  /** Returns the time since the first attempt failed, or else since this one started. */
  private Duration elapsed(LeasedJob job, LeaseResult.JobMetadata jobMetadata) {
    return jobMetadata.since() > 0
        ? Duration.ofMillis(
            Math.max(0, context.runtime().clock().instant().toEpochMilli() - jobMetadata.since()))
        : Duration.ofNanos(context.nanoTime() - job.startNanos());
  }

  /**
   * Returns the outcome for a handler that ran too long; its job may be retried like any that
   * failed.
   */
  JobOutcome timedOut(LeasedJob job) {
    return ofFailure(new JobTimeoutException(timeoutMessage()), job);
  }

  /**
   * Returns the outcome for a handler that does not end even after its interrupt. The job is not
   * retried, so that no second handler runs beside it.
   */
  JobOutcome.Failed unresponsive() {
    return new JobOutcome.Failed(timeoutMessage(), null);
  }

  private String timeoutMessage() {
    Duration limit = queueKeys.policy().handlerTimeout();
    return FailureFields.timeoutMessage(limit == null ? Duration.ZERO : limit);
  }
}
