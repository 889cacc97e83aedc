package io.millrace.server.api;

import io.millrace.instance.TypeCount;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The data of the first page: counts, recent events, executors and problems. */
final class OverviewResource {

  private static final Duration AGE = Duration.ofSeconds(1);
  private static final int GROUPS = 5;

  private final ApiContext context;
  private final StatisticsResource statisticsResource;
  private final ExecutorResource executorResource;
  private final FailureGroupResource failureGroupResource;
  private final OpenProblemResource problems;
  private final Map<StatisticsResource.Range, CachedSupplier<OverviewView>> byRange =
      new ConcurrentHashMap<>();

  OverviewResource(
      ApiContext context,
      StatisticsResource statisticsResource,
      ExecutorResource executorResource,
      FailureGroupResource failureGroupResource,
      OpenProblemResource problems) {
    this.context = context;
    this.statisticsResource = statisticsResource;
    this.executorResource = executorResource;
    this.failureGroupResource = failureGroupResource;
    this.problems = problems;
  }

  /** Schema Overview. */
  record OverviewView(
      Instant now,
      Map<String, Long> counts,
      Map<String, Long> ended,
      long started,
      @Nullable Instant oldestDue,
      StatisticsResource.SeriesView series,
      List<ExecutorResource.ExecutorView> executors,
      List<OpenProblemResource.ProblemView> problems,
      List<FailureGroupResource.GroupView> failures) {

    /** Returns the part that the caller may read. */
    OverviewView readable(ApiRequest request) {
      return new OverviewView(
          now,
          counts,
          ended,
          started,
          oldestDue,
          series,
          executors,
          OpenProblemResource.readable(request, problems),
          FailureGroupResource.readable(request, failures));
    }
  }

  ApiResponse overview(ApiRequest request) {
    return ApiResponse.json(
        byRange
            .computeIfAbsent(
                request.get(StatisticsResource.RANGE),
                range -> new CachedSupplier<>(context.clock(), AGE, () -> load(range)))
            .get()
            .readable(request));
  }

  private OverviewView load(StatisticsResource.Range range) {
    Instant now = context.admin().now();
    StatisticsResource.SeriesView series = statisticsResource.series(range, now, null);
    return new OverviewView(
        now,
        counts(context.admin().open()),
        Map.of(
            "finished", sum(series, StatisticsResource.BucketView::finished),
            "failed", sum(series, StatisticsResource.BucketView::failed),
            "cancelled", sum(series, StatisticsResource.BucketView::cancelled)),
        sum(series, StatisticsResource.BucketView::started),
        context.admin().oldestDue().orElse(null),
        series,
        executorResource.all(),
        problems.all(),
        failureGroupResource.largest(GROUPS));
  }

  static Map<String, Long> counts(List<TypeCount> open) {
    Map<String, Long> counts = new TreeMap<>();
    open.forEach(count -> counts.merge(count.status().code(), count.count(), Long::sum));
    return counts;
  }

  private static long sum(
      StatisticsResource.SeriesView series, ToLongFunction<StatisticsResource.BucketView> number) {
    return series.buckets().stream().mapToLong(number).sum();
  }
}
