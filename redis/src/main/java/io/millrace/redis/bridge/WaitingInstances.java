package io.millrace.redis.bridge;

import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The instances that wait for jobs, by job. Entries are dropped in the course of time, because the
 * job may end, and its instance continue, in other processes. Thread-safe.
 */
final class WaitingInstances {

  private final int most;
  private final LinkedHashMap<String, Long> instances = new LinkedHashMap<>();

  /**
   * Creates an empty set.
   *
   * @param most upper limit of the entries; beyond it the oldest entry is dropped
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

  /** Removes and returns the instance that waits for the job; null for none. */
  synchronized @Nullable Long remove(String job) {
    return instances.remove(job);
  }
}
