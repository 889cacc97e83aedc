package io.millrace.redis.work;

import io.millrace.redis.connect.Redis;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.ProtocolKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Changes the jobs of a queue, each time by one script. All methods throw the exceptions of {@link
 * io.millrace.redis.connect.Redis}. Thread-safe.
 */
final class QueueProtocol {

  private final Redis redis;
  private final QueueKeys queueKeys;
  private final List<String> keys;
  private final FailureFields failureFields;

  /** Arguments by the worker's id. Workers are few, and every call needs these texts. */
  private final Map<String, List<String>> arguments = new ConcurrentHashMap<>();

  /**
   * Last ticket. Tickets let the server distinguish a repeated call from the outcome of a later
   * lease of the same job.
   */
  private final AtomicLong tickets = new AtomicLong();

  QueueProtocol(Redis redis, QueueKeys queueKeys, FailureFields failureFields) {
    this.redis = redis;
    this.queueKeys = queueKeys;
    this.keys = queueKeys.keys();
    this.failureFields = failureFields;
  }

  /** Leases the next waiting job. */
  LeaseResult lease(String worker) {
    return leaseResult(redis.run(LuaScript.LEASE, keys, common(worker)));
  }

  /**
   * Leases a job that was moved to the processing list already.
   *
   * @param isRecent true if no process can have recovered the job since
   */
  LeaseResult leaseMoved(String worker, String id, boolean isRecent) {
    return leaseResult(run(LuaScript.LEASE_MOVED, worker, id, flag(isRecent)));
  }

  private LeaseResult leaseResult(@Nullable Object reply) {
    return LeaseResult.read(reply, Long.toString(tickets.incrementAndGet()));
  }

  /**
   * Stores the result of a job.
   *
   * @param leaseNext true to lease the next job at once
   */
  StoreResult complete(
      String worker, LeaseResult.Leased leased, JobOutcome.Completed completed, boolean leaseNext) {
    String next = completed.nextQueue();
    LeaseResult.JobMetadata jobMetadata = leased.metadata();
    List<String> own = new ArrayList<>(completed.fields().size() + 8);
    own.add(leased.id());
    own.add(flag(leaseNext));
    own.add(next == null ? "" : ProtocolKeys.waiting(next));
    own.add(next == null ? "" : MillraceKeys.queue(next));
    own.add(jobMetadata.priority());
    own.add(jobMetadata.holderKey());
    own.add(flag(!jobMetadata.equals(LeaseResult.JobMetadata.NONE)));
    own.add(leased.ticket());
    own.addAll(completed.fields());
    return storeResult(redis.run(LuaScript.COMPLETE, keys, joined(worker, own)));
  }

  /** Stores that an attempt has failed and the job is retried, as in {@link #complete}. */
  StoreResult retry(
      String worker, LeaseResult.Leased leased, JobOutcome.Retry retry, boolean leaseNext) {
    return comeBack(worker, leased, leaseNext, true, retry.delay(), retry.reason());
  }

  /** Stores that a job comes back later, as in {@link #complete}. */
  StoreResult later(
      String worker, LeaseResult.Leased leased, JobOutcome.Later later, boolean leaseNext) {
    return comeBack(worker, leased, leaseNext, false, later.delay(), later.reason());
  }

  private StoreResult comeBack(
      String worker,
      LeaseResult.Leased leased,
      boolean leaseNext,
      boolean hasFailed,
      Duration delay,
      String reason) {
    return storeResult(
        run(
            LuaScript.COME_BACK,
            worker,
            leased.id(),
            flag(leaseNext),
            flag(hasFailed),
            Long.toString(delay.toMillis()),
            reason,
            leased.metadata().priority(),
            leased.ticket()));
  }

  /** Stores that a job has failed for good, as in {@link #complete}. */
  StoreResult fail(
      String worker, LeaseResult.Leased leased, JobOutcome.Failed failed, boolean leaseNext) {
    List<String> own = new ArrayList<>(16);
    own.add(leased.id());
    own.add(flag(leaseNext));
    own.add(leased.metadata().holderKey());
    own.add(Integer.toString(queueKeys.policy().maxDeadJobs()));
    own.add(leased.ticket());
    own.addAll(failureFields.fields(failed.message()));
    return storeResult(redis.run(LuaScript.FAIL, keys, joined(worker, own)));
  }

  /**
   * Releases a leased job whose outcome is not stored, unless another worker has locked it; returns
   * true if it did.
   */
  boolean release(String worker, String id) {
    return "OK".equals(run(LuaScript.RELEASE, worker, id));
  }

  private StoreResult storeResult(@Nullable Object reply) {
    List<?> parts = (List<?>) RedisReplies.need(reply);
    Object next = parts.size() < 2 ? null : parts.get(1);
    return new StoreResult(
        StoreResult.Status.valueOf(RedisReplies.text(parts.getFirst())),
        next == null ? null : leaseResult(next));
  }

  private @Nullable Object run(LuaScript luaScript, String worker, String... own) {
    return redis.run(luaScript, keys, joined(worker, List.of(own)));
  }

  private List<String> common(String worker) {
    return arguments.computeIfAbsent(worker, queueKeys::arguments);
  }

  private List<String> joined(String worker, List<String> own) {
    List<String> common = common(worker);
    List<String> all = new ArrayList<>(common.size() + own.size());
    all.addAll(common);
    all.addAll(own);
    return all;
  }

  private static String flag(boolean value) {
    return value ? "1" : "0";
  }
}
