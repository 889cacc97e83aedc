package io.millrace.server.api;

import io.millrace.lifecycle.EngineClock;
import io.millrace.schedule.Schedule;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import java.io.IOException;
import java.time.Instant;

/** The explanation of schedules, stored or not. */
final class ScheduleResource {

  private static final int NEXT = 5;
  private static final int MAX = 100;

  private final EngineClock clock;

  ScheduleResource(ApiContext context) {
    this.clock = context.clock();
  }

  ApiResponse explain(ApiRequest request) throws IOException {
    JsonFields body = request.body("schedule", "slots");
    Schedule schedule = SequenceJsonParser.schedule(body);
    Long slots = body.optionalNumber("slots", 1, MAX);
    Instant now = clock.instant();
    ScheduleExplanationView explanation =
        ScheduleExplanationView.of(schedule, now, slots == null ? NEXT : slots.intValue());
    Instant first = schedule.first(now);
    return ApiResponse.json(
        first == null || first.isAfter(now)
            ? explanation
            : explanation.noting(
                "A sequence that is given this schedule now runs at once, for its slot "
                    + first
                    + "."));
  }
}
