package io.millrace.redis.admin;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds jobs in the lists of queues, in one round trip for any number of jobs and queues.
 * Thread-safe.
 */
final class JobLocator {

  /** Number of entries of a list that are searched from each of its ends. */
  private static final String MAX = "50000";

  private static final int HEAD = 2;
  private static final int EACH = 7;

  private final Redis redis;

  JobLocator(Redis redis) {
    this.redis = redis;
  }

  /** Returns the locations in the order of the jobs. */
  List<JobLocation> find(FlowRegistry flowRegistry, List<FlowAdmin.JobRef> jobs) {
    List<List<String>> commands = new ArrayList<>();
    for (FlowAdmin.JobRef job : jobs) {
      commands.add(List.of("TTL", ProtocolKeys.job(job.flow(), job.id())));
      commands.add(List.of("HGETALL", MillraceKeys.metadata(job.flow(), job.id())));
      for (RegisteredQueue queue : flowRegistry.queuesOf(job.flow())) {
        commands.addAll(commands(queue.name(), job.id()));
      }
    }
    List<@Nullable Object> replies = AdminReplies.lenient(redis, commands);
    List<JobLocation> places = new ArrayList<>();
    int at = 0;
    for (FlowAdmin.JobRef job : jobs) {
      List<RegisteredQueue> stops = flowRegistry.queuesOf(job.flow());
      int end = at + HEAD + stops.size() * EACH;
      places.add(place(stops, replies.subList(at, end)));
      at = end;
    }
    return places;
  }

  private static List<List<String>> commands(String queue, String id) {
    String waiting = ProtocolKeys.waiting(queue);
    String lock = ProtocolKeys.lock(queue, id);
    return List.of(
        List.of("LPOS", ProtocolKeys.processing(queue), id, "MAXLEN", MAX),
        List.of("LPOS", waiting, id, "MAXLEN", MAX),
        List.of("LPOS", waiting, id, "RANK", "-1", "MAXLEN", MAX),
        List.of("ZSCORE", MillraceKeys.delayed(queue), id),
        List.of("ZSCORE", MillraceKeys.dead(queue), id),
        List.of("GET", lock),
        List.of("TTL", lock));
  }

  private static JobLocation place(List<RegisteredQueue> stops, List<@Nullable Object> replies) {
    long ttl = AdminReplies.number(replies.get(0));
    Set<String> lastQueues =
        stops.stream()
            .filter(queue -> queue.next() == null)
            .map(RegisteredQueue::name)
            .collect(Collectors.toSet());
    Map<String, String> metadata = AdminReplies.pairs(replies.get(1));
    JobLocation jobLocation = new JobLocation(null, ttl < 0 ? null : ttl, metadata, lastQueues);
    for (int i = 0; i < stops.size(); i++) {
      int from = HEAD + i * EACH;
      jobLocation = in(jobLocation, stops.get(i).name(), replies.subList(from, from + EACH));
    }
    return jobLocation;
  }

  /**
   * Returns the location with the entry in this queue, unless an earlier queue has the job. A job
   * is in several queues if a person has pushed it by hand.
   */
  private static JobLocation in(JobLocation so, String queue, List<@Nullable Object> replies) {
    JobList list = list(replies);
    if (list == null || so.listEntry() != null) {
      return so;
    }
    Object position = replies.get(1) == null ? replies.get(2) : replies.get(1);
    Object score = list == JobList.DELAYED ? replies.get(3) : replies.get(4);
    JobLocation.ListEntry listEntry =
        new JobLocation.ListEntry(
            list,
            queue,
            list == JobList.WAITING ? (Long) position : null,
            list == JobList.DELAYED || list == JobList.DEAD ? at(score) : null,
            list == JobList.PROCESSING ? lock(replies.get(5), replies.get(6)) : null);
    return new JobLocation(listEntry, so.ttlSeconds(), so.metadata(), so.lastQueues());
  }

  private static Instant at(@Nullable Object score) {
    return Instant.ofEpochMilli(AdminReplies.number(score));
  }

  private static @Nullable JobList list(List<@Nullable Object> replies) {
    if (replies.get(0) != null) {
      return JobList.PROCESSING;
    }
    if (replies.get(1) != null || replies.get(2) != null) {
      return JobList.WAITING;
    }
    if (replies.get(3) != null) {
      return JobList.DELAYED;
    }
    return replies.get(4) == null ? null : JobList.DEAD;
  }

  /** Returns the lock; null when no worker has it. */
  static JobPage.@Nullable Lock lock(@Nullable Object owner, @Nullable Object seconds) {
    return owner == null
        ? null
        : new JobPage.Lock(owner.toString(), Math.max(0, AdminReplies.number(seconds)));
  }
}
