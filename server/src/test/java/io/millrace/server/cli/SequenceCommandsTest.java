package io.millrace.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the requests of commands about task sequences, and their output. */
class SequenceCommandsTest {

  private static final String WEEKLY = "/sequences/Report_weekly";

  @TempDir private Path folder;

  private final FakeServer server = new FakeServer();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(String... args) {
    return CliProgram.run(server, out, err, List.of(args));
  }

  private void succeed(String... args) {
    assertThat(run(args)).as(err.toString()).isZero();
  }

  private FakeServer.Asked last() {
    return server.asked().getLast();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  @Test
  void theListFitsInEightyColumns() {
    server.answer(
        "GET",
        "/sequences?limit=50&type=Report&text=week%20ly",
        200,
        """
        {"items":[{"sequenceId":"Report_1602842568","type":"Report","status":"IN_PROGRESS","active":true,
         "pausedBy":"ann","scheduleType":"WEEKLY","nextRun":"2026-11-29T00:00:01Z"},
         {"sequenceId":"x","type":"Report","status":"NOT_STARTED","active":false,"scheduleType":"CRON",
         "nextRun":null}],"next":"x"}
        """);
    succeed("sequences", "list", "--type", "Report", "week ly");
    assertThat(out.toString().lines())
        .allMatch(line -> line.length() <= 80)
        .contains(
            "ID                 TYPE    STATUS       RUNS    SCHEDULE  NEXT RUN",
            "Report_1602842568  Report  IN_PROGRESS  paused  WEEKLY    2026-11-29T00:00:01Z",
            "There are more: add --cursor x");
  }

  @Test
  void oneIsShownWithItsTasksAndItsScheduleInWords() {
    server.answer(
        "GET",
        WEEKLY,
        200,
        """
        {"sequenceId":"Report_weekly","type":"Report","status":"ABORTED","active":true,"pausedBy":"ann",
         "pauseReason":"closed\\u001b[2J","error":"no ink","currentTask":"PDF","nextRun":null,"lastEnded":"l",
         "executionId":7,"parameters":"{\\"draft\\":true}",
         "sequenceTasks":[{"position":1,"task":"KPI","channel":"a.b","parameters":"{}"},
                  {"position":2,"task":"PDF","channel":null,"parameters":"{\\"dpi\\":300}"}],
         "explanation":{"words":"every week","next":[{"at":"t1","from":"f","to":"t","excluded":"Christmas"}],
          "warnings":["It never fires."],"notes":["Clocks change."]}}
        """);
    succeed("sequences", "show", "Report_weekly");
    assertThat(out.toString())
        .contains("Report_weekly of type Report: ABORTED", "Paused by ann: closed\uFFFD[2J")
        .contains("PDF: no ink", "  1. KPI  over a.b\n", "  2. PDF  {\"dpi\":300}")
        .contains("every week", "t1  for f to t", "left out: Christmas")
        .contains("Warning: It never fires.", "Clocks change.", "Parameters {\"draft\":true}");
  }

  @Test
  void actionsSendTheirReason() {
    for (String action :
        List.of("activate", "deactivate", "pause", "resume", "request-run", "restart")) {
      server.answer("POST", WEEKLY + "/" + action, 204, "");
      succeed("sequences", action, "Report_weekly", "--reason", "closed");
      assertThat(last().line()).endsWith(WEEKLY + "/" + action);
      assertThat(last().body()).isEqualTo("{\"reason\":\"closed\"}");
    }
    server.answer("DELETE", "/sequences/a%2Fb%3Fc", 204, "");
    succeed("sequences", "remove", "a/b?c", "--json");
    assertThat(last().line()).isEqualTo("DELETE /api/v1/sequences/a%2Fb%3Fc");
    assertThat(out.toString()).contains("Sequence Report_weekly is paused.", "\"message\"");
  }

  @Test
  void aRunHasParametersAndABackfillATime() {
    server.answer("POST", WEEKLY + "/run", 201, "{\"id\":9,\"created\":true}");
    succeed("sequences", "run", "Report_weekly", "--parameters", "{\"draft\":true}");
    assertThat(last().body()).isEqualTo("{\"parameters\":{\"draft\":true}}");
    assertThat(out.toString()).contains("Started execution 9", "millrace watch 9");

    server.answer(
        "POST",
        WEEKLY + "/backfill",
        200,
        """
        {"dryRun":true,"truncated":true,"instanceId":null,"slots":[
         {"slot":{"at":"2026-10-04T00:00:01Z","from":"2026-09-27T00:00:00Z","to":"t"},"outcome":"toRun"},
         {"slot":{"at":"b","from":"f","to":"t","excluded":"Christmas"},"outcome":"excluded"},
         {"slot":{"at":"c","from":"f","to":"t"},"outcome":"hasRun","executionId":5}]}
        """);
    succeed("sequences", "backfill", "Report_weekly", "--from", "f", "--to", "t", "--dry-run");
    assertThat(last().body()).isEqualTo("{\"from\":\"f\",\"to\":\"t\",\"dryRun\":true}");
    assertThat(out.toString())
        .contains("2026-10-04T00:00:01Z  would run  -", "    Christmas", "has run    5")
        .contains("more slots than one call runs", "Dry run: nothing was begun.");
    assertThat(run("sequences", "backfill", "Report_weekly")).isEqualTo(ExitCodes.USAGE);
    assertThat(run("sequences")).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void filesAreAddedAndChangedOnWhatIsThere() throws IOException {
    String json = "{\"sequenceId\":\"Report_weekly\",\"type\":\"Report\"}";
    String file = file("a.json", json);
    String detail = "{\"sequenceId\":\"Report_weekly\",\"nextRun\":\"n\",\"tag\":\"t&1\"}";
    server.answer("POST", "/sequences", 201, detail);
    server.answer("GET", WEEKLY, 200, detail);
    server.answer("PUT", WEEKLY + "?tag=t%261", 200, detail);
    succeed("sequences", "add", file);
    assertThat(last().body()).isEqualTo(json);
    succeed("sequences", "change", file);
    assertThat(last().body()).isEqualTo(json);
    assertThat(out.toString()).contains("is added. Next run n.", "is changed. Next run n.");

    server.answer("POST", "/tasks", 409, "{\"detail\":\"There is a task 'COUNT' already.\"}");
    server.answer("GET", "/tasks/COUNT", 200, "{\"name\":\"COUNT\",\"id\":3,\"revision\":4}");
    server.answer("PUT", "/tasks/COUNT?revision=4", 200, "{\"name\":\"COUNT\",\"id\":3}");
    String task = file("task.json", "{\"name\":\"COUNT\"}");
    assertThat(run("tasks", "add", task)).isEqualTo(ExitCodes.FAILED);
    assertThat(err.toString()).contains("error: There is a task 'COUNT' already.");
    succeed("tasks", "change", task);
    assertThat(out.toString()).contains("Task COUNT is changed, number 3.");

    int before = server.asked().size();
    assertThat(run("sequences", "add", file("b.json", "[1]"))).isEqualTo(ExitCodes.USAGE);
    assertThat(run("sequences", "add", file("c.json", "{oops"))).isEqualTo(ExitCodes.USAGE);
    assertThat(run("sequences", "change", folder + "/none.json")).isEqualTo(ExitCodes.USAGE);
    assertThat(err.toString())
        .contains(
            "must be a JSON object with a text 'sequenceId'", "is not JSON", "does not exist");
    assertThat(server.asked()).hasSize(before);
  }

  @Test
  void aDashIsTheStandardInput() {
    server.answer("POST", "/tasks", 201, "{\"name\":\"COUNT\",\"id\":3,\"problem\":\"No class.\"}");
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream("{\"name\":\"COUNT\"}".getBytes(UTF_8)));
      succeed("tasks", "add", "-");
    } finally {
      System.setIn(before);
    }
    assertThat(last().body()).isEqualTo("{\"name\":\"COUNT\"}");
    assertThat(out.toString()).contains("This server cannot run it. No class.");
  }

  @Test
  void slotsAndHistoryHaveTheirReasonsBelow() {
    server.answer(
        "GET",
        WEEKLY + "/slots?limit=20&before=2026-11-21T00%3A00%3A00Z",
        200,
        """
        {"items":[{"sequenceId":"Report_weekly","at":"2026-11-15T00:00:01Z","outcome":"missed",
          "cause":"schedule","count":3,"from":"2026-11-08T00:00:00Z","reason":"%s"}],"next":null}
        """
            .formatted("a later one was due ".repeat(5)));
    succeed("sequences", "slots", "Report_weekly", "--before", "2026-11-21T00:00:00Z");
    assertThat(out.toString())
        .contains("2026-11-15T00:00:01Z  missed x3  schedule  -          2026-11-08T00:00:00Z")
        .contains("\n    " + "a later one was due ".repeat(5).strip());
    out.getBuffer().setLength(0);

    server.answer(
        "GET",
        "/task-visits?limit=20",
        200,
        """
        {"items":[{"executionId":7,"sequenceId":"Report_weekly","task":"PDF","status":"ERROR",
         "started":"2026-11-15T00:00:02Z","retries":1,"log":"no ink\\nat x"}],"next":"c1"}
        """);
    server.answer("GET", "/task-visits?limit=20&sequenceId=a%20b", 200, "{\"items\":[]}");
    succeed("sequences", "history");
    succeed("sequences", "history", "a b");
    assertThat(out.toString())
        .contains("2026-11-15T00:00:02Z  7          Report_weekly PDF  ERROR   1\n    no ink\n")
        .contains("--cursor c1");
  }

  @Test
  void schedulesAreExplainedAndTheCalendarShown() {
    server.answer(
        "POST", "/schedules/explain", 200, "{\"words\":\"every week\",\"next\":[],\"notes\":[]}");
    succeed("sequences", "explain", "{\"frequency\":\"WEEKLY\"}", "--slots", "3");
    assertThat(last().body()).isEqualTo("{\"schedule\":{\"frequency\":\"WEEKLY\"},\"slots\":3}");
    assertThat(out.toString()).contains("every week");

    server.answer(
        "GET",
        "/calendar?from=2026-11-21T00%3A00%3A00Z&to=2026-11-28T00%3A00%3A00Z&zone=Europe%2FBerlin",
        200,
        """
        {"slots":[{"sequenceId":"Report_weekly","at":"s","outcome":"planned","cause":"schedule","count":1}],
         "truncated":true,"clockChanges":[{"sentence":"Clocks go back."}],
         "closed":[{"name":"Christmas","from":"f","to":"t","sequences":["a","b"]}],"load":[0,3]}
        """);
    succeed("sequences", "calendar", "--from", "2026-11-21T00:00:00Z", "--zone", "Europe/Berlin");
    assertThat(out.toString())
        .contains("s     planned  schedule  -          Report_weekly", "There are more")
        .contains("Clocks go back.", "Christmas from f to t: a b", "by hour: 0 3");
    assertThat(run("sequences", "calendar", "--from", "today")).isEqualTo(ExitCodes.USAGE);
  }

  @Test
  void tasksAndChannelsAreShown() {
    server.answer(
        "GET",
        "/tasks",
        200,
        "[{\"name\":\"COUNT\",\"type\":\"Report\",\"runnable\":false,\"channel\":\"a.b\"}]");
    server.answer(
        "GET",
        "/tasks/COUNT",
        200,
        """
        {"id":3,"name":"COUNT","type":"Report","component":"com.example.Count","channel":"a.b","sharesChannel":true,
         "maxRetries":2,"firstRetryDelayMs":null,"timeoutMs":5000,"parameters":"{}","problem":"No class."}
        """);
    server.answer("DELETE", "/tasks/COUNT", 204, "");
    server.answer(
        "GET",
        "/channels",
        200,
        """
        {"transport":"rabbitmq","problem":"The broker is away.",
         "channels":[{"channel":"a.b","tasks":["COUNT","MAIL"],"ready":4,"consumers":null,"deadLetters":1}]}
        """);
    server.answer(
        "GET",
        "/channels/a.b/dead-letters?limit=2",
        200,
        "[{\"channel\":\"a.b\",\"id\":\"m1\",\"reason\":\"no such execution\",\"body\":\"{\\n}\"}]");
    server.answer("POST", "/channels/a.b/requeue", 200, "{\"moved\":1}");
    succeed("tasks", "list");
    succeed("tasks", "show", "COUNT");
    succeed("tasks", "remove", "COUNT");
    succeed("channels", "list");
    succeed("channels", "dead-letters", "a.b", "--limit", "2");
    succeed("channels", "requeue", "a.b", "--limit", "5", "--reason", "mended");
    assertThat(last().body()).isEqualTo("{\"limit\":5,\"reason\":\"mended\"}");
    assertThat(run("channels", "requeue", "a.b")).isEqualTo(ExitCodes.USAGE);
    assertThat(out.toString())
        .contains("COUNT  Report  no        a.b", "COUNT of type Report, number 3", "No class.")
        .contains("2, first after the server's delay", "Timeout    5000 ms", "a.b, shared")
        .contains("Task COUNT is removed.", "Messages go by rabbitmq.", "The broker is away.")
        .contains("a.b      4      -          1     COUNT, MAIL", "m1  no such execution\n    { }")
        .contains("Moved 1 messages back into a.b.");
  }

  @Test
  void reportsAreListedAndSaved() throws IOException {
    server.answer(
        "GET",
        "/reports",
        200,
        """
        [{"sequenceId":"Report_weekly","status":"COMPLETED","executionId":7,"created":"c","size":2049,
          "files":[{"report":"team","created":"b","size":1},{"report":"board","created":"c","size":2049}]},
         {"sequenceId":"Report_new","status":"NOT_STARTED","executionId":null}]
        """);
    server.answer("GET", "/reports/7/pdf", 200, "%PDF-1.7");
    server.answer("GET", "/reports/7/pdf?report=team", 200, "%PDF-1.6");
    server.answer("GET", "/reports/8/pdf", 404, "{\"detail\":\"Execution 8 has made no PDF.\"}");
    succeed("reports", "list");
    assertThat(out.toString())
        .contains("7   Report_weekly  COMPLETED    b        1 KiB  team")
        .contains("7   Report_weekly  COMPLETED    c        3 KiB  board")
        .contains("-   Report_new     NOT_STARTED  -        -      -");
    Path pdf = folder.resolve("weekly.pdf");
    succeed("reports", "download", "7", "--to", pdf.toString());
    assertThat(Files.readString(pdf)).isEqualTo("%PDF-1.7");
    succeed("reports", "download", "7", "--report", "team", "--to", pdf.toString());
    assertThat(Files.readString(pdf)).isEqualTo("%PDF-1.6");
    assertThat(run("reports", "download", "8")).isEqualTo(ExitCodes.NOT_FOUND);
    assertThat(run("reports", "download", "7", "--to", folder + "/no/x.pdf"))
        .isEqualTo(ExitCodes.FAILED);
    assertThat(err.toString()).contains("Execution 8 has made no PDF.", "cannot be written");
  }
}
