package io.millrace.testing;

import io.millrace.instance.FailureGroup;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StateCount;
import io.millrace.instance.StateTiming;
import io.millrace.instance.StatisticsBucket;
import io.millrace.instance.TypeCount;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.StateTimings;
import io.millrace.store.StatisticsAggregator;
import io.millrace.store.StatisticsSeries;
import io.millrace.store.StatisticsStore;
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

/** The statistics in memory. */
final class MemoryStatisticsStore implements StatisticsStore {

  private final MemoryTables tables;
  private final Map<StatisticsAggregator.Key, StatisticsAggregator.Counts> counted =
      new TreeMap<>();
  private long lastStarted;
  private MemoryTables.TimedId lastEnded = new MemoryTables.TimedId(Instant.EPOCH, 0);

  MemoryStatisticsStore(MemoryTables tables) {
    this.tables = tables;
  }

  private Stream<WorkflowInstance> openAndFailed() {
    return tables.rows.values().stream()
        .filter(row -> row.ended == null || row.status == InstanceStatus.FAILED)
        .map(MemoryInstance::snapshot);
  }

  @Override
  public List<TypeCount> countsByType() {
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
  public List<StateCount> countsByState(String type) {
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
            .map(MemoryStatisticsStore::group)
            .sorted(
                Comparator.comparingLong(FailureGroup::count)
                    .thenComparingLong(group -> group.newest().instanceId())
                    .reversed())
            .limit(limit)
            .toList());
  }

  /** Returns the group of rows in the order of their ids. */
  private static FailureGroup group(List<MemoryInstance> rows) {
    MemoryInstance newest = rows.getLast();
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
  public List<StatisticsBucket> series(
      Instant from, Instant to, Duration bucketLength, @Nullable String type) {
    return tables.transaction(now -> {
      StatisticsSeries statisticsSeries = StatisticsSeries.of(from, to, bucketLength, now);
      return statisticsSeries.buckets(
          counted.entrySet().stream()
              .filter(e -> e.getKey().grain() == statisticsSeries.grain())
              .filter(e -> type == null || type.equals(e.getKey().type()))
              .map(e -> new StatisticsSeries.TimedCounts(e.getKey().bucket(), e.getValue()))
              .filter(c ->
                  !c.start().isBefore(statisticsSeries.from())
                      && c.start().isBefore(statisticsSeries.to()))
              .toList());
    });
  }

  @Override
  public Optional<Instant> oldestDue() {
    return tables.transaction(now ->
        tables.claimable.values().stream()
            .map(keys -> keys.first().time())
            .filter(due -> !due.isAfter(now))
            .min(Comparator.naturalOrder()));
  }

  @Override
  public List<StateTiming> timings(String type, int sample) {
    return tables.transaction(now ->
        StateTimings.of(
            tables.rows.descendingMap().values().stream()
                .filter(row -> row.origin.type().equals(type))
                .limit(Math.clamp(sample, 1, StateTimings.MAX_SAMPLES))
                .flatMap(row -> row.actions.stream())
                .filter(entry -> StateTimings.Attempt.isOne(entry.type()))
                .limit(StateTimings.MAX_ATTEMPTS)
                .map(MemoryStatisticsStore::attempt)
                .toList()));
  }

  private static StateTimings.Attempt attempt(HistoryEntry entry) {
    return new StateTimings.Attempt(
        entry.move().from(),
        entry.move().to(),
        entry.type(),
        Duration.between(entry.span().started(), entry.span().ended()));
  }

  @Override
  public int rollUp(Instant now) {
    return tables.transaction(at -> {
      StatisticsAggregator statisticsAggregator = new StatisticsAggregator(now);
      int sum = countStarts(statisticsAggregator) + countEnds(statisticsAggregator);
      statisticsAggregator
          .counts()
          .forEach((key, more) -> counted.merge(key, more, StatisticsAggregator.Counts::plus));
      counted
          .keySet()
          .removeIf(key ->
              key.grain() == StatisticsAggregator.Granularity.MINUTE
                  && key.bucket().isBefore(StatisticsAggregator.keptFrom(now)));
      return sum;
    });
  }

  private int countStarts(StatisticsAggregator statisticsAggregator) {
    List<MemoryInstance> started =
        tables.rows.tailMap(lastStarted, false).values().stream()
            .takeWhile(row -> row.created.isBefore(statisticsAggregator.horizon()))
            .toList();
    for (MemoryInstance row : started) {
      statisticsAggregator.started(row.origin.type(), row.created);
      lastStarted = row.id;
    }
    return started.size();
  }

  private int countEnds(StatisticsAggregator statisticsAggregator) {
    List<MemoryTables.TimedId> ended =
        tables.ended.tailSet(lastEnded, false).stream()
            .takeWhile(end -> end.time().isBefore(statisticsAggregator.horizon()))
            .toList();
    for (MemoryTables.TimedId end : ended) {
      MemoryInstance row = Objects.requireNonNull(tables.rows.get(end.id()));
      statisticsAggregator.ended(row.origin.type(), row.status, row.created, end.time());
      lastEnded = end;
    }
    return ended.size();
  }
}
