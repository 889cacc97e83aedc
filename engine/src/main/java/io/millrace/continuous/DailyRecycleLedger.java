package io.millrace.continuous;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodState;
import io.millrace.store.PeriodLedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** The ledger of daily recycles, which has one entry for each node and local date. */
final class DailyRecycleLedger {

  /** Prefix of the id in the ledger; group and node name follow. */
  static final String LEDGER_KEY_PREFIX = "recycle:";

  private static final Duration LEASE = Duration.ofMinutes(1);
  private static final int MAX_ATTEMPTS = 1_000;

  /** Number of earlier dates to search: a change of the zone moves a date by 26 hours at most. */
  private static final int DAYS_BACK = 2;

  private final PeriodLedgerStore ledger;
  private final String group;

  DailyRecycleLedger(PeriodLedgerStore ledger, String group) {
    this.ledger = ledger;
    this.group = group;
  }

  /** The local date of a recycle, in the current zone of the policy. */
  record Day(String node, LocalDate date, ZoneId zone) {}

  /**
   * Claims a date for a recycle.
   *
   * @param changed when the settings of the group were changed; null if they never were
   * @return the claim, to be passed to {@link #complete}; or the entry of another recycle on that
   *     date
   */
  PeriodClaimResult claim(Day day, long executorId, @Nullable Instant changed) {
    for (int back = 1; changed != null && back <= DAYS_BACK; back++) {
      PeriodEntry before = ledger.find(id(day, day.date.minusDays(back))).orElse(null);
      if (before != null && takesUp(before, day, changed)) {
        return new PeriodClaimResult.Taken(before);
      }
    }
    PeriodClaimRequest request =
        PeriodClaimRequest.atLeastOnce(id(day, day.date), "executor " + executorId, LEASE)
            .by(executorId)
            .maxAttempts(MAX_ATTEMPTS);
    return ledger.claim(request, null);
  }

  /** Returns true for a recycle by earlier settings that happened on the present date. */
  private static boolean takesUp(PeriodEntry before, Day day, Instant changed) {
    return before.state() == PeriodState.SUCCEEDED
        && before.claimed().isBefore(changed)
        && LocalDate.ofInstant(before.claimed(), day.zone).equals(day.date);
  }

  /** Records that the recycle was started. */
  void complete(PeriodEntry claimed) {
    ledger.close(
        new PeriodLedgerStore.CloseRequest(
            claimed.id(), claimed.hold().token(), PeriodState.Operation.COMPLETE, null),
        null);
  }

  private PeriodId id(Day day, LocalDate date) {
    return new PeriodId(LEDGER_KEY_PREFIX + group + "/" + day.node, date.toString());
  }
}
