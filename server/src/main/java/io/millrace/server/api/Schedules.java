package io.millrace.server.api;

import io.millrace.lifecycle.EngineClock;
import io.millrace.schedule.Schedule;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import java.io.IOException;
import java.time.Instant;

/** Explains schedules, whether they are stored or not. */
final class Schedules {

  private static final int FIRES = 5;
  private static final int MOST = 100;

  private final EngineClock clock;

  Schedules(Sources sources) {
    this.clock = sources.clock();
  }

  Answer explain(Call call) throws IOException {
    Fields body = call.body("schedule", "fires");
    Schedule schedule = SequenceBodies.schedule(body);
    Long fires = body.optionalNumber("fires", 1, MOST);
    Instant now = clock.instant();
    ExplanationView explanation =
        ExplanationView.of(schedule, now, fires == null ? FIRES : fires.intValue());
    Instant first = schedule.first(now);
    return Answer.json(
        first == null || first.isAfter(now)
            ? explanation
            : explanation.noting(
                "A workflow that is given this schedule now runs at once, for its slot "
                    + first
                    + "."));
  }
}
