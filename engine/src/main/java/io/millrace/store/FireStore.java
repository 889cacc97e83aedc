package io.millrace.store;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireQuery;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.instance.Page;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fire ledger: which periods of which schedules were done, are being done, or were missed. The
 * entry's key is the decision: of all who claim a period, one gets it.
 */
public interface FireStore {

  /** Takes a period, unless somebody has it or is done with it. */
  FireClaim claim(FireRequest request, @Nullable Fence fence);

  /**
   * Takes a period and starts the instance that does its work, in one transaction; the instance's
   * end closes the entry. A claimant that asks again gets the instance it started.
   *
   * @param instance without external id: a period can be done again when its instance failed
   */
  FireStart claimAndStart(FireRequest request, NewInstance instance);

  /**
   * Keeps others away for longer.
   *
   * @return false when the token is not that of the present holder
   */
  boolean renew(FireId id, long token, Duration lease);

  /** Does a deed as the holder of a token. */
  FireEnd end(End end, @Nullable Fence fence);

  /**
   * Writes periods down as missed, those that nobody has claimed and those that were released.
   *
   * @return those that were
   */
  List<FireId> miss(List<FireId> periods, String reason);

  /** Returns the periods of all schedules that were missed since then, the newest first. */
  List<Fire> missed(Instant since, int limit);

  Optional<Fire> find(FireId id);

  /** A page of a schedule's periods. */
  Page<Fire> list(FireQuery query);

  /** The ids of schedules that have entries, in their order, after {@code after}; null for all. */
  List<String> schedules(@Nullable String after, int limit);

  /**
   * Closes entries whose instance has ended or is gone, and those whose lease is over with no
   * attempt left. A failed instance releases its period while attempts are left.
   *
   * @return what became of them, with their schedules
   */
  List<Fire> settle(int limit);

  /** Deletes entries that ended longer ago than {@code age}. */
  int deleteEnded(Duration age, int limit);

  /**
   * A deed of the holder.
   *
   * @param deed {@code COMPLETE}, {@code FAIL} or {@code RELEASE}
   * @param reason null for nothing to say
   */
  record End(FireId id, long token, FireState.Deed deed, @Nullable String reason) {}

  /** What came of {@link #end}. */
  sealed interface FireEnd {

    /** It has come to this, by this call or an earlier one with the same token. */
    record Ended(FireState state) implements FireEnd {}

    /**
     * Somebody else holds it now, or it had ended otherwise.
     *
     * @param current null when nobody ever claimed it
     */
    record Passed(@Nullable Fire current) implements FireEnd {}

    /** The instance that wanted it has passed on to another executor; nothing was written. */
    record Fenced() implements FireEnd {}
  }

  /** What came of {@link #claimAndStart}. */
  sealed interface FireStart {

    /**
     * The instance was started, by this call or an earlier one.
     *
     * @param created what came of the start; null when it was an earlier one
     */
    record Begun(Fire fire, @Nullable StartResult created) implements FireStart {}

    /** Somebody else has it, or had it and is done. */
    record Taken(Fire fire) implements FireStart {}
  }
}
