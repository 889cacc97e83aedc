package io.millrace.benchmarks.workload.server;

import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server on a free port of this machine, without user accounts. */
final class ServerProcess implements AutoCloseable {

  private static final Pattern ADDRESS = Pattern.compile("address +(http://\\S+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final URI address;

  private ServerProcess(Process process, URI address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts a server and returns when it answers.
   *
   * @param workflows folder with jars
   */
  static ServerProcess start(BenchmarkDatabase database, Path workflows) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getenv("MILLRACE_SERVER_CLASSPATH")));
    command.add("-Dmillrace.database.url=" + database.url());
    command.add("-Dmillrace.database.user=" + database.user());
    command.add("-Dmillrace.http.port=0");
    command.add("-Dmillrace.security.enabled=false");
    command.add("-Dmillrace.workflows.folder=" + workflows);
    command.add("-DMILLRACE_LOG_LEVEL=WARN");
    command.addAll(List.of("io.millrace.server.Main", "server"));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      said.append(line).append('\n');
      Matcher matcher = ADDRESS.matcher(line);
      if (matcher.find()) {
        Thread.ofVirtual().start(() -> out.lines().forEach(rest -> {}));
        return new ServerProcess(process, URI.create(matcher.group(1)));
      }
    }
    throw new IOException("The server did not start:\n" + said);
  }

  URI at(String path) {
    return address.resolve(path);
  }

  /** Returns the body of the response, which must be a success. */
  String get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(at("api/v1" + path)).timeout(PATIENCE).build());
  }

  String post(String path, String json) throws IOException, InterruptedException {
    return send(
        HttpRequest.newBuilder(at("api/v1" + path))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build());
  }

  private String send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(
          request.uri() + " answered " + response.statusCode() + ": " + response.body());
    }
    return response.body();
  }

  /** Returns the processor time so far, in seconds. */
  double cpuSeconds() {
    return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L) / 1e9;
  }

  @Override
  public void close() {
    http.close();
    process.destroy();
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
