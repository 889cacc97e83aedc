package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.EngineBuilder;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.schedule.DstPolicy;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/run-every-month-end.md}. */
class MonthEndRecipeTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private final List<LocalDate> closed = new ArrayList<>();

  private EngineBuilder closing(EngineBuilder builder) {
    // docs:monthend
    Schedule lastBusinessDay =
        Schedule.cron("0 0 18 LW * ?", DstPolicy.EARLIER)
            .zone(ZoneId.of("Europe/Berlin"))
            .misfire(MisfirePolicy.ALL);
    return builder
        .task(Task.of("CLOSE", "Books"), task -> close(task.window().to().atZone(BERLIN)))
        .sequence(TaskSequence.of("Books_monthend", "Books", lastBusinessDay).task("CLOSE"));
    // docs:end
  }

  private void close(ZonedDateTime end) {
    closed.add(end.toLocalDate());
  }

  @Test
  void itRunsOnTheLastBusinessDayOfEachMonth() {
    try (ManualEngine engine = start()) {
      engine.advance(Duration.ofDays(120));
      assertThat(closed)
          .containsExactly(
              LocalDate.of(2026, 1, 30),
              LocalDate.of(2026, 2, 27),
              LocalDate.of(2026, 3, 31),
              LocalDate.of(2026, 4, 30));
    }
  }

  @Test
  void monthsThatPassedDuringAnOutageAreMadeUpFor() {
    try (ManualEngine engine = start()) {
      engine.advance(Duration.ofDays(1));
      engine.clock().advance(Duration.ofDays(90));
      engine.advance(Duration.ofMinutes(10));
      assertThat(closed)
          .containsExactly(
              LocalDate.of(2026, 1, 30), LocalDate.of(2026, 2, 27), LocalDate.of(2026, 3, 31));
    }
  }

  private ManualEngine start() {
    EngineSettings seldom =
        EngineSettings.defaults()
            .lease(Duration.ofHours(60), Duration.ofHours(12))
            .maxSleep(Duration.ofHours(12));
    return ManualEngine.with(seldom, MemoryStore::new, this::closing);
  }
}
