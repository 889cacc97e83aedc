package io.millrace.redis.flow;

import static io.millrace.instance.InvalidRequestException.requirePresent;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StorableText;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to create. Immutable; the methods return changed copies. A job with only fields and a
 * correlation id is created by the commands of the npm package alone.
 *
 * @param fields values that Jackson turns into JSON; null is stored as null
 * @param correlationId null for none
 * @param delay time before it can be leased; zero for none, at most 365 days
 * @param priority the priority level: 1, the highest, to 100; 0 for none, behind all others
 * @param uniqueKey while a job of the flow with this key has not finished, no other is created;
 *     null for none
 */
public record NewJob(
    Map<String, @Nullable Object> fields,
    @Nullable String correlationId,
    Duration delay,
    int priority,
    @Nullable String uniqueKey) {

  private static final int MAX_LEVEL = 100;

  public NewJob {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(requirePresent(fields, "The fields")));
    QueueNames.delay("The delay of a job", delay);
    if (uniqueKey != null && (uniqueKey.isBlank() || StorableText.indexOfHalf(uniqueKey) >= 0)) {
      throw new InvalidRequestException(
          "The unique key of a job is blank or has half of a surrogate pair: '"
              + StorableText.repaired(uniqueKey)
              + "'. Give a text that is the same for the same job, such as"
              + " an invoice number, or no unique key.");
    }
    if (priority < 0 || priority > MAX_LEVEL) {
      throw new InvalidRequestException(
          "The priority of a job is "
              + priority
              + "; expected 1 (the highest) to "
              + MAX_LEVEL
              + ", or 0 for none.");
    }
  }

  public static NewJob of(Map<String, ?> fields) {
    return new NewJob(new LinkedHashMap<>(fields), null, Duration.ZERO, 0, null);
  }

  public NewJob correlationId(String id) {
    return new NewJob(fields, id, delay, priority, uniqueKey);
  }

  public NewJob delay(Duration time) {
    return new NewJob(fields, correlationId, time, priority, uniqueKey);
  }

  public NewJob priority(int level) {
    return new NewJob(fields, correlationId, delay, level, uniqueKey);
  }

  public NewJob uniqueKey(String key) {
    return new NewJob(
        fields, correlationId, delay, priority, requirePresent(key, "The unique key"));
  }

  /** Returns true if the commands of the npm package can create it. */
  public boolean isPlain() {
    return delay.isZero() && priority == 0 && uniqueKey == null;
  }
}
