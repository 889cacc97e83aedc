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
 * The period ledger: which periods of which schedules were done, are being done, or were missed.
 * The entry's key is the decision: of all who claim a period, one gets it.
 */
public interface PeriodLedgerStore {

  /** Claims a period, unless it is held or finished. */
  PeriodClaimResult claim(PeriodClaimRequest request, @Nullable Fence fence);

  /**
   * Takes a period and starts the instance that does its work, in one transaction; the instance's
   * end closes the entry. A claimant that asks again gets the instance it started.
   *
   * @param instance without external id: a period can be done again when its instance failed
   */
  StartClaimResult claimAndStart(PeriodClaimRequest request, NewInstance instance);

  /**
   * Keeps others away for longer.
   *
   * @return false when the token is not that of the present holder
   */
  boolean renew(PeriodId id, long token, Duration lease);

  /** Applies an operation of the holder of a token. */
  CloseResult close(CloseRequest closeRequest, @Nullable Fence fence);

  /**
   * Writes periods down as missed, those that nobody has claimed and those that were released.
   *
   * @return those that were
   */
  List<PeriodId> recordMissed(List<PeriodId> periods, String reason);

  /** Returns the periods of all schedules that were missed since then, the newest first. */
  List<PeriodEntry> missed(Instant since, int limit);

  Optional<PeriodEntry> find(PeriodId id);

  /** A page of a schedule's periods. */
  Page<PeriodEntry> list(PeriodQuery query);

  /** The ids of schedules that have entries, in their order, after {@code after}; null for all. */
  List<String> keys(@Nullable String after, int limit);

  /**
   * Closes entries whose instance has ended or is gone, and those whose lease is over with no
   * attempt left. A failed instance releases its period while attempts are left.
   *
   * @return what became of them, with their schedules
   */
  List<PeriodEntry> closeEnded(int limit);

  /** Deletes entries that ended longer ago than {@code age}. */
  int deleteEnded(Duration age, int limit);

  /**
   * An operation of the holder.
   *
   * @param operation {@code COMPLETE}, {@code FAIL} or {@code RELEASE}
   * @param reason null for nothing to say
   */
  record CloseRequest(
      PeriodId id, long token, PeriodState.Operation operation, @Nullable String reason) {}

  /** The result of {@link #close}. */
  sealed interface CloseResult {

    /** Closed with this state, by this call or an earlier one with the same token. */
    record Closed(PeriodState state) implements CloseResult {}

    /**
     * Another holder has the period, or it has ended otherwise.
     *
     * @param current null when nobody ever claimed it
     */
    record NotHolder(@Nullable PeriodEntry current) implements CloseResult {}

    /** The instance that wanted it has passed on to another executor; nothing was written. */
    record Fenced() implements CloseResult {}
  }

  /** The result of {@link #claimAndStart}. */
  sealed interface StartClaimResult {

    /**
     * The instance was started, by this call or an earlier one.
     *
     * @param created what came of the start; null when it was an earlier one
     */
    record Started(PeriodEntry fire, @Nullable StartResult created) implements StartClaimResult {}

    /** Not claimed: another holder works on the period or has finished it. */
    record Taken(PeriodEntry fire) implements StartClaimResult {}
  }
}
