package io.millrace.server.deliver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server that records webhooks and returns prepared statuses. */
public final class WebhookServer implements AutoCloseable {

  private final HttpServer server;
  private final List<Received> received = Collections.synchronizedList(new ArrayList<>());
  private final Deque<Integer> answers = new ArrayDeque<>();

  /**
   * A request.
   *
   * @param headers headers by name, ignoring case
   */
  public record Received(Map<String, String> headers, String body) {
    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  public WebhookServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  public URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook?team=a");
  }

  /** Sets the statuses of the next responses; later ones are 204. */
  public void answerWith(Integer... statuses) {
    answers.addAll(List.of(statuses));
  }

  public List<Received> received() {
    return List.copyOf(received);
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    received.add(new Received(headers, body));
    Integer status = answers.poll();
    if (status != null && status == 302) {
      exchange.getResponseHeaders().add("Location", "http://169.254.169.254/latest");
    }
    exchange.sendResponseHeaders(status == null ? 204 : status, -1);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
