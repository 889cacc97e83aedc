package io.millrace.redis.work;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Protocol for priority levels with lists of their own. A job is leased from the first level that
 * has one, and its outcome is stored in that level. Thread-safe.
 */
final class PriorityProtocol implements QueueProtocol {

  private final List<QueueProtocol> levels;

  /** Level of each job that was leased here; a job from a blocking wait is of the first level. */
  private final Map<String, QueueProtocol> levelByEntry = new ConcurrentHashMap<>();

  /**
   * Creates a protocol for all levels.
   *
   * @param levels the highest first
   */
  PriorityProtocol(List<QueueKeys> levels, Function<QueueKeys, QueueProtocol> protocol) {
    this.levels = levels.stream().map(protocol).toList();
  }

  @Override
  public LeaseResult lease(String worker) {
    LeaseResult answer = new LeaseResult.Empty();
    for (QueueProtocol level : levels) {
      answer = level.lease(worker);
      if (answer instanceof LeaseResult.LeasedEntry leasedEntry) {
        levelByEntry.put(leasedEntry.entry(), level);
      }
      if (!(answer instanceof LeaseResult.Empty)) {
        return answer;
      }
    }
    return answer;
  }

  @Override
  public LeaseResult leaseEntry(String worker, String entry, boolean isRecent) {
    return levels.getFirst().leaseEntry(worker, entry, isRecent);
  }

  /** Completes a job without leasing the next one, since one of a higher level may have come. */
  @Override
  public StoreResult complete(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Completed completed,
      boolean leaseNext) {
    return store(
        leasedEntry.entry(), level -> level.complete(worker, leasedEntry, completed, false));
  }

  @Override
  public StoreResult retry(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Retry retry,
      boolean leaseNext) {
    return store(leasedEntry.entry(), level -> level.retry(worker, leasedEntry, retry, false));
  }

  @Override
  public StoreResult fail(
      String worker,
      LeaseResult.LeasedEntry leasedEntry,
      JobOutcome.Failed failed,
      boolean leaseNext) {
    return store(leasedEntry.entry(), level -> level.fail(worker, leasedEntry, failed, false));
  }

  @Override
  public boolean release(String worker, String entry) {
    boolean released = of(entry).release(worker, entry);
    levelByEntry.remove(entry);
    return released;
  }

  private StoreResult store(String entry, Function<QueueProtocol, StoreResult> call) {
    StoreResult result = call.apply(of(entry));
    levelByEntry.remove(entry);
    return result;
  }

  private QueueProtocol of(String entry) {
    return levelByEntry.getOrDefault(entry, levels.getFirst());
  }
}
