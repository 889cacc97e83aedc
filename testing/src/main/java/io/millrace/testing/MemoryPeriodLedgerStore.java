package io.millrace.testing;

import io.millrace.data.PeriodClaimRequest;
import io.millrace.data.PeriodClaimResult;
import io.millrace.data.PeriodEntry;
import io.millrace.data.PeriodId;
import io.millrace.data.PeriodQuery;
import io.millrace.data.PeriodState;
import io.millrace.instance.Due;
import io.millrace.instance.Page;
import io.millrace.store.ContinuousStore.MissedPeriod;
import io.millrace.store.Fence;
import io.millrace.store.NewInstance;
import io.millrace.store.PeriodLedgerRules;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.StartResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The period ledger in memory. */
final class MemoryPeriodLedgerStore implements PeriodLedgerStore {

  private static final Comparator<PeriodId> ORDER =
      Comparator.comparing(PeriodId::key).thenComparing(PeriodId::period);

  private static final Comparator<PeriodId> ORDER_OF_MISSED =
      Comparator.comparing(PeriodId::key)
          .thenComparing(PeriodId::period, Comparator.reverseOrder());

  private static final Comparator<PeriodEntry> NEWEST =
      Comparator.comparing(MemoryPeriodLedgerStore::endOf)
          .reversed()
          .thenComparing(PeriodEntry::id, ORDER_OF_MISSED);

  private record Row(PeriodEntry entry, int maxAttempts) {}

  private final MemoryTables tables;
  private final TreeMap<PeriodId, Row> rows = new TreeMap<>(ORDER);

  MemoryPeriodLedgerStore(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public PeriodClaimResult claim(PeriodClaimRequest request, @Nullable Fence fence) {
    return tables.transaction(
        now -> tables.holds(fence) ? claim(request, now) : new PeriodClaimResult.Fenced());
  }

  PeriodClaimResult claim(PeriodClaimRequest request, Instant now) {
    Row row = rows.get(request.id());
    if (row != null && !PeriodLedgerRules.isOwn(row.entry, request) && row.entry.state().isHeld()) {
      close(row, now);
      row = rows.get(request.id());
    }
    PeriodEntry entry = row == null ? null : row.entry;
    if (entry != null && PeriodLedgerRules.isOwn(entry, request)) {
      PeriodEntry.Hold hold = entry.hold();
      return put(
          new PeriodEntry(
              entry.id(),
              entry.state(),
              new PeriodEntry.Hold(
                  hold.token(),
                  hold.holder(),
                  request.executorId(),
                  hold.executionId(),
                  hold.leaseUntil() == null ? null : lease(request, now)),
              entry.attempt(),
              entry.claimed(),
              null,
              null),
          request);
    }
    if (entry != null && !PeriodLedgerRules.isFree(entry, request, now)) {
      return new PeriodClaimResult.Taken(entry);
    }
    return put(
        new PeriodEntry(
            request.id(),
            PeriodLedgerRules.claimed(request),
            new PeriodEntry.Hold(
                entry == null ? 1 : entry.hold().token() + 1,
                request.claimant(),
                request.executorId(),
                request.executionId(),
                lease(request, now)),
            entry == null ? 1 : entry.attempt() + 1,
            now,
            null,
            null),
        request);
  }

  private PeriodClaimResult put(PeriodEntry entry, PeriodClaimRequest request) {
    rows.put(entry.id(), new Row(entry, request.maxAttempts()));
    return new PeriodClaimResult.Claimed(entry);
  }

  private static @Nullable Instant lease(PeriodClaimRequest request, Instant now) {
    return request.lease() == null
        ? null
        : MemoryColumnTimes.of(new Due.After(request.lease()), now);
  }

  @Override
  public StartClaimResult claimAndStart(PeriodClaimRequest request, NewInstance instance) {
    return tables.transaction(now -> {
      tables.hooks.requireWriters(instance);
      return switch (claim(request, now)) {
        case PeriodClaimResult.Claimed(PeriodEntry entry)
            when entry.state() == PeriodState.RUNNING ->
            new StartClaimResult.Started(entry, null);
        case PeriodClaimResult.Claimed(PeriodEntry entry) -> {
          StartResult started = tables.start(instance, now);
          yield new StartClaimResult.Started(run(request, started.id()), started);
        }
        case PeriodClaimResult.Taken(PeriodEntry entry) -> new StartClaimResult.Taken(entry);
        case PeriodClaimResult.Fenced fenced ->
            throw new IllegalStateException("A claim without fence was fenced");
      };
    });
  }

  /** Records that the instance holds a claimed period until it ends. */
  PeriodEntry run(PeriodClaimRequest request, long executionId) {
    PeriodEntry entry = Objects.requireNonNull(rows.get(request.id())).entry;
    PeriodEntry.Hold hold = entry.hold();
    PeriodEntry running =
        new PeriodEntry(
            entry.id(),
            PeriodState.RUNNING,
            new PeriodEntry.Hold(hold.token(), hold.holder(), hold.executorId(), executionId, null),
            entry.attempt(),
            entry.claimed(),
            null,
            null);
    put(running, request);
    return running;
  }

  @Override
  public boolean renew(PeriodId id, long token, Duration lease) {
    return tables.transaction(now -> {
      Row row = rows.get(id);
      if (row == null
          || row.entry.hold().token() != token
          || row.entry.hold().leaseUntil() == null
          || !row.entry.state().isHeld()) {
        return false;
      }
      PeriodEntry entry = row.entry;
      PeriodEntry.Hold hold = entry.hold();
      PeriodEntry renewed =
          new PeriodEntry(
              id,
              entry.state(),
              new PeriodEntry.Hold(
                  token,
                  hold.holder(),
                  hold.executorId(),
                  hold.executionId(),
                  MemoryColumnTimes.of(new Due.After(lease), now)),
              entry.attempt(),
              entry.claimed(),
              null,
              null);
      rows.put(id, new Row(renewed, row.maxAttempts));
      return true;
    });
  }

  @Override
  public CloseResult close(CloseRequest closeRequest, @Nullable Fence fence) {
    return tables.transaction(now -> {
      if (!tables.holds(fence)) {
        return new CloseResult.Fenced();
      }
      PeriodState to = PeriodState.to(closeRequest.operation());
      Row row = rows.get(closeRequest.id());
      boolean mine = row != null && row.entry.hold().token() == closeRequest.token();
      if (row != null && mine && row.entry.state().allows(closeRequest.operation())) {
        close(row, closeRequest.operation(), closeRequest.reason(), now);
        return new CloseResult.Closed(to);
      }
      return row != null && mine && row.entry.state() == to
          ? new CloseResult.Closed(to)
          : new CloseResult.NotHolder(row == null ? null : row.entry);
    });
  }

  private PeriodEntry close(
      Row row, PeriodState.Operation operation, @Nullable String reason, Instant now) {
    PeriodEntry entry = row.entry;
    PeriodEntry.Hold hold = entry.hold();
    PeriodEntry ended =
        new PeriodEntry(
            entry.id(),
            PeriodState.to(operation),
            new PeriodEntry.Hold(
                hold.token(), hold.holder(), hold.executorId(), hold.executionId(), null),
            entry.attempt(),
            entry.claimed(),
            now,
            MemoryColumnTexts.reason(reason));
    rows.put(entry.id(), new Row(ended, row.maxAttempts));
    return ended;
  }

  @Override
  public List<PeriodId> recordMissed(List<PeriodId> periods, String reason) {
    return tables.transaction(now -> recordMissed(periods, reason, now));
  }

  List<PeriodId> recordMissed(List<MissedPeriod> periods, Instant now) {
    return periods.stream()
        .flatMap(one -> recordMissed(List.of(one.id()), one.reason(), now).stream())
        .toList();
  }

  List<PeriodId> recordMissed(List<PeriodId> periods, String reason, Instant now) {
    List<PeriodId> missed = new ArrayList<>();
    for (PeriodId id : periods.stream().sorted(ORDER).toList()) {
      Row row = rows.get(id);
      if (row == null) {
        PeriodEntry.Hold nobody = new PeriodEntry.Hold(0, "-", null, null, null);
        row = new Row(new PeriodEntry(id, PeriodState.RELEASED, nobody, 0, now, null, null), 1);
      }
      if (row.entry.state().allows(PeriodState.Operation.MISS)) {
        close(row, PeriodState.Operation.MISS, reason, now);
        missed.add(id);
      }
    }
    return missed;
  }

  private static Instant endOf(PeriodEntry entry) {
    return Objects.requireNonNull(entry.ended());
  }

  @Override
  public List<PeriodEntry> missed(Instant since, int limit) {
    return tables.transaction(now ->
        rows.values().stream()
            .map(Row::entry)
            .filter(entry -> entry.state() == PeriodState.MISSED)
            .filter(entry -> !endOf(entry).isBefore(since))
            .sorted(NEWEST)
            .limit(limit)
            .toList());
  }

  @Override
  public Optional<PeriodEntry> find(PeriodId id) {
    return tables.transaction(now -> Optional.ofNullable(rows.get(id)).map(Row::entry));
  }

  @Override
  public Page<PeriodEntry> list(PeriodQuery query) {
    return tables.transaction(now -> {
      List<PeriodEntry> found =
          rows.descendingMap().values().stream()
              .map(Row::entry)
              .filter(entry -> entry.id().key().equals(query.key()))
              .filter(entry -> isWithin(entry.id().period(), query))
              .filter(entry -> query.states().isEmpty() || query.states().contains(entry.state()))
              .limit(query.limit() + 1L)
              .toList();
      boolean more = found.size() > query.limit();
      List<PeriodEntry> items = more ? found.subList(0, query.limit()) : found;
      return new Page<>(items, more ? items.getLast().id().period() : null);
    });
  }

  private static boolean isWithin(String period, PeriodQuery query) {
    return (query.from() == null || period.compareTo(query.from()) >= 0)
        && (query.to() == null || period.compareTo(query.to()) <= 0)
        && (query.cursor() == null || period.compareTo(query.cursor()) < 0);
  }

  @Override
  public List<String> keys(@Nullable String after, int limit) {
    return tables.transaction(now ->
        rows.keySet().stream()
            .map(PeriodId::key)
            .distinct()
            .filter(schedule -> after == null || schedule.compareTo(after) > 0)
            .limit(limit)
            .toList());
  }

  @Override
  public List<PeriodEntry> closeEnded(int limit) {
    return tables.transaction(now ->
        List.copyOf(rows.values()).stream()
            .filter(row -> row.entry.state().isHeld())
            .map(row -> close(row, now))
            .flatMap(Stream::ofNullable)
            .limit(limit)
            .toList());
  }

  /** Closes an entry; returns null if it is not over. */
  private @Nullable PeriodEntry close(Row row, Instant now) {
    PeriodEntry entry = row.entry;
    Long execution = entry.hold().executionId();
    PeriodLedgerRules.Closing closing;
    if (execution == null) {
      Instant until = entry.hold().leaseUntil();
      if (until == null || !until.isBefore(now) || entry.attempt() < row.maxAttempts) {
        return null;
      }
      closing = PeriodLedgerRules.ofLease(entry.attempt());
    } else {
      MemoryInstance instance = tables.rows.get(execution);
      if (instance != null && !instance.status.isTerminal()) {
        return null;
      }
      MemoryInstance last = instance != null ? instance : tables.archive.get(execution);
      closing =
          PeriodLedgerRules.ofInstance(
              last == null ? null : last.status,
              last == null ? null : last.reason,
              entry.attempt() < row.maxAttempts);
    }
    return close(row, closing.operation(), closing.reason(), now);
  }

  @Override
  public int deleteEnded(Duration age, int limit) {
    return tables.transaction(now -> {
      List<PeriodId> old =
          rows.values().stream()
              .map(Row::entry)
              .filter(entry -> entry.ended() != null && entry.ended().isBefore(now.minus(age)))
              .limit(limit)
              .map(PeriodEntry::id)
              .toList();
      old.forEach(rows::remove);
      return old.size();
    });
  }
}
