package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.api.SequenceFileLoader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests types, tasks and sequences that the server registers from files. */
class SequenceFileLoaderTest {

  // docs:file
  private static final String FILE =
      """
      {
        "types": ["Stock"],
        "tasks": [
          {"name": "COUNT", "type": "Stock", "component": "com.example.Count", "maxRetries": 5},
          {"name": "ORDER", "type": "Stock", "component": "com.example.Order"}
        ],
        "sequences": [
          {"sequenceId": "Stock_north", "type": "Stock",
           "tasks": [{"task": "COUNT"}, {"task": "ORDER", "parameters": {"most": 100}}],
           "schedule": {"frequency": "DAILY", "zone": "Europe/Berlin"},
           "parameters": {"store": "north"}}
        ]
      }
      """;

  // docs:end

  private static final TaskSequence NORTH =
      TaskSequence.of(
              "Stock_north", "Stock", Schedule.of(Frequency.DAILY).zone(ZoneId.of("Europe/Berlin")))
          .task("COUNT")
          .task("ORDER", Map.of("most", 100))
          .parameter("store", "north");

  @TempDir private Path home;

  private MillraceServer start(String... keysAndValues) {
    return start(ServerExtensions.NONE, keysAndValues);
  }

  private MillraceServer start(ServerExtensions serverExtensions, String... keysAndValues) {
    List<String> all = new ArrayList<>(List.of(keysAndValues));
    all.addAll(List.of("home", home.toString(), "security.enabled", "false"));
    return MillraceServer.start(TestConfigs.of(all.toArray(String[]::new)), serverExtensions);
  }

  private void file(String name, String text) throws IOException {
    Path folder = Files.createDirectories(home.resolve("sequences"));
    Files.writeString(folder.resolve(name), text);
  }

  private static JsonNode problems(MillraceServer server) throws Exception {
    return answer(server, "problems");
  }

  private static JsonNode answer(MillraceServer server, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI address = URI.create(server.address() + "api/v1/" + path);
      String answer =
          client
              .send(
                  HttpRequest.newBuilder(address).timeout(Patience.LIMIT).build(),
                  BodyHandlers.ofString(StandardCharsets.UTF_8))
              .body();
      return new JsonMapper().readTree(answer);
    }
  }

  /** Returns titles and details of the skipped entries; the classes of the tasks do not exist. */
  private static List<String> leftOut(MillraceServer server) throws Exception {
    List<String> texts = new ArrayList<>();
    for (JsonNode problem : problems(server)) {
      String title = problem.path("title").asString();
      if (problem.path("kind").asString().equals("sequence") && !title.endsWith("cannot be run")) {
        texts.add(title + ". " + problem.path("detail").asString());
      }
    }
    return texts;
  }

  private static Task task(MillraceServer server, String name) {
    return server.engine().sequences().tasks().find(name).map(RegisteredTask::task).orElseThrow();
  }

  @Test
  void whatAFileHasIsRegistered() throws Exception {
    file("stock.json", FILE);
    try (MillraceServer server = start()) {
      SequenceService sequenceService = server.engine().sequences();
      assertThat(sequenceService.tasks().types()).contains("Stock");
      assertThat(task(server, "COUNT"))
          .isEqualTo(
              Task.of("COUNT", "Stock")
                  .component("com.example.Count")
                  .options(new Task.Options(5, null, null, false, 0, Map.of())));
      assertThat(sequenceService.get("Stock_north").sequence()).isEqualTo(NORTH);
      assertThat(leftOut(server)).isEmpty();
      sequenceService.add(
          TaskSequence.of("Stock_south", "Stock", NORTH.schedule()).task("COUNT").active(false));
      assertThat(answer(server, "sequences/Stock_north").path("origin").asString())
          .isEqualTo("stock.json");
      assertThat(answer(server, "sequences/Stock_south").path("origin").isNull()).isTrue();
    }
  }

  @Test
  void aSequenceRunsWithTasksOfAnotherFileAndHandlersOfCode() throws Exception {
    file(
        "a.json",
        """
        {"sequences": [{"sequenceId": "Greet_1", "type": "Greet", "tasks": [{"task": "FIRST"}],
                        "schedule": {"frequency": "DAILY"}}]}
        """);
    file(
        "b.json",
        "{\"tasks\": [{\"name\": \"FIRST\", \"type\": \"Greet\", \"component\": \"HELLO\"}]}");
    file("c.txt", "not for the server");
    ServerExtensions code =
        new ServerExtensions(
            builder -> builder.task(Task.of("HELLO", "Other"), task -> {}), List.of(), null);
    try (MillraceServer server = start(code)) {
      long id = server.engine().sequences().run("Greet_1", Map.of(), OperatorAction.by("test"));
      assertThat(server.engine().client().await(id, Patience.LIMIT).position().status())
          .isEqualTo(InstanceStatus.FINISHED);
      assertThat(leftOut(server)).isEmpty();
    }
  }

  @Test
  void theNextStartMakesItAsInTheFileAgainAndAPauseStays() throws Exception {
    file("stock.json", FILE);
    String url = "jdbc:h2:mem:sequence-files;DB_CLOSE_DELAY=-1";
    ScheduledSequence before;
    try (MillraceServer millraceServer = start("database.url", url)) {
      SequenceService sequenceService = millraceServer.engine().sequences();
      before = sequenceService.get("Stock_north");
      sequenceService.update(NORTH.parameter("store", "south").active(false), null);
      sequenceService.pause("Stock_north", OperatorAction.by("ann", "the shop is closed"));
      RegisteredTask count = sequenceService.tasks().find("COUNT").orElseThrow();
      sequenceService.tasks().update(count.id(), count.revision(), count.task().component("Other"));
    }
    try (MillraceServer millraceServer = start("database.url", url)) {
      ScheduledSequence after = millraceServer.engine().sequences().get("Stock_north");
      assertThat(after.sequence()).isEqualTo(NORTH);
      assertThat(after.flags().pausedBy()).isEqualTo("ann");
      assertThat(after.times().nextRun()).isEqualTo(before.times().nextRun());
      assertThat(task(millraceServer, "COUNT").component()).isEqualTo("com.example.Count");
    }
  }

  @Test
  void whatIsWrongIsLeftOutAndToldAndItsNeighboursAreRegistered() throws Exception {
    file("0.json", "{\"tasks\": ");
    file("1.json", "[]");
    file(
        "2.json",
        """
        {"types": ["Fine", 7, "no blanks"], "task": [], "sequences": {},
         "tasks": [
           {"name": "GOOD", "type": "Fine", "component": "c"},
           {"name": "SLIP", "type": "Fine", "component": "c", "maxRetry": 1},
           {"name": "MUCH", "type": "Fine", "component": "c", "maxRetries": 9999},
           {"name": "GOOD", "type": "Fine", "component": "d"},
           "GOOD"]}
        """);
    file(
        "3.json",
        """
        {"sequences": [
           {"sequenceId": "Good_1", "type": "Fine", "tasks": [{"task": "GOOD"}],
            "schedule": {"frequency": "DAILY"}},
           {"sequenceId": "Bad_1", "type": "Fine", "tasks": [{"task": "GONE"}],
            "schedule": {"frequency": "DAILY"}},
           {"sequenceId": "Bad_2", "type": "Fine", "tasks": [{"task": "GOOD"}],
            "schedule": {"frequency": "OFTEN"}}]}
        """);
    file(
        "4.json",
        """
        {"sequences": [
           {"sequenceId": "Good_1", "type": "Fine", "tasks": [{"task": "GOOD"}],
            "schedule": {"frequency": "WEEKLY"}},
           {"sequenceId": "Good_2", "type": "Fine", "tasks": [{"task": "GOOD"}],
            "schedule": {"frequency": "WEEKLY"}}]}
        """);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger(SequenceFileLoader.class);
    log.start();
    logger.addAppender(log);
    try (MillraceServer server = start()) {
      List<String> told = leftOut(server);
      assertThat(told)
          .satisfiesExactlyInAnyOrder(
              one -> assertThat(one).startsWith("0.json is not registered. '0.json' is no valid"),
              one -> assertThat(one).startsWith("1.json is not").contains("JSON object with some"),
              one ->
                  assertThat(one).startsWith("2.json: types[1] is not").contains("must be a text"),
              one -> assertThat(one).startsWith("2.json: types[2] 'no blanks' is not"),
              one -> assertThat(one).startsWith("2.json: task is not").contains("expected some of"),
              one -> assertThat(one).startsWith("2.json: sequences is not").contains("JSON array"),
              one -> assertThat(one).contains("tasks[1] 'SLIP'", "'tasks[1].maxRetry' is unknown"),
              one -> assertThat(one).contains("tasks[2] 'MUCH'", "maxRetries", "1000"),
              one -> assertThat(one).contains("tasks[3] 'GOOD'", "as tasks[0] of 2.json is"),
              one -> assertThat(one).contains("2.json: tasks[4]", "must be a JSON object"),
              one -> assertThat(one).contains("3.json: sequences[1] 'Bad_1'", "'GONE'"),
              one -> assertThat(one).contains("3.json: sequences[2] 'Bad_2'", "OFTEN"),
              one -> assertThat(one).contains("4.json: sequences[0] 'Good_1'", "of 3.json is"));
      assertThat(told)
          .allMatch(one -> one.endsWith(". Mend the file, and start the server again."))
          .noneMatch(one -> one.contains(".."));

      SequenceService sequenceService = server.engine().sequences();
      assertThat(sequenceService.tasks().types()).contains("Fine").doesNotContain("no blanks");
      assertThat(task(server, "GOOD").component()).isEqualTo("c");
      assertThat(sequenceService.list("Fine", null, null, 10))
          .extracting(one -> one.sequence().sequenceId() + " " + one.scheduleType())
          .containsExactly("Good_1 DAILY", "Good_2 WEEKLY");
      assertThat(log.list)
          .filteredOn(event -> event.getLevel() == Level.WARN)
          .extracting(ILoggingEvent::getFormattedMessage)
          .hasSameSizeAs(told)
          .allMatch(line -> told.stream().anyMatch(one -> one.startsWith(line)))
          .allMatch(line -> line.lines().count() == 1);
    } finally {
      logger.detachAppender(log);
    }
  }

  @Test
  void aFolderThatIsNoneIsTold() throws Exception {
    Files.writeString(home.resolve("sequences"), "a file");
    try (MillraceServer server = start()) {
      assertThat(leftOut(server)).singleElement().asString().contains("expected a folder");
    }
  }

  @Test
  void aServerThatRunsNothingRegistersNothing() throws Exception {
    file("stock.json", FILE);
    try (MillraceServer server = start("engine.autostart", "false")) {
      assertThat(server.engine().sequences().find("Stock_north")).isEmpty();
      assertThat(server.engine().sequences().tasks().find("COUNT")).isEmpty();
    }
  }

  @Test
  void serversThatStartAtTheSameTimeRegisterTheSame() throws Exception {
    file("stock.json", FILE);
    String url = "jdbc:h2:mem:sequence-files-together;DB_CLOSE_DELAY=-1";
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<MillraceServer>> servers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        servers.add(threads.submit(() -> start("database.url", url)));
      }
      for (Future<MillraceServer> server : servers) {
        try (MillraceServer one = server.get()) {
          assertThat(leftOut(one)).isEmpty();
          assertThat(one.engine().sequences().get("Stock_north").sequence()).isEqualTo(NORTH);
        }
      }
    }
  }
}
