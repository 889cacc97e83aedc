package io.millrace.redis.work;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Result of an attempt to lease a job. */
sealed interface LeaseResult {

  /**
   * A job that the worker has leased.
   *
   * @param texts the values of the queue's fields, in their order, after the correlation id
   * @param metadata the data that Millrace keeps of the job
   * @param ticket unique among the leases of the queue in this process; empty where it is not used
   */
  record Leased(String id, List<@Nullable String> texts, JobMetadata metadata, String ticket)
      implements LeaseResult {}

  /** The job's hash does not exist, or is not a hash; its entry was removed. */
  record Gone(String id, String why) implements LeaseResult {}

  /** Another worker has the job. */
  record TakenByOther() implements LeaseResult {}

  /** No job is waiting. */
  record Empty() implements LeaseResult {}

  /**
   * The rate limit of the jobs' groups is reached; they are delayed until their groups have room.
   */
  record GroupLimited() implements LeaseResult {}

  /**
   * The rate limit of the whole queue is reached; a job that a blocking move has returned waits
   * again.
   *
   * @param pause time until the next job may start
   */
  record QueueLimited(Duration pause) implements LeaseResult {}

  /** The queue is paused. */
  record Paused() implements LeaseResult {}

  /**
   * Data that Millrace keeps of a job; most jobs have none.
   *
   * @param failedAttempts number of failed attempts in this queue
   * @param since when the first of them failed, in ms since 1970; 0 when none has failed
   * @param priority the priority level; empty for none
   * @param holderKey the Redis key that holds the id of the job with its unique key, empty for none
   * @param stalls how often it has stalled in this queue
   */
  record JobMetadata(
      int failedAttempts, long since, String priority, String holderKey, int stalls) {
    static final JobMetadata NONE = new JobMetadata(0, 0, "", "", 0);
  }

  /**
   * Reads the reply of a script.
   *
   * @param ticket the ticket of the job, if the reply is a job
   */
  static LeaseResult read(@Nullable Object reply, String ticket) {
    List<?> parts = (List<?>) RedisReplies.need(reply);
    return switch (RedisReplies.text(parts.getFirst())) {
      case "JOB" -> leased(parts, ticket);
      case "GONE" -> new Gone(RedisReplies.text(parts.get(1)), RedisReplies.text(parts.get(2)));
      case "EMPTY" -> new Empty();
      case "PAUSED" -> new Paused();
      case "GROUP_LIMITED" -> new GroupLimited();
      case "QUEUE_LIMITED" ->
          new QueueLimited(Duration.ofMillis(RedisReplies.number(parts.get(1))));
      case "TAKEN" -> new TakenByOther();
      default -> throw new IllegalStateException("A script answered " + parts);
    };
  }

  private static Leased leased(List<?> parts, String ticket) {
    List<?> metadata = (List<?>) RedisReplies.need(parts.get(3));
    return new Leased(
        RedisReplies.text(parts.get(1)),
        RedisReplies.texts(RedisReplies.need(parts.get(2))),
        readMetadata(metadata),
        ticket);
  }

  private static JobMetadata readMetadata(List<?> parts) {
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
