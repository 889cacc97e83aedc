package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Tests the responses about task sequences; {@link ApiTestClient} checks each response against the
 * contract.
 */
final class SequenceResourceTest {

  private static final String V1 = "/api/v1";
  private static final OperatorAction ANN = OperatorAction.by("ann", "to see it");

  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @BeforeAll
  static void start() {
    server = TestServer.inMemory();
    apiTestClient = new ApiTestClient(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aPageOfSequencesAndTheOneAfterIt() {
    for (int i = 0; i < 5; i++) {
      server.sequences().add(SampleTasks.daily("page_" + i).active(false));
    }
    JsonNode first = apiTestClient.get(V1 + "/sequences?type=Count&text=PAGE_&limit=3").json();
    String next = first.get("next").stringValue();
    JsonNode second =
        apiTestClient.get(V1 + "/sequences?type=Count&text=PAGE_&limit=3&cursor=" + next).json();
    assertThat(texts(first.get("items"), "sequenceId"))
        .containsExactly("page_0", "page_1", "page_2");
    assertThat(texts(second.get("items"), "sequenceId")).containsExactly("page_3", "page_4");
    assertThat(second.get("next").isNull()).isTrue();
    assertThat(apiTestClient.get(V1 + "/sequences?type=other&text=page_").json().get("items"))
        .isEmpty();
  }

  @Test
  void aSequenceTellsHowItStandsAndWhatCanBeDone() {
    server.sequences().add(SampleTasks.daily("detail").parameter("draft", true));
    JsonNode detail = get("detail");
    assertThat(detail.get("currentSequence").isNull()).isTrue();
    assertThat(detail.get("status").stringValue()).isEqualTo("NOT_STARTED");
    assertThat(detail.get("words").stringValue()).startsWith("every day at 00:00:01 UTC");
    assertThat(detail.get("scheduleType").stringValue()).isEqualTo("DAILY");
    assertThat(detail.get("schedule").get("frequency").stringValue()).isEqualTo("DAILY");
    assertThat(detail.get("parameters").stringValue()).isEqualTo("{\"draft\":true}");
    assertThat(texts(detail.get("sequenceTasks"), "task")).containsExactly("COUNT", "MAIL");
    assertThat(detail.get("sequenceTasks").get(1).get("position").intValue()).isEqualTo(2);
    assertThat(detail.get("explanation").get("next")).hasSize(5);
    assertThat(detail.get("explanation").get("next").get(0).get("at"))
        .isEqualTo(detail.get("nextRun"));
    assertThat(words(detail.get("actions")))
        .containsExactly("deactivate", "pause", "run", "request-run", "backfill", "remove");
    JsonNode viewer =
        apiTestClient
            .send("GET", V1 + "/sequences/detail", null, Map.of("X-Role", "viewer"))
            .json();
    assertThat(viewer.get("actions")).isEmpty();
  }

  @Test
  void aPauseIsShownWithItsReason() {
    server.sequences().add(SampleTasks.daily("paused"));
    server.sequences().pause("paused", ANN);
    JsonNode detail = get("paused");
    assertThat(detail.get("pausedBy").stringValue()).isEqualTo("ann");
    assertThat(detail.get("pauseReason").stringValue()).isEqualTo("to see it");
    assertThat(words(detail.get("actions"))).contains("resume").doesNotContain("pause");
  }

  @Test
  void anExecutionThatIsPausedIsShown() {
    server.sequences().add(SampleTasks.daily("goes_on"));
    server.sequences().run("goes_on", Map.of(), ANN);
    server.awaitCompletedFire("goes_on");
    server
        .sequences()
        .add(
            TaskSequence.of("stands", SampleTasks.TYPE, Schedule.of(Frequency.DAILY))
                .task("ABSENT"));
    long execution = server.sequences().run("stands", Map.of(), ANN);
    assertThat(get("stands").get("executionPaused").booleanValue()).isFalse();
    assertThat(visit("stands").get("paused").booleanValue()).isFalse();

    server.client().pause(execution, ANN);
    // After some seconds, the status would say that no node has the class, also on a slow machine.
    server.execute(
        "UPDATE millrace_instance SET modified_at = modified_at + INTERVAL '1' HOUR WHERE id = "
            + execution);

    JsonNode detail = get("stands");
    assertThat(detail.get("status").stringValue()).isEqualTo("IN_PROGRESS");
    assertThat(detail.get("executionId").longValue()).isEqualTo(execution);
    assertThat(detail.get("executionPaused").booleanValue()).isTrue();
    assertThat(visit("stands").get("paused").booleanValue()).isTrue();
    assertThat(get("goes_on").get("executionPaused").booleanValue()).isFalse();
    assertThat(visit("goes_on").get("paused").booleanValue()).isFalse();
    server.client().cancel(execution, ANN);
    assertThat(get("stands").get("executionPaused").booleanValue()).isFalse();
  }

  private static JsonNode visit(String sequenceId) {
    return apiTestClient
        .get(V1 + "/task-visits?limit=1&sequenceId=" + sequenceId)
        .json()
        .get("items")
        .get(0);
  }

  @Test
  void aSequenceTellsTheFileThatRegistersIt() {
    server.sequences().add(SampleTasks.daily("filed"));
    server.sequences().add(SampleTasks.daily("by_hand"));
    assertThat(get("filed").get("origin").stringValue()).isEqualTo("stock.json");
    assertThat(get("by_hand").get("origin").isNull()).isTrue();
  }

  @Test
  void whatHasRunIsShownWithItsTasks() {
    server.sequences().add(SampleTasks.daily("ran"));
    long execution = server.sequences().run("ran", Map.of(), ANN);
    server.awaitCompletedFire("ran");

    JsonNode detail = get("ran");
    assertThat(detail.get("status").stringValue()).isEqualTo("COMPLETED");
    assertThat(detail.get("executionId").longValue()).isEqualTo(execution);
    assertThat(detail.get("currentTask").stringValue()).isEqualTo("MAIL");
    assertThat(detail.get("currentSequence").intValue()).isEqualTo(2);
    assertThat(detail.get("error").isNull()).isTrue();
    JsonNode spark = detail.get("recent").get(0);
    assertThat(spark.get("outcome").stringValue()).isEqualTo("completed");
    assertThat(spark.get("cause").stringValue()).isEqualTo("manual");
    assertThat(spark.get("executionId").longValue()).isEqualTo(execution);

    JsonNode visits = apiTestClient.get(V1 + "/task-visits?sequenceId=ran&limit=1").json();
    JsonNode mail = visits.get("items").get(0);
    assertThat(mail.get("task").stringValue()).isEqualTo("MAIL");
    assertThat(mail.get("log").stringValue()).isEqualTo("mailed 3");
    assertThat(mail.get("requestMessage").stringValue())
        .startsWith("{\"executionId\":" + execution + ",\"workflowId\":\"ran\",\"currentTaskId\":")
        .endsWith(",\"nextTaskId\":-1,\"sequence\":2,\"isWorkflowTaskRetry\":false}");
    JsonNode before =
        apiTestClient
            .get(V1 + "/task-visits?sequenceId=ran&cursor=" + visits.get("next").stringValue())
            .json();
    assertThat(texts(before.get("items"), "task")).containsExactly("COUNT");
    assertThat(texts(apiTestClient.get(V1 + "/task-visits?limit=1000").json().get("items"), "task"))
        .contains("COUNT", "MAIL");
  }

  @Test
  void anAbortedSequenceSaysWhyAndCanBeResumedAtItsTask() {
    server.sequences().add(SampleTasks.failing("aborted"));
    server.sequences().run("aborted", Map.of(), ANN);
    server.awaitCompletedFire("aborted");

    JsonNode detail = get("aborted");
    assertThat(detail.get("status").stringValue()).isEqualTo("ABORTED");
    assertThat(detail.get("currentTask").stringValue()).isEqualTo("FAIL");
    assertThat(detail.get("error").stringValue()).contains("no ink");
    assertThat(words(detail.get("actions")))
        .contains("restart", "resume-task", "run", "remove")
        .doesNotContain("request-run");
    assertThat(detail.get("recent").get(0).get("outcome").stringValue()).isEqualTo("aborted");
  }

  @Test
  void slotsAreListedFromTheNewestOn() {
    server
        .sequences()
        .add(
            TaskSequence.of(
                    "slots",
                    "Count",
                    SampleTasks.hourlySince(TestServer.START.minus(Duration.ofDays(1))))
                .task("COUNT")
                .active(false));
    for (int i = 0; i < 3; i++) {
      server.sequences().run("slots", Map.of("i", i), ANN);
      server.awaitCompletedFire("slots");
    }
    JsonNode all = apiTestClient.get(V1 + "/sequences/slots/slots").json().get("items");
    assertThat(all).hasSize(3);
    assertThat(all.get(0).get("reason").stringValue()).isEqualTo("ann: to see it");
    String slot = all.get(0).get("at").stringValue();
    assertThat(apiTestClient.get(V1 + "/sequences/slots/slots?before=" + slot).json().get("items"))
        .isEmpty();
    JsonNode two = apiTestClient.get(V1 + "/sequences/slots/slots?limit=2").json();
    String next = "?cursor=" + two.get("next").stringValue();
    JsonNode third = apiTestClient.get(V1 + "/sequences/slots/slots" + next).json();
    assertThat(all).containsExactly(two.at("/items/0"), two.at("/items/1"), third.at("/items/0"));
    assertThat(third.get("next").isNull()).isTrue();
    ApiTestClient.Reply refused = apiTestClient.get(V1 + "/sequences/slots/slots?cursor=x_1");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.json().get("detail").stringValue()).contains("'x_1'");
    assertThat(get("slots").get("recent")).hasSize(3);
    assertThat(apiTestClient.get(V1 + "/sequences/none/slots").status()).isEqualTo(404);
  }

  @Test
  void whatIsNotThereIsNotFound() {
    ApiTestClient.Reply none = apiTestClient.get(V1 + "/sequences/none");
    assertThat(none.status()).isEqualTo(404);
    assertThat(none.json().get("detail").stringValue()).contains("'none'");
    assertThat(apiTestClient.get(V1 + "/tasks/none").status()).isEqualTo(404);
  }

  @Test
  void tasksAreListedWithWhatKeepsThemFromRunning() {
    JsonNode tasks = apiTestClient.get(V1 + "/tasks").json();
    JsonNode count = named(tasks, "COUNT");
    assertThat(count.get("runnable").booleanValue()).isTrue();
    assertThat(count.get("problem").isNull()).isTrue();
    JsonNode absent = apiTestClient.get(V1 + "/tasks/ABSENT").json();
    assertThat(absent.get("runnable").booleanValue()).isFalse();
    assertThat(absent.get("problem").stringValue()).contains("com.example.Absent");
    assertThat(absent).isEqualTo(named(tasks, "ABSENT"));
    assertThat(words(apiTestClient.get(V1 + "/task-types").json())).contains("Count");
  }

  @Test
  void aScheduleIsExplained() {
    JsonNode cron =
        explain(Map.of("schedule", Map.of("cron", "0/30 0 0 ? * * *"), "slots", 7)).json();
    assertThat(cron.get("words").stringValue()).contains("at 00:00:00 and 00:00:30 every day");
    assertThat(cron.get("next")).hasSize(7);
    assertThat(cron.get("warnings").get(0).stringValue()).contains("23 hours 59 minutes");
    JsonNode monthly = explain(Map.of("schedule", Map.of("frequency", "MONTHLY"))).json();
    assertThat(monthly.get("next")).hasSize(5);
    assertThat(words(monthly.get("notes"))).anyMatch(note -> note.contains("runs at once"));
    String day = LocalDate.ofInstant(TestServer.START, ZoneOffset.UTC).plusDays(3).toString();
    JsonNode once =
        explain(
                Map.of(
                    "schedule", Map.of("frequency", "ONETIME", "startDate", day, "endDate", day)))
            .json();
    assertThat(once.get("next")).hasSize(1);
  }

  @Test
  void aScheduleThatIsNoneIsRefusedByItsName() {
    for (Map<String, Object> wrong :
        List.<Map<String, Object>>of(
            Map.of("frequency", "OFTEN"),
            Map.of("frequency", "ONETIME", "startDate", "2026-02-02", "endDate", "2026-02-01"),
            Map.of("frequency", "BI_WEEKLY_SPRINT"),
            Map.of("cron", "every day"),
            Map.of("every", 7),
            Map.of("every", "PT1M", "anchor", "soon"),
            Map.of("frequency", "DAILY", "zone", "Mars/Olympus"),
            Map.of("frequency", "DAILY", "colour", "red"),
            Map.of("frequency", "DAILY", "calendars", List.of(7)),
            Map.of())) {
      ApiTestClient.Reply reply = explain(Map.of("schedule", wrong));
      assertThat(reply.status()).as(wrong.toString()).isEqualTo(400);
      assertThat(reply.json().get("errors").get(0).get("field").stringValue())
          .isEqualTo("schedule");
    }
    assertThat(explain(Map.of("schedule", "DAILY")).status()).isEqualTo(400);
    assertThat(explain(Map.of("schedule", Map.of("frequency", "DAILY"), "slots", 101)).status())
        .isEqualTo(400);
  }

  private static ApiTestClient.Reply explain(Object body) {
    return apiTestClient.post(V1 + "/schedules/explain", body);
  }

  private static JsonNode get(String sequenceId) {
    return apiTestClient.get(V1 + "/sequences/" + sequenceId).json();
  }

  private static JsonNode named(JsonNode items, String name) {
    return items
        .valueStream()
        .filter(one -> one.get("name").stringValue().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> texts(JsonNode items, String name) {
    return items.valueStream().map(one -> one.get(name).stringValue()).toList();
  }

  private static List<String> words(JsonNode items) {
    return items.valueStream().map(JsonNode::stringValue).toList();
  }
}
