package io.millrace.dispatch;

import io.millrace.store.Fence;
import io.millrace.store.WorkStore;
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

  private final WorkStore work;
  private final OwnedRows ownedRows;
  private final HeldSet held;
  private final Acquisitions acquisitions;
  private final Losses losses;
  private Map<Long, Suspect> suspects = new HashMap<>();

  /** Reads what an executor owns. */
  @FunctionalInterface
  interface OwnedRows {
    Map<Long, Integer> of(long executorId);
  }

  /** Receives what is held here and owned by others. */
  interface Losses {
    void lost(Held held);

    /** Leases under this executor id belong to another process, or to none. */
    void disowned(long executorId);
  }

  Reconciler(
      WorkStore work, OwnedRows ownedRows, HeldSet held, Acquisitions acquisitions, Losses losses) {
    this.work = work;
    this.ownedRows = ownedRows;
    this.held = held;
    this.acquisitions = acquisitions;
    this.losses = losses;
  }

  /** Gives up all leases under an executor id; the next {@link #reconcile} drops the instances. */
  void disown(long executorId) {
    losses.disowned(executorId);
  }

  void reconcile(long executorId) {
    List<Held> before = List.copyOf(held.all());
    Map<Long, Integer> owned = ownedRows.of(executorId);
    for (Held mine : before) {
      findLoss(mine, owned.get(mine.id()));
    }
    release(findOrphans(executorId, owned));
  }

  /**
   * Only what was held before the rows were read, and still is, can be judged by them; a save under
   * way may explain it.
   */
  private void findLoss(Held mine, @Nullable Integer ownedVersion) {
    boolean stillOwned = ownedVersion != null && ownedVersion == mine.fence().leaseVersion();
    boolean mayBeSaving = mine.phase() == Held.Phase.SAVING || mine.phase() == Held.Phase.GONE;
    if (!stillOwned && !mayBeSaving && held.get(mine.id()) == mine) {
      losses.lost(mine);
    }
  }

  private static boolean isHeld(@Nullable Held mine, int leaseVersion) {
    return mine != null
        && mine.phase() != Held.Phase.GONE
        && mine.fence().leaseVersion() >= leaseVersion;
  }

  /**
   * What may explain a row is looked at before what is held: the one becomes the other, never the
   * reverse.
   */
  private List<Fence> findOrphans(long executorId, Map<Long, Integer> owned) {
    Map<Long, Suspect> seen = new HashMap<>();
    List<Fence> orphans = new ArrayList<>();
    long ticket = acquisitions.last();
    owned.forEach((id, leaseVersion) -> {
      Suspect suspect = suspects.get(id);
      boolean settled = suspect != null && acquisitions.settled(suspect.ticket);
      if (isHeld(held.get(id), leaseVersion)) {
        return;
      }
      if (suspect == null || suspect.leaseVersion != leaseVersion) {
        seen.put(id, new Suspect(leaseVersion, ticket));
      } else if (settled && !held.isExiting(id)) {
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
    ownedRows
        .of(executorId)
        .forEach((id, leaseVersion) -> {
          if (!isHeld(held.get(id), leaseVersion)) {
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
