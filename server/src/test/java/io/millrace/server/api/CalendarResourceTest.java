package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.OperatorAction;
import io.millrace.schedule.ExclusionCalendar;
import io.millrace.schedule.ExclusionCalendar.Blackout;
import io.millrace.schedule.ExclusionCalendar.Holiday;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests past and planned slots of all sequences with a real engine. */
final class CalendarResourceTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
  private static final Duration DAY = Duration.ofDays(1);

  private final Instant today = TestServer.START.truncatedTo(ChronoUnit.DAYS);

  @Test
  void plannedSlotsStandBesideThoseThatWere() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      server.sequences().add(SampleTasks.daily("daily"));
      server.sequences().add(SampleTasks.daily("paused"));
      server.sequences().pause("paused", OperatorAction.by("ann"));
      server.sequences().add(SampleTasks.daily("inactive").active(false));
      long execution = server.sequences().run("daily", Map.of(), OperatorAction.by("ann"));
      server.awaitCompletedFire("daily");

      JsonNode calendar =
          calendar(apiTestClient, today.minus(DAY), today.plus(DAY.multipliedBy(4)), "");

      assertThat(calendar.get("truncated").booleanValue()).isFalse();
      JsonNode slots = calendar.get("slots");
      assertThat(outcomes(slots)).containsExactly("completed", "planned", "planned", "planned");
      assertThat(slots.get(0).get("executionId").longValue()).isEqualTo(execution);
      assertThat(slots.valueStream().map(slot -> slot.get("sequenceId").stringValue()))
          .containsOnly("daily");
      assertThat(slots.get(1).get("at").stringValue())
          .isEqualTo(today.plus(DAY).plusSeconds(1).toString());
      assertThat(slots.get(1).get("from").stringValue()).isEqualTo(today.toString());
      assertThat(sum(calendar.get("load"))).isEqualTo(1);

      JsonNode later =
          calendar(
              apiTestClient, today.plus(DAY.multipliedBy(7)), today.plus(DAY.multipliedBy(9)), "");
      assertThat(later.get("slots")).hasSize(2);
    }
  }

  @Test
  void excludedSlotsSayWhyAndAreNoLoad() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      LocalDate tomorrow = today.plus(DAY).atZone(ZoneOffset.UTC).toLocalDate();
      Instant begin = today.plus(DAY.multipliedBy(2));
      ExclusionCalendar shop =
          new ExclusionCalendar(
              "shop",
              List.of(
                  Holiday.yearly(tomorrow.minusYears(3), "founding day"),
                  Holiday.on(tomorrow.plusYears(1), "far away")),
              List.of(
                  new Blackout("move", begin, begin.plus(DAY)),
                  new Blackout("age", Instant.MIN, Instant.MAX.minusSeconds(1))));
      for (String id : List.of("a", "b")) {
        server
            .sequences()
            .add(
                TaskSequence.of(id, SampleTasks.TYPE, Schedule.of(Frequency.DAILY).excluding(shop))
                    .task("COUNT"));
      }

      JsonNode calendar = calendar(apiTestClient, today, today.plus(DAY.multipliedBy(3)), "");

      assertThat(outcomes(calendar.get("slots")))
          .containsExactly("excluded", "excluded", "excluded", "excluded");
      assertThat(calendar.get("slots").get(0).get("reason").stringValue()).contains("founding day");
      assertThat(sum(calendar.get("load"))).isZero();
      JsonNode closed = calendar.get("closed");
      assertThat(closed.valueStream().map(one -> one.get("name").stringValue()))
          .containsExactly("shop: age", "shop: founding day", "shop: move");
      assertThat(closed.get(1).get("from").stringValue()).isEqualTo(today.plus(DAY).toString());
      assertThat(closed.get(1).get("sequences")).hasSize(2);
    }
  }

  @Test
  void changesOfClocksAreTold() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      server
          .sequences()
          .add(
              TaskSequence.of("b", SampleTasks.TYPE, Schedule.of(Frequency.DAILY).zone(BERLIN))
                  .task("COUNT"));
      Instant march = Instant.parse("2027-03-20T00:00:00Z");
      JsonNode spring = calendar(apiTestClient, march, march.plus(DAY.multipliedBy(14)), "");
      assertThat(spring.get("clockChanges")).hasSize(1);
      JsonNode change = spring.get("clockChanges").get(0);
      assertThat(change.get("at").stringValue()).isEqualTo("2027-03-28T01:00:00Z");
      assertThat(change.get("zone").stringValue()).isEqualTo("Europe/Berlin");
      assertThat(change.get("sentence").stringValue())
          .isEqualTo("Clocks go forward from 02:00 to 03:00; the times between them do not exist.");
      Instant october = Instant.parse("2027-10-20T00:00:00Z");
      JsonNode autumn = calendar(apiTestClient, october, october.plus(DAY.multipliedBy(14)), "");
      assertThat(autumn.get("clockChanges").get(0).get("sentence").stringValue())
          .isEqualTo("Clocks go back from 03:00 to 02:00; the times between them exist twice.");
    }
  }

  @Test
  void aSequenceThatRunsOnceIsPlannedOnce() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      server
          .sequences()
          .add(
              TaskSequence.of("once", SampleTasks.TYPE, Schedule.of(Frequency.DAILY).once())
                  .task("COUNT"));
      JsonNode near = calendar(apiTestClient, today, today.plus(DAY.multipliedBy(9)), "");
      assertThat(outcomes(near.get("slots"))).containsExactly("planned");
      JsonNode far =
          calendar(
              apiTestClient, today.plus(DAY.multipliedBy(5)), today.plus(DAY.multipliedBy(9)), "");
      assertThat(far.get("slots")).isEmpty();
    }
  }

  @Test
  void manySlotsAreCutShortAndStillCounted() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      for (int i = 0; i < 3; i++) {
        server
            .sequences()
            .add(
                TaskSequence.of(
                        "often" + i, SampleTasks.TYPE, Schedule.every(Duration.ofMinutes(1)))
                    .task("ABSENT"));
      }
      Instant from = TestServer.START.plus(Duration.ofHours(1));
      JsonNode calendar = calendar(apiTestClient, from, from.plus(DAY.multipliedBy(30)), "");
      assertThat(calendar.get("slots")).hasSize(CalendarResource.MAX_SLOTS);
      assertThat(calendar.get("truncated").booleanValue()).isTrue();
      assertThat(calendar.get("load")).hasSize(24);
      IntStream.range(1, 24)
          .forEach(hour ->
              assertThat(calendar.get("load").get(hour).intValue())
                  .as("hour " + hour)
                  .isEqualTo(180));
      JsonNode kathmandu = calendar(apiTestClient, from, from.plus(DAY), "&zone=Asia/Kathmandu");
      assertThat(kathmandu.get("load").get(1).intValue()).isEqualTo(180);
    }
  }

  @Test
  void aTimeThatIsTooLongOrNoneIsRefused() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      String base = "/api/v1/calendar";
      assertThat(apiTestClient.get(base).status()).isEqualTo(400);
      assertThat(apiTestClient.get(base + "?from=" + today).status()).isEqualTo(400);
      assertThat(apiTestClient.get(base + "?from=" + today + "&to=" + today).status())
          .isEqualTo(400);
      assertThat(
              apiTestClient
                  .get(base + "?from=" + today + "&to=" + today.plus(DAY.multipliedBy(46)))
                  .status())
          .isEqualTo(400);
      assertThat(
              apiTestClient
                  .get(base + "?from=" + today + "&to=" + today.plus(DAY) + "&zone=Mars/Olympus")
                  .status())
          .isEqualTo(400);
      assertThat(
              apiTestClient
                  .get(base + "?from=9999-12-01T00:00:00Z&to=9999-12-31T23:00:00Z")
                  .status())
          .isEqualTo(200);
      assertThat(
              apiTestClient
                  .get(base + "?from=1970-01-01T00:00:00Z&to=1970-01-02T00:00:00Z")
                  .status())
          .isEqualTo(200);
    }
  }

  private static JsonNode calendar(
      ApiTestClient apiTestClient, Instant from, Instant to, String more) {
    return apiTestClient.get("/api/v1/calendar?from=" + from + "&to=" + to + more).json();
  }

  private static List<String> outcomes(JsonNode slots) {
    return slots.valueStream().map(slot -> slot.get("outcome").stringValue()).toList();
  }

  private static int sum(JsonNode numbers) {
    return numbers.valueStream().mapToInt(JsonNode::intValue).sum();
  }
}
