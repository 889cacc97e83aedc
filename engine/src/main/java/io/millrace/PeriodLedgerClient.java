package io.millrace;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodLedger;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.instance.Page;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.PeriodLedgerStore.CloseRequest;
import io.millrace.store.PeriodLedgerStore.CloseResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Claims, ends and shows the periods of the ledger, for use outside of handlers, which have {@link
 * PeriodLedger}. Every write is atomic, and durable when its method returns. Thread-safe.
 *
 * <p>In the ledger, the keys that handlers claim have the prefix {@code guard:}. The periods that a
 * handler claims for {@code invoices} are those of the key {@code guard:invoices} here.
 */
public final class PeriodLedgerClient {

  private final PeriodLedgerStore store;

  PeriodLedgerClient(PeriodLedgerStore store) {
    this.store = store;
  }

  /** Claims a period, unless it is held or finished. */
  public PeriodClaimResult claim(PeriodClaimRequest request) {
    return store.claim(request, null);
  }

  /**
   * Extends the lease of a claim.
   *
   * @param token that of the claim
   * @return false if another claimant holds the period by now
   */
  public boolean renew(PeriodId id, long token, Duration lease) {
    return store.renew(id, token, lease);
  }

  /**
   * Records that the work is done.
   *
   * @param token that of the claim
   * @param reason null for none
   * @return false if another claimant holds the period by now, or it has ended otherwise
   */
  public boolean complete(PeriodId id, long token, @Nullable String reason) {
    return end(id, token, PeriodState.Operation.COMPLETE, reason);
  }

  /** Records that the work has failed; see {@link #complete}. */
  public boolean fail(PeriodId id, long token, @Nullable String reason) {
    return end(id, token, PeriodState.Operation.FAIL, reason);
  }

  /** Releases a period for the next claimant; see {@link #complete}. */
  public boolean release(PeriodId id, long token, @Nullable String reason) {
    return end(id, token, PeriodState.Operation.RELEASE, reason);
  }

  private boolean end(
      PeriodId id, long token, PeriodState.Operation operation, @Nullable String reason) {
    return store.close(new CloseRequest(id, token, operation, reason), null)
        instanceof CloseResult.Closed;
  }

  /** Returns the entry of a period; empty if it was neither claimed nor recorded as missed. */
  public Optional<PeriodEntry> find(PeriodId id) {
    return store.find(id);
  }

  /** Returns a page of a key's periods. */
  public Page<PeriodEntry> list(PeriodQuery query) {
    return store.list(query);
  }

  /** Returns the keys that have entries, in their order, after {@code after}; null for all. */
  public List<String> keys(@Nullable String after, int limit) {
    return store.keys(after, limit);
  }

  /** Returns the missed periods of all keys since then, newest first. */
  public List<PeriodEntry> missed(Instant since, int limit) {
    return store.missed(since, limit);
  }
}
