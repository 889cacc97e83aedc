package io.millrace.examples.recipes;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.EngineBuilder;
import io.millrace.schedule.MisfirePolicy;
import io.millrace.schedule.OverlapPolicy;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.testing.ManualEngine;
import io.millrace.testing.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The programs of {@code docs/recipes/migrate-from-quartz.md}. */
class QuartzRecipeTest {

  private final List<String> mails = new ArrayList<>();

  private EngineBuilder invoices(EngineBuilder builder, MisfirePolicy misfire) {
    // docs:sequence
    Schedule mornings =
        Schedule.cron("0 30 9 ? * MON-FRI")
            .zone(ZoneId.of("Europe/Berlin"))
            .misfire(misfire)
            .overlap(OverlapPolicy.SKIP);
    return builder
        .task(
            Task.of("SEND", "Invoices"),
            task -> send(task.parameter("region", String.class).orElseThrow(), task.window().to()))
        .sequence(
            TaskSequence.of("Invoices_north", "Invoices", mornings)
                .task("SEND")
                .parameter("region", "north"));
    // docs:end
  }

  private void send(String region, Instant slot) {
    mails.add(region + " " + slot);
  }

  private ManualEngine start(MisfirePolicy misfire) {
    return ManualEngine.with(
        ManualEngine.defaultSettings(), MemoryStore::new, builder -> invoices(builder, misfire));
  }

  @Test
  void theCronOfQuartzFiresAsBefore() {
    try (ManualEngine engine = start(MisfirePolicy.LATEST)) {
      engine.advance(Duration.ofDays(7));
      assertThat(mails)
          .containsExactly(
              "north 2026-01-05T08:30:00Z",
              "north 2026-01-06T08:30:00Z",
              "north 2026-01-07T08:30:00Z",
              "north 2026-01-08T08:30:00Z",
              "north 2026-01-09T08:30:00Z");
    }
  }

  /** Returns the slots that run after three were missed. */
  private List<String> afterAnOutage(MisfirePolicy misfire) {
    try (ManualEngine engine = start(misfire)) {
      engine.runUntilIdle();
      engine.clock().advance(Duration.ofDays(3));
      engine.advance(Duration.ofMinutes(10));
      return mails;
    }
  }

  @Test
  void latestRunsOnceForAllThatWereMissed() {
    assertThat(afterAnOutage(MisfirePolicy.LATEST)).containsExactly("north 2026-01-07T08:30:00Z");
  }

  @Test
  void skipRunsNoneOfThem() {
    assertThat(afterAnOutage(MisfirePolicy.NONE)).isEmpty();
  }

  @Test
  void allRunsEachOfThem() {
    assertThat(afterAnOutage(MisfirePolicy.ALL))
        .containsExactly(
            "north 2026-01-05T08:30:00Z",
            "north 2026-01-06T08:30:00Z",
            "north 2026-01-07T08:30:00Z");
  }
}
