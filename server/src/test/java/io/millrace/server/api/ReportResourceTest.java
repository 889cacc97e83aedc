package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.OperatorAction;
import io.millrace.report.ReportComponent;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the responses about sequences that create reports. */
final class ReportResourceTest {

  private static final String REPORTS = "/api/v1/reports";
  private static final OperatorAction ANN = OperatorAction.by("ann", "figures are wrong");

  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @BeforeAll
  static void start() {
    server = TestServer.inMemory();
    apiTestClient = new ApiTestClient(server.port());
    server.sequences().tasks().add(Task.of("PDF", SampleTasks.TYPE).component(ReportComponent.PDF));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aReportTellsThatItIsPausedAndWhatCanBeDone() {
    server.sequences().add(weekly("paused", "PDF"));
    server.sequences().pause("paused", ANN);
    JsonNode report = awaitReport("paused");
    assertThat(report.get("pausedBy").stringValue()).isEqualTo("ann");
    assertThat(report.get("pauseReason").stringValue()).isEqualTo("figures are wrong");
    assertThat(words(report.get("actions")))
        .containsExactly("deactivate", "resume", "run", "request-run", "backfill", "remove");
    JsonNode viewer = apiTestClient.send("GET", REPORTS, null, Map.of("X-Role", "viewer")).json();
    assertThat(named(viewer, "paused").get("actions")).isEmpty();
  }

  @Test
  void anAbortedReportCanBeResumedAtItsTask() {
    server.sequences().add(weekly("aborted", "FAIL", "PDF"));
    server.sequences().run("aborted", Map.of(), OperatorAction.by("ann"));
    server.awaitCompletedFire("aborted");
    assertThat(words(awaitReport("aborted").get("actions"))).contains("restart", "resume-task");
  }

  @Test
  void aReportTellsThatItsExecutionIsPaused() {
    server.sequences().add(weekly("stands", "ABSENT", "PDF"));
    long execution = server.sequences().run("stands", Map.of(), ANN);
    server.client().pause(execution, ANN);
    JsonNode report = awaitReport("stands");
    assertThat(report.get("executionPaused").booleanValue()).isTrue();
    assertThat(words(report.get("actions"))).doesNotContain("run", "remove");
    server.client().cancel(execution, ANN);
  }

  private static TaskSequence weekly(String id, String... tasks) {
    TaskSequence sequence = TaskSequence.of(id, SampleTasks.TYPE, Schedule.of(Frequency.WEEKLY));
    for (String task : tasks) {
      sequence = sequence.task(task);
    }
    return sequence;
  }

  /** Waits for a report, because the list is cached for a second. */
  private static JsonNode awaitReport(String sequenceId) {
    server.awaitSooner(() -> report(sequenceId) != null);
    return report(sequenceId);
  }

  private static JsonNode report(String sequenceId) {
    return named(apiTestClient.get(REPORTS).json(), sequenceId);
  }

  private static JsonNode named(JsonNode reports, String sequenceId) {
    return reports
        .valueStream()
        .filter(one -> one.get("sequenceId").stringValue().equals(sequenceId))
        .findFirst()
        .orElse(null);
  }

  private static List<String> words(JsonNode items) {
    return items.valueStream().map(JsonNode::stringValue).toList();
  }
}
