package io.millrace.testing;

import io.millrace.data.Fire;
import io.millrace.data.FireClaim;
import io.millrace.data.FireId;
import io.millrace.data.FireQuery;
import io.millrace.data.FireRequest;
import io.millrace.data.FireState;
import io.millrace.instance.Due;
import io.millrace.instance.Page;
import io.millrace.store.AlwaysOnStore.MissedPeriod;
import io.millrace.store.Fence;
import io.millrace.store.FireRules;
import io.millrace.store.FireStore;
import io.millrace.store.NewInstance;
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

/** The fire ledger in memory. */
final class MemoryFires implements FireStore {

  private static final Comparator<FireId> ORDER =
      Comparator.comparing(FireId::schedule).thenComparing(FireId::period);

  private static final Comparator<FireId> ORDER_OF_MISSED =
      Comparator.comparing(FireId::schedule)
          .thenComparing(FireId::period, Comparator.reverseOrder());

  private static final Comparator<Fire> NEWEST =
      Comparator.comparing(MemoryFires::endOf).reversed().thenComparing(Fire::id, ORDER_OF_MISSED);

  private record Row(Fire fire, int maxAttempts) {}

  private final MemoryTables tables;
  private final TreeMap<FireId, Row> rows = new TreeMap<>(ORDER);

  MemoryFires(MemoryTables tables) {
    this.tables = tables;
  }

  @Override
  public FireClaim claim(FireRequest request, @Nullable Fence fence) {
    return tables.transaction(
        now -> tables.holds(fence) ? claim(request, now) : new FireClaim.Fenced());
  }

  FireClaim claim(FireRequest request, Instant now) {
    Row row = rows.get(request.id());
    if (row != null && !FireRules.isOwn(row.fire, request) && row.fire.state().isHeld()) {
      close(row, now);
      row = rows.get(request.id());
    }
    Fire fire = row == null ? null : row.fire;
    if (fire != null && FireRules.isOwn(fire, request)) {
      Fire.Hold hold = fire.hold();
      return put(
          new Fire(
              fire.id(),
              fire.state(),
              new Fire.Hold(
                  hold.token(),
                  hold.holder(),
                  request.executorId(),
                  hold.executionId(),
                  hold.leaseUntil() == null ? null : lease(request, now)),
              fire.attempt(),
              fire.claimed(),
              null,
              null),
          request);
    }
    if (fire != null && !FireRules.isFree(fire, request, now)) {
      return new FireClaim.Taken(fire);
    }
    return put(
        new Fire(
            request.id(),
            FireRules.claimed(request),
            new Fire.Hold(
                fire == null ? 1 : fire.hold().token() + 1,
                request.claimant(),
                request.executorId(),
                request.executionId(),
                lease(request, now)),
            fire == null ? 1 : fire.attempt() + 1,
            now,
            null,
            null),
        request);
  }

  private FireClaim put(Fire fire, FireRequest request) {
    rows.put(fire.id(), new Row(fire, request.maxAttempts()));
    return new FireClaim.Claimed(fire);
  }

  private static @Nullable Instant lease(FireRequest request, Instant now) {
    return request.lease() == null ? null : MemoryTimes.of(new Due.After(request.lease()), now);
  }

  @Override
  public FireStart claimAndStart(FireRequest request, NewInstance instance) {
    return tables.transaction(now ->
        switch (claim(request, now)) {
          case FireClaim.Claimed(Fire fire) when fire.state() == FireState.RUNNING ->
              new FireStart.Begun(fire, null);
          case FireClaim.Claimed(Fire fire) -> {
            StartResult started = tables.start(instance, now);
            yield new FireStart.Begun(run(request, started.id()), started);
          }
          case FireClaim.Taken(Fire fire) -> new FireStart.Taken(fire);
          case FireClaim.Fenced fenced ->
              throw new IllegalStateException("A claim without fence was fenced");
        });
  }

  /** The instance keeps a period that was claimed until it ends. */
  Fire run(FireRequest request, long executionId) {
    Fire fire = Objects.requireNonNull(rows.get(request.id())).fire;
    Fire.Hold hold = fire.hold();
    Fire running =
        new Fire(
            fire.id(),
            FireState.RUNNING,
            new Fire.Hold(hold.token(), hold.holder(), hold.executorId(), executionId, null),
            fire.attempt(),
            fire.claimed(),
            null,
            null);
    put(running, request);
    return running;
  }

  @Override
  public boolean renew(FireId id, long token, Duration lease) {
    return tables.transaction(now -> {
      Row row = rows.get(id);
      if (row == null
          || row.fire.hold().token() != token
          || row.fire.hold().leaseUntil() == null
          || !row.fire.state().isHeld()) {
        return false;
      }
      Fire fire = row.fire;
      Fire.Hold hold = fire.hold();
      Fire renewed =
          new Fire(
              id,
              fire.state(),
              new Fire.Hold(
                  token,
                  hold.holder(),
                  hold.executorId(),
                  hold.executionId(),
                  MemoryTimes.of(new Due.After(lease), now)),
              fire.attempt(),
              fire.claimed(),
              null,
              null);
      rows.put(id, new Row(renewed, row.maxAttempts));
      return true;
    });
  }

  @Override
  public FireEnd end(End end, @Nullable Fence fence) {
    return tables.transaction(now -> {
      if (!tables.holds(fence)) {
        return new FireEnd.Fenced();
      }
      FireState to = FireState.to(end.deed());
      Row row = rows.get(end.id());
      boolean mine = row != null && row.fire.hold().token() == end.token();
      if (row != null && mine && row.fire.state().allows(end.deed())) {
        end(row, end.deed(), end.reason(), now);
        return new FireEnd.Ended(to);
      }
      return row != null && mine && row.fire.state() == to
          ? new FireEnd.Ended(to)
          : new FireEnd.Passed(row == null ? null : row.fire);
    });
  }

  private Fire end(Row row, FireState.Deed deed, @Nullable String reason, Instant now) {
    Fire fire = row.fire;
    Fire.Hold hold = fire.hold();
    Fire ended =
        new Fire(
            fire.id(),
            FireState.to(deed),
            new Fire.Hold(hold.token(), hold.holder(), hold.executorId(), hold.executionId(), null),
            fire.attempt(),
            fire.claimed(),
            now,
            MemoryText.reason(reason));
    rows.put(fire.id(), new Row(ended, row.maxAttempts));
    return ended;
  }

  @Override
  public List<FireId> miss(List<FireId> periods, String reason) {
    return tables.transaction(now -> miss(periods, reason, now));
  }

  List<FireId> miss(List<MissedPeriod> periods, Instant now) {
    return periods.stream()
        .flatMap(one -> miss(List.of(one.id()), one.reason(), now).stream())
        .toList();
  }

  List<FireId> miss(List<FireId> periods, String reason, Instant now) {
    List<FireId> missed = new ArrayList<>();
    for (FireId id : periods.stream().sorted(ORDER).toList()) {
      Row row = rows.get(id);
      if (row == null) {
        Fire.Hold nobody = new Fire.Hold(0, "-", null, null, null);
        row = new Row(new Fire(id, FireState.RELEASED, nobody, 0, now, null, null), 1);
      }
      if (row.fire.state().allows(FireState.Deed.MISS)) {
        end(row, FireState.Deed.MISS, reason, now);
        missed.add(id);
      }
    }
    return missed;
  }

  private static Instant endOf(Fire fire) {
    return Objects.requireNonNull(fire.ended());
  }

  @Override
  public List<Fire> missed(Instant since, int limit) {
    return tables.transaction(now ->
        rows.values().stream()
            .map(Row::fire)
            .filter(fire -> fire.state() == FireState.MISSED)
            .filter(fire -> !endOf(fire).isBefore(since))
            .sorted(NEWEST)
            .limit(limit)
            .toList());
  }

  @Override
  public Optional<Fire> find(FireId id) {
    return tables.transaction(now -> Optional.ofNullable(rows.get(id)).map(Row::fire));
  }

  @Override
  public Page<Fire> list(FireQuery query) {
    return tables.transaction(now -> {
      List<Fire> found =
          rows.descendingMap().values().stream()
              .map(Row::fire)
              .filter(fire -> fire.id().schedule().equals(query.schedule()))
              .filter(fire -> isWithin(fire.id().period(), query))
              .filter(fire -> query.states().isEmpty() || query.states().contains(fire.state()))
              .limit(query.limit() + 1L)
              .toList();
      boolean more = found.size() > query.limit();
      List<Fire> items = more ? found.subList(0, query.limit()) : found;
      return new Page<>(items, more ? items.getLast().id().period() : null);
    });
  }

  private static boolean isWithin(String period, FireQuery query) {
    return (query.from() == null || period.compareTo(query.from()) >= 0)
        && (query.to() == null || period.compareTo(query.to()) <= 0)
        && (query.cursor() == null || period.compareTo(query.cursor()) < 0);
  }

  @Override
  public List<String> schedules(@Nullable String after, int limit) {
    return tables.transaction(now ->
        rows.keySet().stream()
            .map(FireId::schedule)
            .distinct()
            .filter(schedule -> after == null || schedule.compareTo(after) > 0)
            .limit(limit)
            .toList());
  }

  @Override
  public List<Fire> settle(int limit) {
    return tables.transaction(now ->
        List.copyOf(rows.values()).stream()
            .filter(row -> row.fire.state().isHeld())
            .map(row -> close(row, now))
            .flatMap(Stream::ofNullable)
            .limit(limit)
            .toList());
  }

  /** Null when it is not over. */
  private @Nullable Fire close(Row row, Instant now) {
    Fire fire = row.fire;
    Long execution = fire.hold().executionId();
    FireRules.Closing closing;
    if (execution == null) {
      Instant until = fire.hold().leaseUntil();
      if (until == null || !until.isBefore(now) || fire.attempt() < row.maxAttempts) {
        return null;
      }
      closing = FireRules.ofLease(fire.attempt());
    } else {
      MemoryRow instance = tables.rows.get(execution);
      if (instance != null && !instance.status.isTerminal()) {
        return null;
      }
      MemoryRow last = instance != null ? instance : tables.archive.get(execution);
      closing =
          FireRules.ofInstance(
              last == null ? null : last.status,
              last == null ? null : last.reason,
              fire.attempt() < row.maxAttempts);
    }
    return end(row, closing.deed(), closing.reason(), now);
  }

  @Override
  public int deleteEnded(Duration age, int limit) {
    return tables.transaction(now -> {
      List<FireId> old =
          rows.values().stream()
              .map(Row::fire)
              .filter(fire -> fire.ended() != null && fire.ended().isBefore(now.minus(age)))
              .limit(limit)
              .map(Fire::id)
              .toList();
      old.forEach(rows::remove);
      return old.size();
    });
  }
}
