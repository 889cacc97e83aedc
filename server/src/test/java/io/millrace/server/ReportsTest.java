package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.sequence.TaskService;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import org.eclipse.jgit.api.Git;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests sequences that create reports, from the configuration to the download. */
@Timeout(300)
@Tag("server")
class ReportsTest {

  @TempDir private Path folder;

  @BeforeEach
  void repository() throws Exception {
    Path code = folder.resolve("code");
    try (Git git = Git.init().setDirectory(code.toFile()).call()) {
      Files.writeString(code.resolve("readme"), "hello");
      git.add().addFilepattern(".").call();
      git.commit().setMessage("begin").setAuthor("Ada", "ada@example.org").setSign(false).call();
    }
  }

  private MillraceServer start(String... keysAndValues) {
    String[] all = new String[keysAndValues.length + 6];
    System.arraycopy(keysAndValues, 0, all, 6, keysAndValues.length);
    all[0] = "security.enabled";
    all[1] = "false";
    all[2] = "home";
    all[3] = folder.toString();
    all[4] = "report.git.repository";
    all[5] = folder.resolve("code").toString();
    return MillraceServer.start(TestConfigs.of(all), ServerExtensions.NONE);
  }

  private static TaskSequence weekly(String id, String report) {
    return TaskSequence.of(id, "Report", Schedule.of(Frequency.WEEKLY))
        .task("KPI")
        .task("PDF")
        .parameter("report", report);
  }

  private static HttpResponse<byte[]> get(MillraceServer server, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create(server.address() + "api/v1/" + path);
      return client.send(
          HttpRequest.newBuilder(address).timeout(Patience.LIMIT).build(),
          BodyHandlers.ofByteArray());
    }
  }

  private static JsonNode reports(MillraceServer server) throws Exception {
    return new JsonMapper().readTree(get(server, "reports").body());
  }

  /** Returns the first report, once the cached response of a second ago has expired. */
  private static JsonNode made(MillraceServer server) throws Exception {
    return Polling.until(
        () -> reports(server).path(0), first -> first.path("executionId").isNumber());
  }

  /** Runs a sequence once and returns the status at its end. */
  private static InstanceStatus run(MillraceServer server, String sequenceId) {
    long id = server.engine().sequences().run(sequenceId, Map.of(), OperatorAction.by("test"));
    return server.engine().client().await(id, Patience.LIMIT).position().status();
  }

  @Test
  void aReportIsListedAndDownloaded() throws Exception {
    try (MillraceServer server = start()) {
      server.engine().sequences().add(weekly("Report_mill", "weekly-report"));
      JsonNode before = reports(server).path(0);
      assertThat(before.path("sequenceId").asString()).isEqualTo("Report_mill");
      assertThat(before.path("title").asString()).isEqualTo("code");
      assertThat(before.path("words").asString()).contains("week");
      assertThat(before.path("executionId").isNumber()).isFalse();

      assertThat(run(server, "Report_mill")).isEqualTo(InstanceStatus.FINISHED);

      JsonNode after = made(server);
      HttpResponse<byte[]> pdf = get(server, "reports/" + after.path("executionId") + "/pdf");
      assertThat(new String(pdf.body(), 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
      assertThat(after.path("size").asInt()).isEqualTo(pdf.body().length);
      assertThat(pdf.headers().firstValue("Content-Type")).hasValue("application/pdf");
      assertThat(pdf.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(pdf.headers().firstValue("Content-Disposition"))
          .hasValue("attachment; filename=\"" + after.path("fileName").asString() + "\"");
      assertThat(after.path("fileName").asString()).matches("weekly-report-[0-9-]+\\.pdf");
    }
  }

  private void define(String... names) throws Exception {
    Path definitions = Files.createDirectories(folder.resolve("reports"));
    for (String name : names) {
      Files.writeString(
          definitions.resolve(name + ".json"),
          "{\"name\": \"%s\", \"title\": \"The %s\", \"kpis\": [\"git-commits\"]}"
              .formatted(name, name));
    }
  }

  @Test
  void everyPdfOfAnExecutionIsListedAndOffered() throws Exception {
    define("board", "team");
    try (MillraceServer server = start()) {
      TaskSequence two =
          TaskSequence.of("Report_two", "Report", Schedule.of(Frequency.WEEKLY))
              .task("KPI", Map.of("report", "board"))
              .task("PDF", Map.of("report", "board"))
              .task("PDF", Map.of("report", "team"));
      server.engine().sequences().add(two);
      assertThat(run(server, "Report_two")).isEqualTo(InstanceStatus.FINISHED);

      JsonNode made = made(server);
      assertThat(made.path("title").asString()).isEqualTo("The board, The team");
      assertThat(made.path("report").asString()).isEqualTo("board");
      assertThat(made.path("files")).hasSize(2);
      String pdf = "reports/" + made.path("executionId") + "/pdf";
      for (JsonNode file : made.path("files")) {
        HttpResponse<byte[]> one = get(server, pdf + "?report=" + file.path("report").asString());
        assertThat(one.headers().firstValue("Content-Disposition").orElseThrow())
            .contains("\"" + file.path("fileName").asString() + "\"");
        assertThat(file.path("title").asString())
            .isEqualTo("The " + file.path("report").asString());
        assertThat(file.path("size").asInt()).isEqualTo(one.body().length);
      }
      assertThat(made.path("files").path(1).path("report").asString()).isEqualTo("team");
      assertThat(made.path("fileName").asString()).startsWith("team-");
      assertThat(get(server, pdf).headers().firstValue("Content-Disposition").orElseThrow())
          .contains("\"team-");
      HttpResponse<byte[]> none = get(server, pdf + "?report=guests");
      assertThat(none.statusCode()).isEqualTo(404);
      assertThat(new String(none.body(), StandardCharsets.UTF_8))
          .contains("has made no PDF of the report 'guests'");
    }
  }

  @Test
  void theParameterOfTheSequenceGoesBeforeThatOfATaskAsInTheEngine() throws Exception {
    define("board", "team");
    try (MillraceServer server = start()) {
      TaskSequence both =
          TaskSequence.of("Report_both", "Report", Schedule.of(Frequency.WEEKLY))
              .task("KPI", Map.of("report", "board"))
              .task("PDF", Map.of("report", "board"))
              .parameter("report", "team");
      server.engine().sequences().add(both);
      assertThat(reports(server).path(0).path("report").asString()).isEqualTo("team");
      assertThat(run(server, "Report_both")).isEqualTo(InstanceStatus.FINISHED);
      JsonNode made = made(server);
      assertThat(made.path("report").asString()).isEqualTo("team");
      assertThat(made.path("files").path(0).path("report").asString()).isEqualTo("team");
    }
  }

  private static void until(MillraceServer server, String path, int status) throws Exception {
    Polling.until(() -> get(server, path).statusCode(), now -> now == status);
  }

  @Test
  void aPdfLivesAsLongAsItsExecution() throws Exception {
    String[] database = {"database.url", "jdbc:h2:file:" + folder.resolve("data")};
    long ended;
    long living;
    try (MillraceServer millraceServer = start(database)) {
      SequenceService sequenceService = millraceServer.engine().sequences();
      sequenceService.add(weekly("Report_ended", "weekly-report"));
      ended = sequenceService.run("Report_ended", Map.of(), OperatorAction.by("test"));
      millraceServer.engine().client().await(ended, Patience.LIMIT);
      // No recipient is configured, so the task is retried later.
      sequenceService.add(weekly("Report_living", "weekly-report").task("EMAIL"));
      living = sequenceService.run("Report_living", Map.of(), OperatorAction.by("test"));
      until(millraceServer, "reports/" + living + "/pdf", 200);
      until(millraceServer, "reports/" + ended + "/pdf", 200);
    }
    try (MillraceServer millraceServer =
        start(database[0], database[1], "engine.retention.deleteAfter", "PT0.001S")) {
      until(millraceServer, "instances/" + ended, 404);
    }
    try (MillraceServer millraceServer = start(database)) {
      until(millraceServer, "reports/" + ended + "/pdf", 404);
      assertThat(get(millraceServer, "reports/" + living + "/pdf").statusCode()).isEqualTo(200);
      assertThat(get(millraceServer, "instances/" + living).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void anExecutionWithoutAPdfIsNotFound() throws Exception {
    try (MillraceServer server = start()) {
      HttpResponse<byte[]> answer = get(server, "reports/17/pdf");
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8))
          .contains("Execution 17 has made no PDF");
    }
  }

  @Test
  void definitionsThatAreMendedAreReadWithoutARestart() throws Exception {
    Path definitions = Files.createDirectories(folder.resolve("reports")).resolve("own.json");
    Files.writeString(
        definitions, "{\"name\": \"own\", \"title\": \"Mine\", \"kpis\": [\"gone\"]}");
    try (MillraceServer server = start()) {
      server.engine().sequences().tasks().update(1, 1, impatient("KPI"));
      server.engine().sequences().add(weekly("Report_own", "own"));
      assertThat(run(server, "Report_own")).isNotEqualTo(InstanceStatus.FINISHED);
      assertThat(new String(get(server, "problems").body(), StandardCharsets.UTF_8))
          .contains("names the KPI 'gone'", "which is then read again");

      Files.writeString(
          definitions, "{\"name\": \"own\", \"title\": \"Mine\", \"kpis\": [\"git-commits\"]}");
      server.engine().sequences().add(weekly("Report_again", "own"));
      assertThat(run(server, "Report_again")).isEqualTo(InstanceStatus.FINISHED);
      assertThat(reports(server).path(0).path("title").asString()).isEqualTo("Mine");
    }
  }

  private static Task impatient(String name) {
    return Task.of(name, "Report").options(new Task.Options(0, null, null, false, 0, Map.of()));
  }

  @Test
  void withoutTheTablesOfReportsEverythingElseGoesOn() throws Exception {
    String url = "jdbc:h2:file:" + folder.resolve("data");
    try (MillraceServer made = start("database.url", url)) {
      assertThat(made.engine().sequences().tasks().list()).hasSize(3);
    }
    JdbcDataSource database = new JdbcDataSource();
    database.setURL(url);
    try (Connection connection = database.getConnection("millrace", "");
        Statement statement = connection.createStatement()) {
      statement.execute("drop table millrace_report_pdf");
    }
    try (MillraceServer millraceServer =
        start("database.url", url, "database.schema", "validate")) {
      assertThat(problems(millraceServer))
          .contains("MILLRACE_REPORT_PDF", "Restore what is missing from a backup");
      assertThat(get(millraceServer, "reports").statusCode()).isEqualTo(200);
    }
  }

  private static String problems(MillraceServer server) throws Exception {
    return new String(get(server, "problems").body(), StandardCharsets.UTF_8);
  }

  @Test
  void aTaskOfAnotherProgramStaysAndIsAProblem() throws Exception {
    String url = "jdbc:h2:file:" + folder.resolve("data");
    Task theirs = Task.of("KPI", "Insights").component("com.example.Kpi").channel("theirs");
    Task channel = Task.of("Mine", "Insights").channel("WORKFLOW.TASK.PDF.EXECUTION");
    try (MillraceServer millraceServer = start("database.url", url)) {
      TaskService tasks = millraceServer.engine().sequences().tasks();
      tasks.list().forEach(one -> tasks.remove(one.id()));
      tasks.add(theirs);
      tasks.add(channel);
      millraceServer
          .engine()
          .sequences()
          .add(
              TaskSequence.of("Insights_1", "Insights", Schedule.of(Frequency.WEEKLY)).task("KPI"));
    }
    try (MillraceServer millraceServer = start("database.url", url)) {
      TaskService tasks = millraceServer.engine().sequences().tasks();
      assertThat(tasks.list())
          .extracting(RegisteredTask::task)
          .contains(theirs, channel)
          .extracting(Task::name)
          .containsExactlyInAnyOrder("KPI", "Mine", "EMAIL");
      assertThat(problems(millraceServer))
          .contains("\"kind\":\"report\"")
          .contains("The task 'KPI' of type 'Insights'", "com.example.Kpi", "another name")
          .contains("'PDF' of reports cannot be added", "of task 'Mine'");

      RegisteredTask taken = tasks.find("Mine").orElseThrow();
      tasks.update(taken.id(), taken.revision(), channel.channel("mine"));
      Polling.until(() -> problems(millraceServer), told -> !told.contains("'PDF' of reports"));
      assertThat(tasks.find("PDF")).isPresent();
    }
  }
}
