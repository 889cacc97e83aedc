package io.millrace.server.api;

import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.store.StatisticsStore.TypeCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The first page: counts, what happened lately, executors, problems. */
final class Overviews {

  private static final Duration AGE = Duration.ofSeconds(1);
  private static final int GROUPS = 5;

  private final Sources sources;
  private final Statistics statistics;
  private final Executors executors;
  private final Failures failures;
  private final OpenProblems problems;
  private final Map<Statistics.Range, Cached<OverviewView>> byRange = new ConcurrentHashMap<>();

  Overviews(
      Sources sources,
      Statistics statistics,
      Executors executors,
      Failures failures,
      OpenProblems problems) {
    this.sources = sources;
    this.statistics = statistics;
    this.executors = executors;
    this.failures = failures;
    this.problems = problems;
  }

  /** Schema Overview. */
  record OverviewView(
      Instant now,
      Map<String, Long> counts,
      Map<String, Long> ended,
      long started,
      @Nullable Instant oldestDue,
      Statistics.SeriesView series,
      List<Executors.ExecutorView> executors,
      List<OpenProblems.ProblemView> problems,
      List<Failures.GroupView> failures) {

    /** Returns what the caller may read of it. */
    OverviewView readable(Call call) {
      return new OverviewView(
          now,
          counts,
          ended,
          started,
          oldestDue,
          series,
          executors,
          OpenProblems.readable(call, problems),
          Failures.readable(call, failures));
    }
  }

  Answer overview(Call call) {
    return Answer.json(
        byRange
            .computeIfAbsent(
                call.get(Statistics.RANGE),
                range -> new Cached<>(sources.clock(), AGE, () -> load(range)))
            .get()
            .readable(call));
  }

  private OverviewView load(Statistics.Range range) {
    Instant now = sources.operations().now();
    Statistics.SeriesView series = statistics.series(range, now, null);
    return new OverviewView(
        now,
        counts(sources.operations().open()),
        Map.of(
            "finished", sum(series, Statistics.BucketView::finished),
            "failed", sum(series, Statistics.BucketView::failed),
            "cancelled", sum(series, Statistics.BucketView::cancelled)),
        sum(series, Statistics.BucketView::started),
        sources.operations().oldestDue().orElse(null),
        series,
        executors.all(),
        problems.all(),
        failures.largest(GROUPS));
  }

  static Map<String, Long> counts(List<TypeCount> open) {
    Map<String, Long> counts = new TreeMap<>();
    open.forEach(count -> counts.merge(count.status().code(), count.count(), Long::sum));
    return counts;
  }

  private static long sum(
      Statistics.SeriesView series, ToLongFunction<Statistics.BucketView> number) {
    return series.buckets().stream().mapToLong(number).sum();
  }
}
