package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Protocol that uses only the commands of the npm package, for proofs of compatibility and for
 * users who want nothing else. A change between two commands of a method is not detected.
 */
final class NpmProtocol implements QueueProtocol {

  private final Redis redis;
  private final QueueKeys queueKeys;
  private final FailureFields failureFields;

  NpmProtocol(Redis redis, QueueKeys queueKeys, FailureFields failureFields) {
    this.redis = redis;
    this.queueKeys = queueKeys;
    this.failureFields = failureFields;
  }

  /** Leases nothing; jobs come only from blocking waits. */
  @Override
  public LeaseResult lease(String worker) {
    return new LeaseResult.Empty();
  }

  @Override
  public LeaseResult leaseEntry(String worker, String entry, boolean isRecent) {
    redis.call("SET", queueKeys.lock(entry), worker, "EX", Long.toString(queueKeys.lockSeconds()));
    List<String> attributes = queueKeys.queue().attributes();
    List<List<String>> commands = new ArrayList<>();
    for (String attribute : attributes) {
      commands.add(List.of("HGET", queueKeys.job(entry), attribute));
    }
    List<@Nullable String> texts = RedisReplies.texts(redis.pipelined(commands));
    int correlation = attributes.indexOf(LeasedJob.CORRELATION);
    List<@Nullable String> all = new ArrayList<>(texts.size() + 1);
    all.add(correlation < 0 ? null : texts.get(correlation));
    all.addAll(texts);
    return new LeaseResult.LeasedEntry(entry, all, LeaseResult.JobMetadata.NONE, "");
  }

  @Override
  public StoreResult complete(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Completed completed,
      boolean leaseNext) {
    String entry = leasedEntry.entry();
    store(entry, completed.fields());
    String next = completed.nextQueue();
    String waiting = next == null ? null : queueKeys.dialect().waiting(next, 1);
    List<List<String>> commands = new ArrayList<>();
    if (waiting != null) {
      commands.add(List.of("RPUSH", waiting, entry));
    }
    commands.add(List.of("LREM", queueKeys.processing(), "1", entry));
    commands.add(List.of("DEL", queueKeys.lock(entry)));
    commands.add(List.of("LLEN", queueKeys.processing()));
    List<@Nullable Object> replies = redis.transaction(commands);
    if (RedisReplies.number(replies.get(replies.size() - 3)) > 0) {
      return new StoreResult(StoreResult.Status.OK, null);
    }
    if (waiting != null) {
      redis.call("LREM", waiting, "-1", entry);
    }
    return new StoreResult(StoreResult.Status.INVALID, null);
  }

  /** Fails the job, since this protocol has no retries. */
  @Override
  public StoreResult retry(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Retry retry,
      boolean leaseNext) {
    return fail(
        worker, leasedEntry, new JobOutcome.Failed(retry.reason(), retry.cause()), leaseNext);
  }

  @Override
  public StoreResult fail(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Failed failed,
      boolean leaseNext) {
    store(leasedEntry.entry(), failureFields.fields(failed.message()));
    long removed =
        RedisReplies.number(redis.call("LREM", queueKeys.processing(), "1", leasedEntry.entry()));
    return new StoreResult(removed > 0 ? StoreResult.Status.OK : StoreResult.Status.INVALID, null);
  }

  private void store(String entry, List<String> fields) {
    List<String> command = new ArrayList<>(fields.size() + 2);
    command.add("HSET");
    command.add(queueKeys.job(entry));
    command.addAll(fields);
    redis.call(command.toArray(String[]::new));
  }

  @Override
  public boolean release(String worker, String entry) {
    List<@Nullable Object> replies =
        redis.transaction(
            List.of(
                List.of("LPUSH", queueKeys.waiting(), entry),
                List.of("LREM", queueKeys.processing(), "-1", entry),
                List.of("DEL", queueKeys.lock(entry))));
    return RedisReplies.number(replies.get(1)) > 0;
  }
}
