package io.millrace.dispatch;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The instances that an executor holds, by id. */
final class LeasedInstances {

  private final Map<Long, LeasedInstance> byId = new ConcurrentHashMap<>();
  private final OrphanedHandlers orphanedHandlers;
  private final AtomicLong dataSize = new AtomicLong();

  LeasedInstances(OrphanedHandlers orphanedHandlers) {
    this.orphanedHandlers = orphanedHandlers;
  }

  /**
   * Adds a newly claimed instance unless a later claim of it is present: results of the database
   * can overtake each other. The older of two claims is thereby known to be lost, and is dropped.
   *
   * @return false if {@code leasedInstance} is the older one
   */
  boolean add(LeasedInstance leasedInstance, boolean interrupt) {
    @Nullable LeasedInstance[] older = new LeasedInstance[1];
    byId.compute(
        leasedInstance.id(),
        (id, present) -> {
          boolean wins = present == null || present.isOlderThan(leasedInstance);
          older[0] = wins ? present : leasedInstance;
          if (wins) {
            dataSize.addAndGet(leasedInstance.dataSize - (present == null ? 0 : present.dataSize));
          }
          return wins ? leasedInstance : present;
        });
    if (older[0] != null) {
      drop(older[0], "the instance was claimed again", interrupt);
    }
    return older[0] != leasedInstance;
  }

  /**
   * Drops the instance: its handler is cancelled and the result discarded.
   *
   * @param interrupt true to interrupt the handler's thread as well
   * @return the phase in which it was
   */
  LeasedInstance.Phase drop(LeasedInstance leased, String why, boolean interrupt) {
    LeasedInstance.Phase before = leased.endHold(why, interrupt);
    if (before == LeasedInstance.Phase.RUNNING) {
      orphanedHandlers.expect(leased);
    }
    return before;
  }

  /** Returns true if the instance was dropped and its handler has not ended yet. */
  boolean hasOrphanedHandler(long instanceId) {
    return orphanedHandlers.contains(instanceId);
  }

  /** Removes exactly this claim. */
  void remove(LeasedInstance leased) {
    if (byId.remove(leased.id(), leased)) {
      dataSize.addAndGet(-leased.dataSize);
    }
  }

  @Nullable LeasedInstance get(long instanceId) {
    return byId.get(instanceId);
  }

  Collection<LeasedInstance> all() {
    return byId.values();
  }

  int size() {
    return byId.size();
  }

  /** Returns the number of characters of the data that came with all claims. */
  long dataSize() {
    return dataSize.get();
  }
}
