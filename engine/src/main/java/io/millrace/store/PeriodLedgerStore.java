package io.millrace.store;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.instance.Page;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The period ledger: which periods of which keys were done, are being done, or were missed. The
 * entry's key is the decision: of all claimants of a period, one gets it.
 */
public interface PeriodLedgerStore {

  /** Claims a period, unless it is held or finished. */
  PeriodClaimResult claim(PeriodClaimRequest request, @Nullable Fence fence);

  /**
   * Claims a period and starts the instance that does its work, in one transaction; the instance's
   * end closes the entry. A claimant that asks again gets the instance it started.
   *
   * @param instance without external id: a period can be done again when its instance failed
   */
  StartClaimResult claimAndStart(PeriodClaimRequest request, NewInstance instance);

  /**
   * Extends the lease of a claim.
   *
   * @return false if the token is not that of the present holder
   */
  boolean renew(PeriodId id, long token, Duration lease);

  /** Applies an operation of the holder of a token. */
  CloseResult close(CloseRequest closeRequest, @Nullable Fence fence);

  /**
   * Records unclaimed and released periods as missed.
   *
   * @return the recorded periods
   */
  List<PeriodId> recordMissed(List<PeriodId> periods, String reason);

  /** Returns the missed periods of all keys since then, the newest first. */
  List<PeriodEntry> missed(Instant since, int limit);

  Optional<PeriodEntry> find(PeriodId id);

  /** Returns a page of a key's periods. */
  Page<PeriodEntry> list(PeriodQuery query);

  /** Returns the keys that have entries, in their order, after {@code after}; null for all. */
  List<String> keys(@Nullable String after, int limit);

  /**
   * Closes entries whose instance has ended or is missing, and those whose lease has expired with
   * no attempt left. A failed instance releases its period while attempts are left.
   *
   * @return the closed and released entries
   */
  List<PeriodEntry> closeEnded(int limit);

  /** Deletes entries that ended longer ago than {@code age}. */
  int deleteEnded(Duration age, int limit);

  /**
   * An operation of the holder.
   *
   * @param operation {@code COMPLETE}, {@code FAIL} or {@code RELEASE}
   * @param reason null for none
   */
  record CloseRequest(
      PeriodId id, long token, PeriodState.Operation operation, @Nullable String reason) {}

  /** The result of {@link #close}. */
  sealed interface CloseResult {

    /** The entry is closed with this state, by this call or an earlier one with the same token. */
    record Closed(PeriodState state) implements CloseResult {}

    /**
     * Another holder has the period, or it has ended otherwise.
     *
     * @param current null if it was never claimed
     */
    record NotHolder(@Nullable PeriodEntry current) implements CloseResult {}

    /** The requesting instance has passed to another executor; nothing was written. */
    record Fenced() implements CloseResult {}
  }

  /** The result of {@link #claimAndStart}. */
  sealed interface StartClaimResult {

    /**
     * The instance was started, by this call or an earlier one.
     *
     * @param created the result of the start; null for an earlier one
     */
    record Started(PeriodEntry entry, @Nullable StartResult created) implements StartClaimResult {}

    /** The period was not claimed: another holder works on it or has finished it. */
    record Taken(PeriodEntry entry) implements StartClaimResult {}
  }
}
