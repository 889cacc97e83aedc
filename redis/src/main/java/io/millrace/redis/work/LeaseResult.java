package io.millrace.redis.work;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What came of taking a job. */
sealed interface LeaseResult {

  /**
   * A job whose lock the worker has.
   *
   * @param entry as it stands in the lists
   * @param texts the values of the queue's attributes, in their order, behind the correlation id
   * @param metadata what Millrace keeps of it
   * @param ticket no other lease of the queue in this process has it; empty where nobody asks
   */
  record Leased(String entry, List<@Nullable String> texts, JobMetadata metadata, String ticket)
      implements LeaseResult {}

  /** The entry's hash is away, or no hash: it was dropped. */
  record Gone(String entry, String why) implements LeaseResult {}

  /** Somebody else has the job. */
  record TakenByOther() implements LeaseResult {}

  /** No job waits. */
  record Empty() implements LeaseResult {}

  /** Jobs were taken, and put off since the limit of their groups is reached. */
  record Delayed() implements LeaseResult {}

  /** No job of the queue may begin yet; what was taken waits again. */
  record RateLimited(Duration rest) implements LeaseResult {}

  /** Nobody may take a job of the queue. */
  record Paused() implements LeaseResult {}

  /**
   * What Millrace keeps of a job; nothing of most.
   *
   * @param attempts that have failed in this queue
   * @param since the first of them failed, in ms since 1970; 0 when none has
   * @param priority empty for none
   * @param unique the key that holds its unique key, empty for none
   * @param stalls how often its worker has died in this queue
   */
  record JobMetadata(int attempts, long since, String priority, String unique, int stalls) {
    static final JobMetadata NONE = new JobMetadata(0, 0, "", "", 0);
  }

  /**
   * Reads what a script answers.
   *
   * @param ticket for the job, if it is one
   */
  static LeaseResult read(@Nullable Object reply, String ticket) {
    List<?> parts = (List<?>) RedisReplies.need(reply);
    return switch (RedisReplies.text(parts.getFirst())) {
      case "JOB" -> leased(parts, ticket);
      case "GONE" -> new Gone(RedisReplies.text(parts.get(1)), RedisReplies.text(parts.get(2)));
      case "EMPTY" -> new Empty();
      case "PAUSED" -> new Paused();
      case "DELAYED" -> new Delayed();
      case "LIMITED" -> new RateLimited(Duration.ofMillis(RedisReplies.number(parts.get(1))));
      case "TAKEN" -> new TakenByOther();
      default -> throw new IllegalStateException("A script answered " + parts);
    };
  }

  private static Leased leased(List<?> parts, String ticket) {
    List<?> book = (List<?>) RedisReplies.need(parts.get(3));
    return new Leased(
        RedisReplies.text(parts.get(1)),
        RedisReplies.texts(RedisReplies.need(parts.get(2))),
        metadata(book),
        ticket);
  }

  private static JobMetadata metadata(List<?> parts) {
    if (parts.stream().allMatch(Objects::isNull)) {
      return JobMetadata.NONE;
    }
    return new JobMetadata(
        (int) RedisReplies.number(parts.get(0)),
        RedisReplies.number(parts.get(1)),
        RedisReplies.orEmpty(parts.get(2)),
        RedisReplies.orEmpty(parts.get(3)),
        (int) RedisReplies.number(parts.get(4)));
  }
}
