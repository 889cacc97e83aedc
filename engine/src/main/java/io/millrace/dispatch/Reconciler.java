package io.millrace.dispatch;

import io.millrace.store.ExecutorStore;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A comparison, in both directions, of the rows that this executor owns in the database with the
 * instances it holds in memory. A row that is owned but not held belongs to a claim whose result
 * was lost: no other executor would ever recover it from a living one. An instance that is held but
 * not owned has passed on.
 */
final class Reconciler {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  /** An owned row that is unknown here, and the last request that may still explain it. */
  private record Suspect(int leaseVersion, long ticket) {}

  private final InstanceStore instances;
  private final ExecutorStore executors;
  private final LeasedInstances leasedInstances;
  private final PendingClaims pendingClaims;
  private final InstanceProcessor processor;
  private Map<Long, Suspect> suspects = new HashMap<>();

  Reconciler(
      InstanceStore instances,
      ExecutorStore executors,
      LeasedInstances leasedInstances,
      PendingClaims pendingClaims,
      InstanceProcessor processor) {
    this.instances = instances;
    this.executors = executors;
    this.leasedInstances = leasedInstances;
    this.pendingClaims = pendingClaims;
    this.processor = processor;
  }

  void reconcile(long executorId) {
    List<LeasedInstance> before = List.copyOf(leasedInstances.all());
    Map<Long, Integer> owned = executors.ownedInstances(executorId);
    for (LeasedInstance leased : before) {
      findLoss(leased, owned.get(leased.id()));
    }
    release(findUnknownLeases(executorId, owned));
  }

  /**
   * Drops an instance that was lost. Only instances leased before the rows were read, and still
   * leased, can be judged; a save in progress may explain a difference.
   */
  private void findLoss(LeasedInstance leased, @Nullable Integer ownedVersion) {
    boolean stillOwned = ownedVersion != null && ownedVersion == leased.fence().leaseVersion();
    boolean mayBeSaving =
        leased.phase() == LeasedInstance.Phase.SAVING
            || leased.phase() == LeasedInstance.Phase.GONE;
    if (!stillOwned && !mayBeSaving && leasedInstances.get(leased.id()) == leased) {
      processor.dropLost(leased, "the database shows another holder");
    }
  }

  private static boolean isHeld(@Nullable LeasedInstance leased, int leaseVersion) {
    return leased != null
        && leased.phase() != LeasedInstance.Phase.GONE
        && leased.fence().leaseVersion() >= leaseVersion;
  }

  /**
   * Returns owned rows that no lease or pending claim explains. Reads pending claims before leased
   * instances: a claim becomes a lease, never the reverse.
   */
  private List<Fence> findUnknownLeases(long executorId, Map<Long, Integer> owned) {
    Map<Long, Suspect> seen = new HashMap<>();
    List<Fence> unknownLeases = new ArrayList<>();
    long ticket = pendingClaims.last();
    owned.forEach((id, leaseVersion) -> {
      Suspect suspect = suspects.get(id);
      boolean complete = suspect != null && pendingClaims.isComplete(suspect.ticket);
      if (isHeld(leasedInstances.get(id), leaseVersion)) {
        return;
      }
      if (suspect == null || suspect.leaseVersion != leaseVersion) {
        seen.put(id, new Suspect(leaseVersion, ticket));
      } else if (complete && !leasedInstances.hasOrphanedHandler(id)) {
        unknownLeases.add(new Fence(id, executorId, leaseVersion, 0));
      } else {
        seen.put(id, suspect);
      }
    });
    suspects = seen;
    return unknownLeases;
  }

  /** Releases all rows that a stopping executor owns and does not hold, as its last check. */
  void releaseAll(long executorId) {
    List<Fence> owned = new ArrayList<>();
    executors
        .ownedInstances(executorId)
        .forEach((id, leaseVersion) -> {
          if (!isHeld(leasedInstances.get(id), leaseVersion)) {
            owned.add(new Fence(id, executorId, leaseVersion, 0));
          }
        });
    release(owned);
  }

  private void release(List<Fence> unknownLeases) {
    if (!unknownLeases.isEmpty()) {
      int released = instances.release(unknownLeases);
      LOG.warn(
          "{} instances were owned by this executor without its knowledge and were released",
          released);
    }
  }
}
