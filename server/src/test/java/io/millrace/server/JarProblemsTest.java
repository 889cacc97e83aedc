package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.api.RunningClock;
import io.millrace.server.plugin.JarCompiler;
import io.millrace.server.security.Accounts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Tests that the HTTP interface shows the current state of jars. */
class JarProblemsTest {

  @TempDir private Path folder;
  private final ObjectMapper json = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final RunningClock clock = new RunningClock(EngineClock.system().instant());

  @AfterEach
  void close() {
    client.close();
  }

  private JsonNode get(MillraceServer server, String path) throws Exception {
    URI address = URI.create(server.address() + "api/v1/" + path);
    var answer = client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return json.readTree(answer.body());
  }

  /**
   * Reads the problems until they are as expected, when those that were read before are too old.
   */
  private List<String> problems(MillraceServer server, Predicate<List<String>> wanted)
      throws Exception {
    clock.skip(Duration.ofSeconds(2));
    return Polling.until(() -> problems(server), wanted);
  }

  private List<String> problems(MillraceServer server) throws Exception {
    List<String> found = new ArrayList<>();
    for (JsonNode problem : get(server, "problems")) {
      if (problem.path("kind").asString().equals("plugin")) {
        found.add(problem.path("title").asString() + ": " + problem.path("detail").asString());
      }
    }
    return found;
  }

  private String settings(MillraceServer server) throws Exception {
    return get(server, "settings").path("plugins").toString();
  }

  private MillraceServer start() {
    EngineRuntime system = EngineRuntime.system();
    return MillraceServer.start(
        TestConfigs.of("workflows.folder", folder.toString(), "security.enabled", "false"),
        ServerExtensions.NONE,
        new EngineRuntime(clock, system.runner(), system.random(), system.process()),
        Accounts::open);
  }

  @Test
  void aJarThatIsMendedIsNoProblemAnyMoreAndOneThatBreaksIs() throws Exception {
    Path jar = Files.writeString(folder.resolve("bad.jar"), "no jar");
    try (MillraceServer server = start()) {
      assertThat(problems(server, found -> !found.isEmpty()))
          .as("told once")
          .singleElement()
          .asString()
          .startsWith("Jar bad.jar was not loaded: It cannot be read");
      assertThat(settings(server)).contains("bad.jar", "It cannot be read");

      JarCompiler.empty().with("readme.txt", "tasks").write(jar);
      problems(server, List::isEmpty);
      assertThat(settings(server)).contains("bad.jar").doesNotContain("It cannot be read");

      Files.writeString(jar, "broken again");
      assertThat(problems(server, found -> !found.isEmpty())).hasSize(1);
      assertThat(settings(server)).contains("It cannot be read");

      JarCompiler.workflow("Mended", "mended", 1).write(jar);
      assertThat(problems(server, found -> found.toString().contains("workflows")))
          .singleElement()
          .asString()
          .contains("now it has workflows, which are read at the next start");

      Files.delete(jar);
      problems(server, List::isEmpty);
    }
  }

  @Test
  void aJarWhoseProviderFailsStaysAProblemAndShowsWhatElseComes() throws Exception {
    Path jar = JarCompiler.naming("Missing").write(folder.resolve("bad.jar"));
    Path good = JarCompiler.workflow("Good", "good", 1).write(folder.resolve("good.jar"));
    try (MillraceServer server = start()) {
      assertThat(problems(server, found -> !found.isEmpty()))
          .singleElement()
          .asString()
          .contains("Its provider cannot be used");
      Files.writeString(jar, "no jar");
      Files.writeString(good, "no jar");
      assertThat(problems(server, found -> found.size() == 3).toString())
          .contains(
              "Its provider cannot be used", "Jar good.jar was not loaded: It cannot be read");
      assertThat(settings(server)).contains("\"good\"");
    }
  }
}
