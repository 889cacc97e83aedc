package io.millrace.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server with prepared responses, which records the requests. */
final class FakeServer implements AutoCloseable {

  /** A request as it arrived; the path includes its query. */
  record Asked(String method, String path, String body, Map<String, String> headers) {
    String line() {
      return method + " " + path;
    }
  }

  private record Answer(int status, String body) {}

  private final HttpServer server;
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final Map<String, List<Answer>> answers = new ConcurrentHashMap<>();

  FakeServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /**
   * Prepares the response to a request. Several responses are returned in turn, and the last one
   * stays.
   */
  void answer(String method, String path, int status, String body) {
    answers
        .computeIfAbsent(method + " /api/v1" + path, any -> new CopyOnWriteArrayList<>())
        .add(new Answer(status, body));
  }

  List<Asked> asked() {
    return asked;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      Map<String, String> headers = new ConcurrentHashMap<>();
      exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
      Asked request =
          new Asked(
              exchange.getRequestMethod(), exchange.getRequestURI().toString(), body, headers);
      asked.add(request);
      List<Answer> known = answers.get(request.line());
      Answer answer =
          known == null
              ? new Answer(404, "{\"detail\":\"Unexpected " + request.line() + "\"}")
              : known.size() > 1 ? known.removeFirst() : known.getFirst();
      byte[] bytes = answer.body().getBytes(UTF_8);
      exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
