package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.ReportComponent;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Tests that the size of responses is limited, however many sequences there are. */
@Timeout(300)
@Tag("server")
final class ManySequencesTest {

  private static final int MANY = 100_000;

  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @BeforeAll
  static void start() {
    server = TestServer.inMemory();
    apiTestClient = new ApiTestClient(server.port());
    server.execute(
        """
        INSERT INTO millrace_sequence (sequence_id, type, schedule_type, schedule, recurs,
          active, run_requested, restart, next_run_at, due_at, revision, created_at, modified_at)
        SELECT 'many' || LPAD(x, 6, '0'), 'Count', 'INTERVAL', '{"every": "PT' || (60 + MOD(x, 5)) || 'S"}',
          TRUE, TRUE, FALSE, FALSE, DATEADD('SECOND', 3600 + x, begun),
          DATEADD('SECOND', 3600 + x, begun), 1, begun, begun
        FROM SYSTEM_RANGE(1, %s), (SELECT TIMESTAMP WITH TIME ZONE '%s' AS begun)
        """
            .formatted(MANY, TestServer.START));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theCalendarShowsALimitedNumberAndSaysSo() {
    Instant from = TestServer.START.truncatedTo(ChronoUnit.DAYS);
    JsonNode calendar =
        apiTestClient
            .get("/api/v1/calendar?from=" + from + "&to=" + from.plus(Duration.ofDays(45)))
            .json();
    assertThat(calendar.get("slots")).hasSize(CalendarResource.MAX_SLOTS / 2);
    assertThat(calendar.get("truncated").booleanValue()).isTrue();
    int busiest =
        calendar.get("load").valueStream().mapToInt(JsonNode::intValue).max().orElseThrow();
    assertThat(busiest)
        .isBetween(50 * CalendarResource.MAX_SEQUENCES, 60 * CalendarResource.MAX_SEQUENCES);
  }

  @Test
  void reportsAreFoundByTheirTaskHoweverManySequencesThereAre() {
    RegisteredTask pdf =
        server
            .sequences()
            .tasks()
            .add(Task.of("PDF", SampleTasks.TYPE).component(ReportComponent.PDF));
    server.sequences().add(SampleTasks.daily("no_report"));
    server
        .sequences()
        .add(
            TaskSequence.of("the_report", SampleTasks.TYPE, Schedule.of(Frequency.WEEKLY))
                .task(pdf.task().name())
                .active(false));
    server.execute("SET QUERY_STATISTICS TRUE");
    JsonNode reports = apiTestClient.get("/api/v1/reports").json();
    assertThat(reports).hasSize(1);
    assertThat(reports.get(0).get("sequenceId").stringValue()).isEqualTo("the_report");
    assertThat(
            server.number(
                """
                SELECT SUM(execution_count) FROM INFORMATION_SCHEMA.QUERY_STATISTICS
                WHERE sql_statement LIKE '%JOIN millrace_sequence_task t%'
                """))
        .as("pages of sequences that were read")
        .isEqualTo(1);
  }

  @Test
  void aListIsReadByPages() {
    JsonNode page = apiTestClient.get("/api/v1/sequences?limit=1000&text=MANY").json();
    assertThat(page.get("items")).hasSize(1000);
    JsonNode next =
        apiTestClient
            .get("/api/v1/sequences?limit=2&cursor=" + page.get("next").stringValue())
            .json();
    assertThat(next.get("items").get(0).get("sequenceId").stringValue()).isEqualTo("many001001");
  }
}
