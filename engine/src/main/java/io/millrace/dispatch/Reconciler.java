package io.millrace.dispatch;

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
 * Compares what the database says this executor owns with what it holds in memory, both ways. A row
 * owned but not held is the claim whose answer was lost: nobody else would ever recover it from a
 * living executor. An instance held but not owned has passed on.
 */
final class Reconciler {

  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

  /** An owned row that nobody here knows, and the last request that may still explain it. */
  private record Suspect(int leaseVersion, long ticket) {}

  private final InstanceStore work;
  private final OwnedLeases ownedLeases;
  private final LeasedInstances leasedInstances;
  private final PendingClaims pendingClaims;
  private final LostLeaseHandler lostLeaseHandler;
  private Map<Long, Suspect> suspects = new HashMap<>();

  /** Reads what an executor owns. */
  @FunctionalInterface
  interface OwnedLeases {
    Map<Long, Integer> of(long executorId);
  }

  /** Receives what is held here and owned by others. */
  interface LostLeaseHandler {
    void lost(LeasedInstance leased);

    /** Leases under this executor id belong to another process, or to none. */
    void disowned(long executorId);
  }

  Reconciler(
      InstanceStore work,
      OwnedLeases ownedLeases,
      LeasedInstances leasedInstances,
      PendingClaims pendingClaims,
      LostLeaseHandler lostLeaseHandler) {
    this.work = work;
    this.ownedLeases = ownedLeases;
    this.leasedInstances = leasedInstances;
    this.pendingClaims = pendingClaims;
    this.lostLeaseHandler = lostLeaseHandler;
  }

  /** Gives up all leases under an executor id; the next {@link #reconcile} drops the instances. */
  void disown(long executorId) {
    lostLeaseHandler.disowned(executorId);
  }

  void reconcile(long executorId) {
    List<LeasedInstance> before = List.copyOf(leasedInstances.all());
    Map<Long, Integer> owned = ownedLeases.of(executorId);
    for (LeasedInstance leased : before) {
      findLoss(leased, owned.get(leased.id()));
    }
    release(findOrphans(executorId, owned));
  }

  /**
   * Only instances leased before the rows were read, and still leased, can be judged; a save in
   * progress may explain a difference.
   */
  private void findLoss(LeasedInstance leased, @Nullable Integer ownedVersion) {
    boolean stillOwned = ownedVersion != null && ownedVersion == leased.fence().leaseVersion();
    boolean mayBeSaving =
        leased.phase() == LeasedInstance.Phase.SAVING
            || leased.phase() == LeasedInstance.Phase.DROPPED;
    if (!stillOwned && !mayBeSaving && leasedInstances.get(leased.id()) == leased) {
      lostLeaseHandler.lost(leased);
    }
  }

  private static boolean isHeld(@Nullable LeasedInstance leased, int leaseVersion) {
    return leased != null
        && leased.phase() != LeasedInstance.Phase.DROPPED
        && leased.fence().leaseVersion() >= leaseVersion;
  }

  /** Reads pending claims before leased instances: a claim becomes a lease, never the reverse. */
  private List<Fence> findOrphans(long executorId, Map<Long, Integer> owned) {
    Map<Long, Suspect> seen = new HashMap<>();
    List<Fence> orphans = new ArrayList<>();
    long ticket = pendingClaims.last();
    owned.forEach((id, leaseVersion) -> {
      Suspect suspect = suspects.get(id);
      boolean settled = suspect != null && pendingClaims.isSettled(suspect.ticket);
      if (isHeld(leasedInstances.get(id), leaseVersion)) {
        return;
      }
      if (suspect == null || suspect.leaseVersion != leaseVersion) {
        seen.put(id, new Suspect(leaseVersion, ticket));
      } else if (settled && !leasedInstances.isExiting(id)) {
        orphans.add(new Fence(id, executorId, leaseVersion, 0));
      } else {
        seen.put(id, suspect);
      }
    });
    suspects = seen;
    return orphans;
  }

  /** The last look of an executor that stops: whatever it owns and does not hold goes. */
  void releaseAll(long executorId) {
    List<Fence> owned = new ArrayList<>();
    ownedLeases
        .of(executorId)
        .forEach((id, leaseVersion) -> {
          if (!isHeld(leasedInstances.get(id), leaseVersion)) {
            owned.add(new Fence(id, executorId, leaseVersion, 0));
          }
        });
    release(owned);
  }

  private void release(List<Fence> orphans) {
    if (!orphans.isEmpty()) {
      int released = work.release(orphans);
      LOG.warn(
          "{} instances were owned by this executor without its knowledge and were given back",
          released);
    }
  }
}
