package io.millrace.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.continuous.RecyclePolicy.Cause;
import io.millrace.continuous.RecyclePolicy.NodeSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecyclePolicyTest {

  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration NO_WINDOW = Duration.ZERO;

  private static RecycleSettings dailyAt(String time, ZoneId zone, Duration window) {
    return RecycleSettings.daily(zone)
        .at(LocalTime.parse(time), zone, window)
        .maxAge(null)
        .memory(null);
  }

  /** Returns the recycles of a node that is checked every five minutes and restarts each time. */
  private static List<Instant> recycles(RecycleSettings settings, Instant from, Duration time) {
    List<Instant> all = new ArrayList<>();
    RecyclePolicy policy = new RecyclePolicy(settings);
    Instant began = from;
    for (Instant now = from; now.isBefore(from.plus(time)); now = now.plusSeconds(300)) {
      if (policy.evaluate(new NodeSnapshot("left", began, -1), now).isPresent()) {
        all.add(now);
        began = now;
      }
    }
    return all;
  }

  @Test
  void itHappensOnceOnEachLocalDateAlsoWhenClocksChange() {
    for (ZoneId zone : List.of(NEW_YORK, BERLIN, ZoneId.of("Australia/Lord_Howe"))) {
      for (String time : List.of("04:30", "02:15", "01:30", "00:00", "23:55")) {
        for (LocalDate before : List.of(LocalDate.of(2026, 3, 1), LocalDate.of(2026, 9, 28))) {
          Instant from = before.atStartOfDay(zone).toInstant().plusSeconds(300);
          List<Instant> all = recycles(dailyAt(time, zone, NO_WINDOW), from, Duration.ofDays(42));
          assertThat(all.stream().map(at -> LocalDate.ofInstant(at, zone)))
              .as("%s in %s from %s", time, zone, before)
              .doesNotHaveDuplicates()
              .hasSizeBetween(41, 42);
        }
      }
    }
  }

  @Test
  void aTimeThatIsLeftOutIsAsMuchLater() {
    Instant from = Instant.parse("2026-03-08T05:30:00Z");
    assertThat(recycles(dailyAt("02:30", NEW_YORK, NO_WINDOW), from, Duration.ofHours(6)))
        .containsExactly(Instant.parse("2026-03-08T07:30:00Z"));
  }

  @Test
  void nodesAreSpreadOverTheWindow() {
    RecycleSettings settings = dailyAt("04:30", ZoneOffset.UTC, Duration.ofHours(1));
    Instant began = Instant.parse("2026-01-01T00:00:00Z");
    List<Integer> minutes = new ArrayList<>();
    for (int node = 0; node < 50; node++) {
      RecyclePolicy policy = new RecyclePolicy(settings);
      Instant now = Instant.parse("2026-01-02T04:30:00Z");
      int minute = 0;
      while (policy.evaluate(new NodeSnapshot("node-" + node, began, -1), now).isEmpty()) {
        now = now.plusSeconds(60);
        minute++;
      }
      minutes.add(minute);
    }
    assertThat(minutes).allSatisfy(minute -> assertThat(minute).isBetween(0, 60));
    assertThat(minutes.stream().distinct().count()).isGreaterThan(20);
  }

  @Test
  void aMissedOneComesAtTheNextLookOfTheDateUnderTheSameKey() {
    RecyclePolicy policy = new RecyclePolicy(dailyAt("04:30", ZoneOffset.UTC, NO_WINDOW));
    NodeSnapshot nodeSnapshot = new NodeSnapshot("left", Instant.parse("2026-01-01T00:00:00Z"), -1);
    assertThat(policy.evaluate(nodeSnapshot, Instant.parse("2026-01-02T20:00:00Z")))
        .map(Cause::key)
        .contains("recycle|left|2026-01-02");
    assertThat(policy.evaluate(nodeSnapshot, Instant.parse("2026-01-02T23:59:00Z")))
        .map(Cause::key)
        .contains("recycle|left|2026-01-02");
  }

  @Test
  void aWindowThatGoesOverMidnightIsTheOneOfItsDate() {
    RecycleSettings late = dailyAt("23:30", NEW_YORK, Duration.ofHours(2));
    Instant from = Instant.parse("2026-01-01T12:00:00Z");
    List<Instant> all = recycles(late, from, Duration.ofDays(30));
    assertThat(all.stream().map(at -> LocalDate.ofInstant(at.minusSeconds(7800), NEW_YORK)))
        .doesNotHaveDuplicates()
        .hasSize(30);
    assertThat(all).anyMatch(at -> at.atZone(NEW_YORK).getHour() < 2);
  }

  @Test
  void aTimeThatHadPassedWhenItWasSetCountsFromTheNextDayOn() {
    Instant set = Instant.parse("2026-01-02T10:00:00Z");
    RecyclePolicy policy = new RecyclePolicy(dailyAt("09:00", ZoneOffset.UTC, NO_WINDOW), set);
    NodeSnapshot nodeSnapshot = new NodeSnapshot("left", Instant.parse("2026-01-01T00:00:00Z"), -1);
    assertThat(policy.evaluate(nodeSnapshot, set)).isEmpty();
    assertThat(policy.evaluate(nodeSnapshot, Instant.parse("2026-01-03T08:59:59Z"))).isEmpty();
    assertThat(policy.evaluate(nodeSnapshot, Instant.parse("2026-01-03T09:00:00Z"))).isPresent();
  }

  @Test
  void whatIsSwitchedOffNeverHappens() {
    RecyclePolicy policy = new RecyclePolicy(RecycleSettings.daily(BERLIN).enabled(false));
    NodeSnapshot old = new NodeSnapshot("left", Instant.parse("2020-01-01T00:00:00Z"), 100);
    assertThat(policy.evaluate(old, Instant.parse("2026-01-03T09:00:00Z"))).isEmpty();
  }

  @Test
  void anOldProcessIsRecycledAfterTheWindowOfTheDay() {
    RecycleSettings settings =
        dailyAt("04:30", ZoneOffset.UTC, Duration.ofHours(1)).maxAge(Duration.ofHours(3));
    NodeSnapshot nodeSnapshot = new NodeSnapshot("left", Instant.parse("2026-01-01T10:00:00Z"), -1);
    RecyclePolicy policy = new RecyclePolicy(settings);
    assertThat(policy.evaluate(nodeSnapshot, Instant.parse("2026-01-01T13:59:59Z"))).isEmpty();
    assertThat(policy.evaluate(nodeSnapshot, Instant.parse("2026-01-01T14:00:00Z")))
        .map(Cause::key)
        .contains("age|left|2026-01-01T10:00:00Z");
  }

  @Test
  void aFullHeapHasToStayFullAndIsLeftAloneSoonAfterTheBeginning() {
    RecycleSettings settings =
        new RecycleSettings(
            null,
            null,
            new RecycleSettings.HeapLimit(85, 3, Duration.ofHours(1)),
            RolloutRequest.all());
    RecyclePolicy policy = new RecyclePolicy(settings);
    Instant began = Instant.parse("2026-01-01T10:00:00Z");
    Instant soon = began.plusSeconds(600);
    for (int look = 0; look < 5; look++) {
      assertThat(policy.evaluate(new NodeSnapshot("left", began, 99), soon)).isEmpty();
      assertThat(policy.isFullTooSoon(new NodeSnapshot("left", began, 99), soon))
          .isEqualTo(look >= 2);
    }
    Instant late = began.plus(Duration.ofHours(1));
    assertThat(policy.evaluate(new NodeSnapshot("left", began, 84), late)).isEmpty();
    assertThat(policy.evaluate(new NodeSnapshot("left", began, 85), late)).isEmpty();
    assertThat(policy.evaluate(new NodeSnapshot("left", began, 90), late)).isEmpty();
    assertThat(policy.evaluate(new NodeSnapshot("left", began, 85), late))
        .map(Cause::words)
        .contains("85 percent of its heap stay full");
  }

  @Test
  void settingsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> dailyAt("04:30", BERLIN, Duration.ofHours(13)))
        .hasMessageContaining("window is PT13H, expected zero to 12 hours");
    assertThatThrownBy(() -> RecycleSettings.daily(BERLIN).maxAge(Duration.ZERO))
        .hasMessageContaining("greatest age");
    assertThatThrownBy(() -> new RecycleSettings.HeapLimit(101, 3, Duration.ZERO))
        .hasMessageContaining("memory is 101");
  }
}
