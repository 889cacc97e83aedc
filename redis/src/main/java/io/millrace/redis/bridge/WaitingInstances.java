package io.millrace.redis.bridge;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The instances that wait for jobs, by job. What is not asked for again is forgotten by and by: the
 * job may end, and its instance go on, in other processes. Thread-safe.
 */
final class WaitingInstances {

  private final int most;
  private final LinkedHashMap<String, Long> instances = new LinkedHashMap<>();

  /**
   * Of nobody.
   *
   * @param most beyond these the one is forgotten that was put longest ago
   */
  WaitingInstances(int most) {
    this.most = most;
  }

  synchronized void put(String job, long instance) {
    instances.putLast(job, instance);
    if (instances.size() > most) {
      instances.pollFirstEntry();
    }
  }

  /** Whose instance waits for the job, and is not known any more then; null for none. */
  synchronized @Nullable Long remove(String job) {
    return instances.remove(job);
  }
}
