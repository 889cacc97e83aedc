package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.example.InboxProvider;
import io.millrace.server.plugin.JarCompiler;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Tests the example jar in a server process that has its classes nowhere else. */
@Timeout(300)
@Tag("server")
class ExampleJarTest {

  private static final Pattern ADDRESS = Pattern.compile("address +(http://\\S+/)");

  @TempDir private Path home;
  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    client.close();
  }

  private ProcessBuilder server() {
    String classPath =
        Stream.of(
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"))
                    .split(File.pathSeparator, -1))
            .filter(entry -> !entry.endsWith("test-classes"))
            .collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath,
                "io.millrace.server.Main",
                "server")
            .directory(home.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log().toFile());
    builder.environment().put("MILLRACE_HOME", home.toString());
    builder.environment().put("MILLRACE_HTTP_PORT", "0");
    builder.environment().put("MILLRACE_SECURITY_ENABLED", "false");
    return builder;
  }

  private Path log() {
    return home.resolve("server.log");
  }

  private HttpResponse<String> get(String address, String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(address + "api/v1/" + path)).build(),
        BodyHandlers.ofString());
  }

  private JsonNode await(String address, String path, Predicate<JsonNode> wanted) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      String answer = get(address, path).body();
      JsonNode found = json.readTree(answer);
      if (wanted.test(found)) {
        return found;
      }
      assertThat(System.nanoTime())
          .as(path + ": " + answer + "; " + Files.readString(log()))
          .isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void itsContinuousWorkflowRunsInAServerProcessAndIsShown() throws Exception {
    Path classes = Path.of("target/test-classes");
    String file = InboxProvider.class.getName().replace('.', '/') + ".class";
    JarCompiler.naming(InboxProvider.class.getName())
        .with(file, Files.readAllBytes(classes.resolve(file)))
        .write(Files.createDirectory(home.resolve("workflowjar")).resolve("inbox.jar"));
    Process process = server().start();
    try {
      String address = address(process);
      assertThat(get(address, "health/ready").statusCode()).isEqualTo(503);
      assertThat(get(address, "health/ready").body()).contains("checks of jars fail: inbox");
      await(address, "problems", found -> found.toString().contains("is missing; create it"));

      Files.writeString(Files.createDirectory(home.resolve("inbox")).resolve("a.txt"), "hello");
      await(address, "health/ready", found -> found.path("status").asString().equals("up"));
      JsonNode shown =
          await(
              address,
              "continuous-workflows/inbox",
              found -> found.path("workflow").path("activity").path("iterations").asLong() == 1);
      assertThat(shown.path("workflow").path("enabled").asBoolean()).isTrue();
      assertThat(shown.path("workflow").path("activity").path("lastResult").asString())
          .isEqualTo("finished");
      assertThat(get(address, "continuous-workflows").body()).contains("\"inbox\"");
      assertThat(get(address, "instances?type=inbox").body()).contains("read hello");
    } finally {
      process.destroyForcibly();
    }
  }

  private String address(Process process) throws IOException {
    while (true) {
      boolean isAlive = process.isAlive();
      String text = Files.readString(log());
      Matcher found = ADDRESS.matcher(text);
      if (found.find()) {
        return found.group(1);
      }
      assertThat(isAlive).as("The server did not start: " + text).isTrue();
      Thread.onSpinWait();
    }
  }
}
