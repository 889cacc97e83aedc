package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Result of a handler. */
public sealed interface JobResult {

  /** Name of the property in results of Node.js that names the next queue. */
  String ROUTE = "nextQueue";

  /**
   * Result of a completed job.
   *
   * @param fields stored in the job; a value that Jackson turns into JSON; null is stored as null
   * @param nextQueue the queue that the job goes to; null for the next queue of this one, if it has
   *     one
   */
  record Completed(Map<String, @Nullable Object> fields, @Nullable String nextQueue)
      implements JobResult {

    public Completed {
      fields =
          Collections.unmodifiableMap(new LinkedHashMap<>(requirePresent(fields, "The fields")));
      if (fields.containsKey(ROUTE)) {
        throw new InvalidRequestException(
            "A result cannot have the field '"
                + ROUTE
                + "', here with the value '"
                + fields.get(ROUTE)
                + "': @guildxyz/queues takes it for the next queue and does not store it. Name the"
                + " next queue by JobResult.completed().next(queue), or give the field another"
                + " name.");
      }
      if (nextQueue != null) {
        QueueNames.plain("The next queue", nextQueue);
      }
    }

    /** Returns the result with one more field. */
    public Completed with(String field, @Nullable Object value) {
      Map<String, @Nullable Object> more = new LinkedHashMap<>(fields);
      more.put(requirePresent(field, "The field"), value);
      return new Completed(more, nextQueue);
    }

    /** Returns the result with another next queue. */
    public Completed next(String queue) {
      return new Completed(fields, requirePresent(queue, "The next queue"));
    }

    /**
     * Returns the result with the field {@code done}, which tells parents and readers that the job
     * has finished.
     */
    public Completed done() {
      return with("done", true);
    }
  }

  /**
   * Result of a job that cannot be completed yet and comes back later; it does not count as an
   * attempt.
   */
  record Later(Duration delay, String reason) implements JobResult {
    public Later {
      requirePresent(reason, "The reason");
      QueueNames.delay("The delay after which a job comes back", delay);
    }
  }

  /** Result of a job that fails for good: it is not retried, whatever the queue's policy says. */
  record Failed(String reason) implements JobResult {
    public Failed {
      requirePresent(reason, "The reason");
    }
  }

  /** Returns a completed result without fields. */
  static Completed completed() {
    return new Completed(Map.of(), null);
  }

  static Completed of(Map<String, ?> fields) {
    return new Completed(new LinkedHashMap<>(fields), null);
  }

  static Completed of(String field, @Nullable Object value) {
    return completed().with(field, value);
  }

  /** Returns a result that sends the job back to the same queue after a delay. */
  static Later later(Duration delay, String reason) {
    return new Later(delay, reason);
  }

  /** Returns a result that fails the job without a retry, since none could succeed. */
  static Failed failed(String reason) {
    return new Failed(reason);
  }
}
