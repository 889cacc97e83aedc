package io.millrace.server.api;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The first page: counts, what happened lately, executors, problems. */
final class Overviews {

  private static final Map<String, Range> RANGES = ranges();
  static final Param<Range> RANGE = Param.choice("range", RANGES, RANGES.get("24h"));

  private final Sources sources;
  private final Executors executors;

  Overviews(Sources sources, Executors executors) {
    this.sources = sources;
    this.executors = executors;
  }

  /** A stretch of time, and the steps in which it is shown. */
  record Range(Duration length, Duration step) {}

  private static Map<String, Range> ranges() {
    Map<String, Range> ranges = new LinkedHashMap<>();
    ranges.put("1h", new Range(Duration.ofHours(1), Duration.ofMinutes(1)));
    ranges.put("24h", new Range(Duration.ofHours(24), Duration.ofMinutes(30)));
    ranges.put("7d", new Range(Duration.ofDays(7), Duration.ofHours(3)));
    ranges.put("30d", new Range(Duration.ofDays(30), Duration.ofHours(12)));
    return ranges;
  }

  /** Schema Overview. */
  record OverviewView(
      Instant now,
      Map<String, Long> counts,
      Map<String, Long> ended,
      long started,
      @Nullable Instant oldestDue,
      SeriesView series,
      List<Executors.ExecutorView> executors,
      List<Object> problems,
      List<Object> failures) {}

  /** Schema Series. */
  record SeriesView(Instant from, Instant to, long stepSeconds, List<BucketView> buckets) {}

  /** A step of a series. */
  record BucketView(
      Instant at,
      long started,
      long finished,
      long failed,
      long cancelled,
      @Nullable Double meanSeconds) {}

  Answer overview(Call call) {
    Range range = call.get(RANGE);
    Instant now = sources.clock().instant();
    Map<String, Long> counts = new LinkedHashMap<>();
    for (InstanceStatus status : InstanceStatus.values()) {
      counts.put(
          status.code(),
          (long)
              sources
                  .client()
                  .search(InstanceQuery.all().status(status).limit(1000))
                  .items()
                  .size());
    }
    return Answer.json(
        new OverviewView(
            now,
            counts,
            Map.of(),
            0,
            null,
            new SeriesView(now.minus(range.length()), now, range.step().toSeconds(), List.of()),
            executors.all(),
            List.of(),
            List.of()));
  }
}
