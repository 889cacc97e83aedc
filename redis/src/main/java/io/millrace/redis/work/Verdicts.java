package io.millrace.redis.work;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.JobHandler;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.wire.JsText;
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

/** Runs a handler and turns all that may come of it into a verdict. Thread-safe. */
final class Verdicts {

  private static final Logger LOG = LoggerFactory.getLogger(Verdicts.class);
  private static final String COMPLETED_QUEUE = "completed-queue";
  private static final String DONE = "done";

  /** Fields that say something to those who read jobs. */
  private static final Set<String> TOLD =
      Set.of("id", "failed", "failedQueue", "failedErrorMsg", LeasedJob.CORRELATION);

  private final Setting setting;
  private final Lane lane;
  private final JsText json;
  private final String queue;
  private final Set<String> overwritten = ConcurrentHashMap.newKeySet();

  Verdicts(Setting setting, Lane lane) {
    this.setting = setting;
    this.lane = lane;
    this.json = setting.json();
    this.queue = json.write(lane.name());
  }

  /** As if a handler had answered so. */
  Verdict.Done completed(JobResult.Completed result) {
    return done(result);
  }

  /** Whatever the handler does, there is a verdict. */
  Verdict of(JobHandler handler, LeasedJob job, Held held) {
    try {
      return of(handler.handle(job));
    } catch (Throwable failure) {
      return of(failure, held);
    }
  }

  @SuppressWarnings("NullAway") // handlers answer null in spite of their type
  private Verdict of(@Nullable JobResult result) {
    return switch (result) {
      case null -> done(JobResult.completed());
      case JobResult.Completed completed -> done(completed);
      case JobResult.Later later -> new Verdict.Again(later.delay(), later.reason(), false, null);
    };
  }

  private Verdict.Done done(JobResult.Completed result) {
    List<String> fields = new ArrayList<>(2 * result.fields().size() + 2);
    for (Map.Entry<String, @Nullable Object> field : result.fields().entrySet()) {
      String name = field.getKey();
      if (!name.equals(COMPLETED_QUEUE) && !(lane.isOfChildren() && name.equals(DONE))) {
        fields.add(name);
        fields.add(text(name, field.getValue()));
      }
      warnOnce(name);
    }
    fields.add(COMPLETED_QUEUE);
    fields.add(queue);
    if (lane.isOfChildren()) {
      // The parent waits for this very field.
      fields.add(DONE);
      fields.add("true");
    }
    return new Verdict.Done(fields, next(result.nextQueue()));
  }

  private String text(String name, @Nullable Object value) {
    try {
      return json.write(value);
    } catch (RuntimeException e) {
      throw new InvalidRequestException(
          "Field '"
              + name
              + "' of the result cannot be stored: "
              + Failure.message(e)
              + ". Answer values that Jackson turns into JSON");
    }
  }

  private @Nullable String next(@Nullable String asked) {
    String standard = lane.queue().next();
    if (asked == null || asked.equals(standard)) {
      return standard;
    }
    if (!lane.targets().queues().contains(asked)) {
      throw new InvalidRequestException(
          "The handler of queue "
              + lane.name()
              + " sent the job to queue '"
              + asked
              + "', which flow "
              + lane.flow()
              + " does not have; it has "
              + lane.targets().queues().stream().sorted().toList());
    }
    return asked;
  }

  /** Node.js lets results overwrite what a job was made with, so that this must, too. */
  private void warnOnce(String field) {
    boolean told = field.equals(COMPLETED_QUEUE) || TOLD.contains(field);
    if ((told || lane.queue().attributes().contains(field)) && overwritten.add(field)) {
      LOG.warn(
          "The handler of queue {} answers field '{}', which {}; this is said once",
          lane.name(),
          field,
          field.equals(COMPLETED_QUEUE)
              ? "the worker writes itself: it is left out"
              : "overwrites what the job had");
    }
  }

  /** About a job whose handler threw. */
  Verdict of(Throwable failure, Held held) {
    String message = Failure.message(failure);
    Taken.Book book = held.leased().book();
    int attempt = book.attempts() + 1;
    RetryDecision decision =
        lane.policy().retry().decide(attempt, elapsed(held, book), failure, random());
    return switch (decision) {
      case RetryDecision.Retry retry -> new Verdict.Again(retry.delay(), message, true, failure);
      case RetryDecision.GiveUp giveUp -> new Verdict.Failed(message, failure);
    };
  }

  private RandomGenerator random() {
    return setting.runtime().random();
  }

  /** Since the first attempt ended, or this one began. */
  private Duration elapsed(Held held, Taken.Book book) {
    return book.since() > 0
        ? Duration.ofMillis(
            Math.max(0, setting.runtime().clock().instant().toEpochMilli() - book.since()))
        : Duration.ofNanos(setting.nanoTime() - held.begunNanos());
  }

  /** About a handler that ran too long; its job may be tried again like any that failed. */
  Verdict overtime(Held held) {
    return of(new OvertimeException(overtime()), held);
  }

  /** About one that does not even end then: its job is not given to a second one beside it. */
  Verdict.Failed abandoned() {
    return new Verdict.Failed(overtime(), null);
  }

  private String overtime() {
    Duration limit = lane.maxRun(setting.isStrict());
    return Failure.overtime(limit == null ? Duration.ZERO : limit);
  }
}
