package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.ReportComponent;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.Polling;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that data of a newer version, which a node cannot read, does not hide anything else. */
final class UnreadableSequenceTest {

  private static final String V1 = "/api/v1";
  private static final String MARS = "{\"frequency\":\"WEEKLY\",\"zone\":\"Mars/Olympus\"}";

  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @BeforeAll
  static void start() {
    server = TestServer.inMemory();
    apiTestClient = new ApiTestClient(server.port());
    server.sequences().tasks().add(Task.of("PDF", SampleTasks.TYPE).component(ReportComponent.PDF));
    for (String id : List.of("fine", "mars", "newer", "mended", "text")) {
      server.sequences().add(report(id));
    }
    store("mars", MARS);
    store("newer", "{\"moonPhase\":\"FULL\"}");
    store("mended", MARS);
    store("text", "no JSON");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static TaskSequence report(String id) {
    return TaskSequence.of(id, SampleTasks.TYPE, Schedule.of(Frequency.WEEKLY)).task("PDF");
  }

  private static void store(String sequenceId, String schedule) {
    server.execute(
        "UPDATE millrace_sequence SET schedule = '%s' WHERE sequence_id = '%s'"
            .formatted(schedule, sequenceId));
  }

  @Test
  void itIsListedWithItsProblemAndTheOthersAsEver() {
    JsonNode items = apiTestClient.get(V1 + "/sequences").json().get("items");
    JsonNode mars = named(items, "mars");
    assertThat(mars.get("problem").stringValue()).contains("Mars/Olympus", "save the sequence");
    assertThat(mars.get("status").stringValue()).isEqualTo("NOT_STARTED");
    assertThat(mars.get("type").stringValue()).isEqualTo(SampleTasks.TYPE);
    assertThat(mars.get("tasks").get(0).stringValue()).isEqualTo("PDF");
    assertThat(named(items, "newer").get("problem").stringValue()).contains("moonPhase");
    assertThat(named(items, "text").get("problem").isString()).isTrue();
    JsonNode fine = named(items, "fine");
    assertThat(fine.get("problem").isNull()).isTrue();
    assertThat(fine.get("words").stringValue()).contains("week");
  }

  @Test
  void itIsShownWithItsProblemAndCanBeRemovedOrSavedAgain() {
    JsonNode mars = apiTestClient.get(V1 + "/sequences/mars").json();
    assertThat(mars.get("problem").stringValue()).contains("Mars/Olympus");
    assertThat(mars.get("actions").valueStream().map(JsonNode::stringValue))
        .containsExactly("deactivate", "pause", "remove");
    assertThat(apiTestClient.get(V1 + "/sequences/mars/slots").status()).isEqualTo(200);

    String tag = apiTestClient.get(V1 + "/sequences/mended").json().get("tag").stringValue();
    Map<String, Object> mended =
        Map.of(
            "sequenceId",
            "mended",
            "type",
            SampleTasks.TYPE,
            "tasks",
            List.of(Map.of("task", "PDF")),
            "schedule",
            Map.of("frequency", "WEEKLY"));
    assertThat(put("mended", "none", mended).status()).isEqualTo(409);
    assertThat(put("mended", tag, mended).json().get("problem").isNull()).isTrue();
  }

  private static ApiTestClient.Reply put(String id, String tag, Map<String, Object> body) {
    return apiTestClient.send(
        "PUT",
        V1 + "/sequences/" + id + "?tag=" + tag,
        JsonMapper.builder().build().writeValueAsString(body),
        Map.of());
  }

  @Test
  void calendarAndReportsLeaveItOutAndAProblemSaysSo() {
    Instant now = TestServer.START;
    JsonNode calendar =
        apiTestClient
            .get(V1 + "/calendar?from=" + now + "&to=" + now.plus(Duration.ofDays(30)))
            .json();
    assertThat(calendar.get("slots").valueStream().map(slot -> slot.get("sequenceId").asString()))
        .contains("fine")
        .doesNotContain("mars");
    JsonNode reports = apiTestClient.get(V1 + "/reports").json();
    assertThat(reports.valueStream().map(one -> one.get("sequenceId").asString()))
        .contains("fine")
        .doesNotContain("mars", "newer");
    assertThat(problems("Sequence 'mars' cannot be read")).doesNotContain("Sequence 'fine'");
  }

  @Test
  void aSequenceOfAnUnknownClassIsShownWithTaskAndClass() {
    server.sequences().tasks().add(Task.of("GONE", SampleTasks.TYPE).component("com.example.Gone"));
    String body =
        """
        {"sequenceId": "gone", "type": "%s", "tasks": [{"task": "GONE"}],
         "schedule": {"frequency": "WEEKLY"}}
        """
            .formatted(SampleTasks.TYPE);
    ApiTestClient.Reply added = apiTestClient.send("POST", V1 + "/sequences", body, Map.of());
    assertThat(added.status()).isEqualTo(201);
    assertThat(added.json().get("problem").stringValue()).contains("'GONE'", "com.example.Gone");

    JsonNode listed = named(apiTestClient.get(V1 + "/sequences").json().get("items"), "gone");
    assertThat(listed.get("problem").stringValue()).contains("'GONE'", "com.example.Gone");
    assertThat(listed.get("zone").stringValue()).isEqualTo("UTC");
    assertThat(problems("Sequence 'gone' cannot be run")).contains("com.example.Gone");

    apiTestClient.send("POST", V1 + "/sequences/gone/run", "{}", Map.of());
    server.execute(
        "UPDATE millrace_instance SET modified_at = modified_at - INTERVAL '1' MINUTE"
            + " WHERE business_key = 'gone'");
    JsonNode shown = apiTestClient.get(V1 + "/sequences/gone").json();
    assertThat(shown.get("status").stringValue()).isEqualTo("TASK_INITIALIZE_ERROR");
    assertThat(shown.get("error").stringValue()).contains("'GONE'", "com.example.Gone");
  }

  /** Waits for a problem, because the list is cached for some seconds. */
  private static String problems(String wanted) {
    return Polling.until(
        () -> apiTestClient.get(V1 + "/problems").raw().body(), text -> text.contains(wanted));
  }

  private static JsonNode named(JsonNode items, String sequenceId) {
    return items
        .valueStream()
        .filter(one -> one.get("sequenceId").stringValue().equals(sequenceId))
        .findFirst()
        .orElseThrow();
  }
}
