package io.millrace.testing;

import io.millrace.instance.Action;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.Series;
import io.millrace.store.StatisticsStore;
import io.millrace.store.Tally;
import io.millrace.store.Timings;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Counts and sums in memory. */
final class MemoryStatistics implements StatisticsStore {

  private final MemoryTables tables;
  private final Map<Tally.Key, Tally.Counts> counted = new TreeMap<>();
  private long lastStarted;
  private MemoryTables.TimedId lastEnded = new MemoryTables.TimedId(Instant.EPOCH, 0);

  MemoryStatistics(MemoryTables tables) {
    this.tables = tables;
  }

  private Stream<WorkflowInstance> openAndFailed() {
    return tables.rows.values().stream()
        .filter(row -> row.ended == null || row.status == InstanceStatus.FAILED)
        .map(MemoryRow::snapshot);
  }

  @Override
  public List<TypeCount> open() {
    return tables.transaction(now ->
        openAndFailed()
            .collect(Collectors.groupingBy(i -> new TypeCount(i.type(), i.status(), 0), counting()))
            .entrySet()
            .stream()
            .map(e -> new TypeCount(e.getKey().type(), e.getKey().status(), e.getValue()))
            .sorted(
                Comparator.comparing(TypeCount::type).thenComparing(count -> count.status().code()))
            .toList());
  }

  private static <T> Collector<T, ?, Long> counting() {
    return Collectors.counting();
  }

  @Override
  public List<StateCount> states(String type) {
    Comparator<StateCount> order =
        Comparator.comparingInt(StateCount::version)
            .thenComparing(StateCount::state)
            .thenComparing(count -> count.status().code());
    return tables.transaction(now ->
        openAndFailed()
            .filter(i -> i.type().equals(type))
            .collect(
                Collectors.groupingBy(
                    i -> new StateCount(i.version(), i.state(), i.status(), 0), counting()))
            .entrySet()
            .stream()
            .map(e -> {
              StateCount key = e.getKey();
              return new StateCount(key.version(), key.state(), key.status(), e.getValue());
            })
            .sorted(order)
            .toList());
  }

  @Override
  public List<FailureGroup> failures(@Nullable String type, int limit) {
    return tables.transaction(now ->
        tables.rows.values().stream()
            .filter(row -> row.failure != null)
            .collect(Collectors.groupingBy(row -> Objects.requireNonNull(row.failure)))
            .values()
            .stream()
            .filter(rows -> type == null || type.equals(rows.getLast().origin.type()))
            .map(MemoryStatistics::group)
            .sorted(
                Comparator.comparingLong(FailureGroup::count)
                    .thenComparingLong(group -> group.newest().instanceId())
                    .reversed())
            .limit(limit)
            .toList());
  }

  /** Of rows in the order of their ids. */
  private static FailureGroup group(List<MemoryRow> rows) {
    MemoryRow newest = rows.getLast();
    List<Instant> ends =
        rows.stream().flatMap(row -> Stream.ofNullable(row.ended)).sorted().toList();
    return new FailureGroup(
        Objects.requireNonNull(newest.failure),
        newest.origin.type(),
        newest.state,
        rows.size(),
        new FailureGroup.Newest(newest.id, newest.reason),
        ends.isEmpty() ? rows.getFirst().modified : ends.getFirst(),
        ends.isEmpty() ? newest.modified : ends.getLast());
  }

  @Override
  public List<Bucket> series(Instant from, Instant to, Duration step, @Nullable String type) {
    return tables.transaction(now -> {
      Series series = Series.of(from, to, step, now);
      return series.buckets(
          counted.entrySet().stream()
              .filter(e -> e.getKey().grain() == series.grain())
              .filter(e -> type == null || type.equals(e.getKey().type()))
              .map(e -> new Series.Counted(e.getKey().bucket(), e.getValue()))
              .filter(c -> !c.start().isBefore(series.from()) && c.start().isBefore(series.to()))
              .toList());
    });
  }

  @Override
  public Optional<Instant> oldestDue() {
    return tables.transaction(now ->
        tables.claimable.values().stream()
            .map(lane -> lane.first().time())
            .filter(due -> !due.isAfter(now))
            .min(Comparator.naturalOrder()));
  }

  @Override
  public List<StateTiming> timings(String type, int sample) {
    return tables.transaction(now ->
        Timings.of(
            tables.rows.descendingMap().values().stream()
                .filter(row -> row.origin.type().equals(type))
                .limit(Math.clamp(sample, 1, Timings.MOST_SAMPLES))
                .flatMap(row -> row.actions.stream())
                .filter(action -> Timings.Attempt.isOne(action.type()))
                .limit(Timings.MOST_ATTEMPTS)
                .map(MemoryStatistics::attempt)
                .toList()));
  }

  private static Timings.Attempt attempt(Action action) {
    return new Timings.Attempt(
        action.move().from(),
        action.move().to(),
        action.type(),
        Duration.between(action.span().started(), action.span().ended()));
  }

  @Override
  public int rollUp(Instant now) {
    return tables.transaction(at -> {
      Tally tally = new Tally(now);
      int sum = countStarts(tally) + countEnds(tally);
      tally.counts().forEach((key, more) -> counted.merge(key, more, Tally.Counts::plus));
      counted
          .keySet()
          .removeIf(key ->
              key.grain() == Tally.Grain.MINUTE && key.bucket().isBefore(Tally.keptFrom(now)));
      return sum;
    });
  }

  private int countStarts(Tally tally) {
    List<MemoryRow> started =
        tables.rows.tailMap(lastStarted, false).values().stream()
            .takeWhile(row -> row.created.isBefore(tally.horizon()))
            .toList();
    for (MemoryRow row : started) {
      tally.started(row.origin.type(), row.created);
      lastStarted = row.id;
    }
    return started.size();
  }

  private int countEnds(Tally tally) {
    List<MemoryTables.TimedId> ended =
        tables.ended.tailSet(lastEnded, false).stream()
            .takeWhile(end -> end.time().isBefore(tally.horizon()))
            .toList();
    for (MemoryTables.TimedId end : ended) {
      MemoryRow row = Objects.requireNonNull(tables.rows.get(end.id()));
      tally.ended(row.origin.type(), row.status, row.created, end.time());
      lastEnded = end;
    }
    return ended.size();
  }
}
