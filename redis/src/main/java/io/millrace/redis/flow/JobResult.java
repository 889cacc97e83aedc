package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a handler answers. */
public sealed interface JobResult {

  /** The member of results in Node.js that names the next queue. */
  String ROUTE = "nextQueue";

  /**
   * The work is done.
   *
   * @param fields stored in the job; a value that Jackson turns into JSON; null is stored as null
   * @param nextQueue where the job goes; null for the next queue of this one, if it has one
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
                + " name");
      }
      if (nextQueue != null) {
        QueueNames.plain("The next queue", nextQueue);
      }
    }

    /** With one more field. */
    public Completed with(String field, @Nullable Object value) {
      Map<String, @Nullable Object> more = new LinkedHashMap<>(fields);
      more.put(requirePresent(field, "The field"), value);
      return new Completed(more, nextQueue);
    }

    /** Goes to this queue instead of the usual one. */
    public Completed next(String queue) {
      return new Completed(fields, requirePresent(queue, "The next queue"));
    }

    /** With the field {@code done}, by which parents and readers know the end of the flow. */
    public Completed done() {
      return with("done", true);
    }
  }

  /** The work is not possible yet; counts as no attempt. */
  record Later(Duration delay, String reason) implements JobResult {
    public Later {
      requirePresent(reason, "The reason");
      QueueNames.delay("The delay after which a job comes back", delay);
    }
  }

  /** Done, and nothing to store. */
  static Completed completed() {
    return new Completed(Map.of(), null);
  }

  static Completed of(Map<String, ?> fields) {
    return new Completed(new LinkedHashMap<>(fields), null);
  }

  static Completed of(String field, @Nullable Object value) {
    return completed().with(field, value);
  }

  /** Comes back to the same queue after a while. */
  static Later later(Duration delay, String reason) {
    return new Later(delay, reason);
  }
}
