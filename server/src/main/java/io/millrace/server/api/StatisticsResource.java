package io.millrace.server.api;

import io.millrace.instance.StatisticsBucket;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.store.StatisticsAggregator;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The numbers of starts and ends over time. */
final class StatisticsResource {

  private static final Map<String, Range> RANGES = ranges();
  static final Param<Range> RANGE = Param.choice("range", RANGES, RANGES.get("24h"));

  /** Time by which the counts may lag, since the counting pauses between its rounds. */
  private static final Duration COUNTING_LAG = Duration.ofMinutes(1);

  static final Param<String> TYPE = Param.text("type", InstanceFilterReader.NAME);

  private final ApiContext context;

  StatisticsResource(ApiContext context) {
    this.context = context;
  }

  /** A period of time, and the buckets in which it is shown. */
  record Range(Duration length, Duration bucketLength) {}

  private static Map<String, Range> ranges() {
    Map<String, Range> ranges = new LinkedHashMap<>();
    ranges.put("1h", new Range(Duration.ofHours(1), Duration.ofMinutes(1)));
    ranges.put("24h", new Range(Duration.ofHours(24), Duration.ofMinutes(30)));
    ranges.put("7d", new Range(Duration.ofDays(7), Duration.ofHours(3)));
    ranges.put("30d", new Range(Duration.ofDays(30), Duration.ofHours(12)));
    return ranges;
  }

  /** Schema Series. */
  record SeriesView(
      Instant from, Instant to, Instant completeTo, long bucketSeconds, List<BucketView> buckets) {}

  /** A bucket of a series. */
  record BucketView(
      Instant at,
      long started,
      long finished,
      long failed,
      long cancelled,
      @Nullable Double meanSeconds) {

    static BucketView of(StatisticsBucket bucket) {
      Duration mean = bucket.meanDuration();
      return new BucketView(
          bucket.start(),
          bucket.started(),
          bucket.finished(),
          bucket.failed(),
          bucket.cancelled(),
          mean == null ? null : mean.toMillis() / 1000.0);
    }
  }

  ApiResponse series(ApiRequest request) {
    return ApiResponse.json(series(request.get(RANGE), context.admin().now(), request.find(TYPE)));
  }

  /** Returns the series whose last bucket contains {@code now}. */
  SeriesView series(Range range, Instant now, @Nullable String type) {
    long bucketSeconds = range.bucketLength().toSeconds();
    Instant to = Instant.ofEpochSecond((now.getEpochSecond() / bucketSeconds + 1) * bucketSeconds);
    Instant from = to.minus(range.length());
    return new SeriesView(
        from,
        to,
        new StatisticsAggregator(now.minus(COUNTING_LAG)).horizon(),
        bucketSeconds,
        context.admin().series(from, to, range.bucketLength(), type).stream()
            .map(BucketView::of)
            .toList());
  }
}
