package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.server.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the stream of changes, as a browser reads it. */
@Timeout(300)
@Tag("server")
final class EventStreamResourceTest {

  /** Upper limit of the streams of a node. */
  private static final int STREAMS = 500;

  private static final byte[] REQUEST =
      "GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  @Test
  void whatHappensIsTold() throws IOException {
    try (TestServer server = TestServer.inMemory();
        Stream stream = Stream.open(server.port(), "", "")) {
      assertThat(stream.head()).anyMatch(line -> line.equalsIgnoreCase("X-Accel-Buffering: no"));
      long id = server.client().start(StartRequest.of("order")).id();
      stream.awaitChangeOf(id);
    }
  }

  @Test
  void whatWorkflowsOfTasksDoIsToldAsSuch() throws IOException {
    try (TestServer server = TestServer.inMemory();
        Stream stream = Stream.open(server.port(), "", "")) {
      long other = server.client().start(StartRequest.of("order")).id();
      stream.awaitChangeOf(other);
      server.sequences().add(SampleTasks.daily("told"));
      server.sequences().run("told", Map.of(), OperatorAction.by("ann"));
      String data;
      do {
        data = stream.awaitEvent("change");
      } while (!data.contains("\"sequences\":true"));
      assertThat(data).contains("\"" + SampleTasks.TYPE + "\"");
    }
  }

  @Test
  void whoComesBackIsToldWhatWasMissed() throws IOException {
    try (TestServer server = TestServer.inMemory()) {
      long seen;
      try (Stream stream = Stream.open(server.port(), "", "")) {
        server.client().start(StartRequest.of("order"));
        stream.awaitEvent("change");
        seen = stream.lastId();
      }
      long id = server.client().start(StartRequest.of("order")).id();
      server.awaitState(id, "pay");
      try (Stream again = Stream.open(server.port(), "", "Last-Event-ID: " + seen + "\r\n")) {
        again.awaitChangeOf(id);
      }
      try (Stream again = Stream.open(server.port(), "?lastEventId=" + seen, "")) {
        again.awaitChangeOf(id);
      }
    }
  }

  @Test
  void whoComesBackTooLateReadsAllAgain() throws IOException {
    try (TestServer server = TestServer.inMemory()) {
      server.store().changes().append("test", "{}");
      for (String unknown : List.of("999999", "nonsense")) {
        try (Stream stream = Stream.open(server.port(), "?lastEventId=" + unknown, "")) {
          stream.awaitEvent("reset");
        }
      }
    }
  }

  @Test
  void anActionOfACallerIsTold() throws IOException {
    try (TestServer server = TestServer.inMemory()) {
      long id = server.client().start(StartRequest.of("order")).id();
      server.awaitState(id, "pay");
      try (Stream stream = Stream.open(server.port(), "", "")) {
        new ApiTestClient(server.port()).post("/api/v1/instances/" + id + "/pause", Map.of());
        stream.awaitChangeOf(id);
      }
    }
  }

  /** The engine itself does nothing to an instance that is moved to an end state or paused. */
  @Test
  void aMoveAndABulkRunAreTold() throws IOException {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      long moved = server.client().start(StartRequest.of("asks")).id();
      server.awaitState(moved, "person");
      long paused = server.client().start(StartRequest.of("order")).id();
      server.awaitState(paused, "pay");
      try (Stream stream = Stream.open(server.port(), "", "")) {
        apiTestClient.post("/api/v1/instances/" + moved + "/move", Map.of("state", "decided"));
        stream.awaitChangeOf(moved);
        apiTestClient.post(
            "/api/v1/bulk", Map.of("action", "pause", "filter", Map.of("ids", List.of(paused))));
        stream.awaitChangeOf(paused);
      }
    }
  }

  @Test
  void streamsAreLimitedAndThoseThatWereLeftDoNotCount() throws IOException {
    try (TestServer server = TestServer.inMemory()) {
      List<RawConnection> open = new ArrayList<>();
      for (int i = 0; i < STREAMS; i++) {
        RawConnection connection = new RawConnection(server.port(), Patience.LIMIT);
        open.add(connection);
        assertThat(connection.exchange(REQUEST, false)).startsWith("HTTP/1.1 200");
      }
      ApiTestClient.Reply refused = new ApiTestClient(server.port()).get("/api/v1/events");
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.header("Retry-After")).isNotEmpty();
      for (RawConnection connection : open) {
        connection.close();
      }
      server.awaitUntil(() -> {
        server.client().start(StartRequest.of("quick"));
        return admits(server.port());
      });
    }
  }

  private static boolean admits(int port) {
    try (RawConnection again = new RawConnection(port, Patience.LIMIT)) {
      return again.exchange(REQUEST, false).startsWith("HTTP/1.1 200");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A stream that the test reads. */
  static final class Stream implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader in;
    private final List<String> head = new ArrayList<>();
    private long lastId;

    private Stream(Socket socket) throws IOException {
      this.socket = socket;
      this.in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    static Stream open(int port, String query, String headers) throws IOException {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(30_000);
      String request =
          "GET /api/v1/events" + query + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      Stream stream = new Stream(socket);
      stream.readHead();
      return stream;
    }

    /** Reads up to the line that contains the start position of the stream. */
    private void readHead() throws IOException {
      for (String line = line(); !line.isEmpty(); line = line()) {
        head.add(line);
      }
      assertThat(head.getFirst()).isEqualTo("HTTP/1.1 200 OK");
      for (String line = line(); !line.startsWith("id: "); line = line()) {
        assertThat(line).doesNotStartWith("event:");
      }
    }

    List<String> head() {
      return head;
    }

    long lastId() {
      return lastId;
    }

    /** Returns the data of the next event of this kind. */
    String awaitEvent(String kind) throws IOException {
      String event = "";
      while (true) {
        String line = line();
        if (line.startsWith("event: ")) {
          event = line.substring(7);
        } else if (line.startsWith("data: ") && event.equals(kind)) {
          return line.substring(6);
        }
      }
    }

    void awaitChangeOf(long id) throws IOException {
      for (String data = awaitEvent("change"); ; data = awaitEvent("change")) {
        if (data.matches(".*[\\[,]" + id + "[\\],].*")) {
          return;
        }
      }
    }

    private String line() throws IOException {
      String line = in.readLine();
      if (line == null) {
        throw new IOException("The stream ended.");
      }
      if (line.startsWith("id: ")) {
        lastId = Long.parseLong(line.substring(4));
      }
      return line;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
