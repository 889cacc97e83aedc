package io.millrace.report.source;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server that answers requests with recorded answers, in order, and records the requests. */
public final class StubHttpServer implements AutoCloseable {

  /** A received request. */
  public record RecordedRequest(String method, String path, String authorization, JsonNode body) {}

  private record Answer(int status, String body, boolean never) {}

  private final HttpServer server;
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final List<RecordedRequest> asked = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);

  public StubHttpServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  public StubHttpServer answer(int status, String body) {
    answers.add(new Answer(status, body, false));
    return this;
  }

  /** Makes the next answer send headers, and no body until the end of the test. */
  public StubHttpServer answerNever() {
    answers.add(new Answer(200, "", true));
    return this;
  }

  public List<RecordedRequest> asked() {
    return asked;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    asked.add(
        new RecordedRequest(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
            new JsonMapper().readTree(body)));
    Answer answer = answers.remove();
    if (answer.never()) {
      exchange.sendResponseHeaders(200, 1000);
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
      return;
    }
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
