package io.millrace.store;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodLedger;
import io.millrace.data.PeriodState;
import io.millrace.schedule.CalendarPeriod;
import io.millrace.store.PeriodLedgerStore.CloseRequest;
import io.millrace.store.PeriodLedgerStore.CloseResult;
import java.time.InstantSource;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The period ledger, accessed on behalf of an instance. */
public final class PeriodLedgerService implements PeriodLedger {

  /** Prefix of the keys in the ledger that handlers claim. */
  public static final String PREFIX = "guard:";

  private final PeriodLedgerStore store;
  private final StoreCaller storeCaller;
  private final InstantSource clock;
  private final long executionId;

  /**
   * @param clock determines the current period
   * @param executionId the instance on whose behalf periods are claimed
   */
  public PeriodLedgerService(
      PeriodLedgerStore store, StoreCaller storeCaller, InstantSource clock, long executionId) {
    this.store = store;
    this.storeCaller = storeCaller;
    this.clock = clock;
    this.executionId = executionId;
  }

  @Override
  public Claim claim(String key, String period) {
    return claimFor(key, period, executionId);
  }

  @Override
  public Claim claim(String key, CalendarPeriod calendarPeriod, ZoneId zone) {
    return claim(key, calendarPeriod.key(clock.instant(), zone));
  }

  @Override
  public Claim claimFor(String key, String period, long execution) {
    PeriodId id = new PeriodId(PREFIX + key, period);
    Fence fence = storeCaller.fence();
    PeriodClaimRequest plain = PeriodClaimRequest.of(id, execution);
    PeriodClaimRequest request = fence == null ? plain : plain.by(fence.executorId());
    return switch (storeCaller.call(() -> store.claim(request, fence))) {
      case PeriodClaimResult.Claimed(PeriodEntry entry) -> answer(entry, true);
      case PeriodClaimResult.Taken(PeriodEntry entry) -> answer(entry, false);
      case PeriodClaimResult.Fenced fenced -> throw storeCaller.fencedException("Period " + id);
    };
  }

  private static Claim answer(PeriodEntry entry, boolean mine) {
    return new Claim(entry.id(), mine, entry.claimId(), entry.hold().token(), mine ? null : entry);
  }

  @Override
  public boolean complete(Claim claim) {
    return end(claim, PeriodState.Operation.COMPLETE, null);
  }

  @Override
  public boolean release(Claim claim, String reason) {
    return end(claim, PeriodState.Operation.RELEASE, reason);
  }

  private boolean end(Claim claim, PeriodState.Operation operation, @Nullable String reason) {
    if (!claim.shouldRun()) {
      return false;
    }
    CloseRequest closeRequest =
        new CloseRequest(claim.period(), claim.fencingToken(), operation, reason);
    return switch (storeCaller.call(() -> store.close(closeRequest, storeCaller.fence()))) {
      case CloseResult.Closed closed -> true;
      case CloseResult.NotHolder notHolder -> false;
      case CloseResult.Fenced fenced ->
          throw storeCaller.fencedException("Period " + claim.period());
    };
  }
}
