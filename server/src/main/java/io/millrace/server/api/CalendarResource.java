package io.millrace.server.api;

import io.millrace.schedule.Schedule;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.UpcomingRun;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.store.SequenceStore.StoredSlotRecord;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The past and planned slots of all sequences. The work is limited, however many sequences there
 * are.
 */
final class CalendarResource {

  static final Param<Instant> FROM = Param.time("from");
  static final Param<Instant> TO = Param.time("to");
  static final Param<String> ZONE = Param.text("zone", 60);

  /** Upper limit of the slots in one response. */
  static final int MAX_SLOTS = 5_000;

  /** Upper limit of the sequences to read, those that are due first. */
  static final int MAX_SEQUENCES = 10_000;

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
            context.clock(), AGE, () -> sequenceService.upcoming(MAX_SEQUENCES + 1));
  }

  /** Schema Calendar. */
  record CalendarView(
      Instant now,
      List<SequenceSlotView> slots,
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
    List<UpcomingRun> runs = all.subList(0, Math.min(all.size(), MAX_SEQUENCES));
    Instant begin = from.isBefore(now) ? now : from;
    // Past and planned slots each get their share.
    UpcomingSlots planned =
        UpcomingSlots.of(runs, begin, to, from.isBefore(now) ? MAX_SLOTS / 2 : MAX_SLOTS);
    int room = MAX_SLOTS - planned.slots().size();
    List<StoredSlotRecord> past = sequenceService.slotRecordsBetween(from, to, room + 1);
    List<SequenceSlotView> slots = new ArrayList<>();
    past.stream().limit(room).map(SequenceSlotView::of).forEach(slots::add);
    slots.addAll(planned.slots());
    slots.sort(
        Comparator.comparing(SequenceSlotView::at).thenComparing(SequenceSlotView::sequenceId));
    List<Schedule> schedules = runs.stream().map(UpcomingRun::schedule).toList();
    return ApiResponse.json(
        new CalendarView(
            now,
            slots,
            all.size() > MAX_SEQUENCES || planned.more() || past.size() > room,
            DstTransitions.of(schedules, from, to),
            Blackouts.of(runs, from, to),
            HourlySlotForecast.of(runs, now, zone)));
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
