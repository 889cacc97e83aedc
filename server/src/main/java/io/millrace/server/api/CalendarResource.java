package io.millrace.server.api;

import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.UpcomingRun;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.store.SequenceStore.Fire;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The past and planned fires of all sequences. The work is limited, however many sequences there
 * are.
 */
final class CalendarResource {

  static final Param<Instant> FROM = Param.time("from");
  static final Param<Instant> TO = Param.time("to");
  static final Param<String> ZONE = Param.text("zone", 60);

  /** Upper limit of the fires in one response. */
  static final int MAX_FIRES = 5_000;

  /** Upper limit of the sequences to read, those that are due first. */
  static final int MAX_WORKFLOWS = 10_000;

  private static final Duration MAX_RANGE = Duration.ofDays(45);

  /**
   * Time for which a response is shared; many clients read it at once, and it is the same for all.
   */
  private static final Duration AGE = Duration.ofSeconds(1);

  private final ApiContext context;
  private final SequenceService sequenceService;
  private final CachedSupplier<List<UpcomingRun>> upcoming;

  CalendarResource(ApiContext context) {
    this.context = context;
    this.sequenceService = context.engine().sequences();
    this.upcoming =
        new CachedSupplier<>(
            context.clock(), AGE, () -> sequenceService.upcoming(MAX_WORKFLOWS + 1));
  }

  /** Schema Calendar. */
  record CalendarView(
      Instant now,
      List<FireView> fires,
      boolean truncated,
      List<DstTransitions.ChangeView> clockChanges,
      List<Blackouts.ClosedView> closed,
      List<Integer> load) {}

  ApiResponse get(ApiRequest request) {
    Instant from = request.get(FROM);
    Instant to = request.get(TO);
    if (!from.isBefore(to) || Duration.between(from, to).compareTo(MAX_RANGE) > 0) {
      throw ProblemException.invalid(
          "to", "is " + to + "; expected a time after 'from', at most 45 days after it.");
    }
    ZoneId zone = zone(request);
    Instant now = context.clock().instant();
    List<UpcomingRun> all = upcoming.get();
    List<UpcomingRun> runs = all.subList(0, Math.min(all.size(), MAX_WORKFLOWS));
    Instant begin = from.isBefore(now) ? now : from;
    // Past and planned fires each get their share.
    PlannedFires planned =
        PlannedFires.of(runs, begin, to, from.isBefore(now) ? MAX_FIRES / 2 : MAX_FIRES);
    int room = MAX_FIRES - planned.fires().size();
    List<Fire> past = sequenceService.firesBetween(from, to, room + 1);
    List<FireView> fires = new ArrayList<>();
    past.stream().limit(room).map(FireView::of).forEach(fires::add);
    fires.addAll(planned.fires());
    fires.sort(Comparator.comparing(FireView::slot).thenComparing(FireView::sequenceId));
    List<Schedule> schedules = runs.stream().map(UpcomingRun::schedule).toList();
    return ApiResponse.json(
        new CalendarView(
            now,
            fires,
            all.size() > MAX_WORKFLOWS || planned.more() || past.size() > room,
            DstTransitions.of(schedules, from, to),
            Blackouts.of(runs, from, to),
            HourlyFireForecast.of(runs, now, zone)));
  }

  private static ZoneId zone(ApiRequest request) {
    String zone = request.find(ZONE);
    try {
      return ZoneId.of(zone == null ? "UTC" : zone);
    } catch (DateTimeException e) {
      throw ProblemException.invalid(
          "zone", "is no time zone; expected one such as Europe/Berlin.");
    }
  }
}
