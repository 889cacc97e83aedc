package io.millrace.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.server.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the page on the demo's port before the server takes it over. */
final class StartPageTest {

  @TempDir private Path folder;

  private static StartPage open(int port) {
    return StartPage.open(port, EngineRuntime.system().runner());
  }

  private static HttpResponse<String> get(int port) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/instances/7"))
              .timeout(Patience.LIMIT)
              .build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static ServerSocket listen(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void tellsAtAnyAddressHowFarTheHistoryIsAndGivesThePortBack() throws Exception {
    try (StartPage page = open(0)) {
      int port = page.port();
      page.say("day one");
      assertThat(get(port).body()).contains("day one");
      page.say("day two");

      HttpResponse<String> answer = get(port);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
      assertThat(answer.body()).contains("day two").doesNotContain("day one").contains("reload()");
      handOver(page);
      listen(port).close();
    }
  }

  /** Closes the page twice, as the command does: explicitly and at the end of its block. */
  private static void handOver(StartPage page) {
    page.close();
  }

  @Test
  void theHistoryTellsHowFarItIs() throws Exception {
    List<String> shown = new ArrayList<>();
    try (Demo demo = Demo.open(folder, folder.resolve("none"), EngineRuntime.system(), 3);
        StartPage page = open(0)) {
      demo.prepare(
          false,
          line -> {},
          line -> {
            page.say(line);
            shown.add(line);
          });
      assertThat(get(page.port()).body()).contains(shown.getLast());
    }
    assertThat(shown)
        .containsExactly(
            "the history is being made: 0 of 3 days",
            "the history is being made: 1 of 3 days",
            "the history is being made: 2 of 3 days",
            "the history is there, and the server starts");
  }

  @Test
  void aTakenPortIsToldBeforeAnythingIsMade() throws Exception {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (ServerSocket other = listen(0)) {
      int code =
          Main.run(
              new PrintWriter(out),
              new PrintWriter(err),
              "demo",
              "--port=" + other.getLocalPort(),
              "--data=" + folder,
              "--repository=" + folder);

      assertThat(code).isEqualTo(Main.FAILED);
      assertThat(err.toString()).contains("port " + other.getLocalPort(), "--port N");
      assertThatThrownBy(() -> open(other.getLocalPort())).isInstanceOf(MillraceException.class);
    }
    assertThat(out.toString()).doesNotContain("replay");
    assertThat(folder.resolve("millrace.mv.db")).doesNotExist();
  }
}
