package io.millrace.server.api;

import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Route;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Clients that send the body of a request a byte at a time, over many connections at once. */
final class SlowBodyClients {

  private static final int STEP_MILLIS = 200;

  /** Time limit, many times what the server waits for a body. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final int port;
  private final HostileBodies bodies;

  SlowBodyClients(int port, HostileBodies bodies) {
    this.port = port;
    this.bodies = bodies;
  }

  /**
   * Sends a body of each type to each operation that accepts one.
   *
   * @param faults receives the invalid responses and unclosed connections
   * @param statuses receives the statuses of the responses; 0 for a closed connection
   */
  void send(List<Route> routes, List<String> faults, Map<Integer, Integer> statuses)
      throws IOException {
    List<Future<String>> answers = new ArrayList<>();
    List<String> requests = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Route route : routes) {
        if (route.method() == HttpMethod.GET) {
          continue;
        }
        for (String[] request : requests(route)) {
          requests.add(request[0]);
          answers.add(threads.submit(() -> trickle(request[0], request[1])));
        }
      }
      if (new ApiTestClient(port).get("/api/v1/health/live").status() != 200) {
        faults.add("the server is not live while bodies trickle");
      }
      for (int i = 0; i < answers.size(); i++) {
        judge(requests.get(i), answers.get(i), faults, statuses);
      }
    }
  }

  /** Returns the heads and bodies of requests to an operation. */
  private List<String[]> requests(Route route) {
    String json = "application/json";
    String line =
        route.method().name() + " " + route.path().replaceAll("\\{[^}]+}", "999999") + " HTTP/1.1";
    String length = "Content-Length: 100000";
    return List.of(
        request(line, json, length, "{\"a\":\"" + "x".repeat(400)),
        request(line, json, "Transfer-Encoding: chunked", "1\r\n{\r\n".repeat(100)),
        request(line, HostileBodies.FORM, length, bodies.form() + "a=" + "x".repeat(400)),
        request(line, HostileBodies.MULTIPART, length, bodies.multipart() + "x".repeat(400)));
  }

  private static String[] request(String line, String type, String length, String body) {
    String head = String.join("\r\n", line, "Host: localhost", "Content-Type: " + type, length);
    return new String[] {head + "\r\n\r\n", body};
  }

  /** Returns the response; empty if the connection was closed without one. */
  private String trickle(String head, String body) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(STEP_MILLIS);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      for (long i = 0; i < PATIENCE.toMillis() / STEP_MILLIS; i++) {
        socket.getOutputStream().write(bytes[(int) (i % bytes.length)]);
        try {
          int read = socket.getInputStream().read();
          if (read >= 0) {
            answer.write(read);
            answer.write(socket.getInputStream().readNBytes(socket.getInputStream().available()));
          }
          return answer.toString(StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
          // Nothing yet; the next byte follows.
        }
      }
    } catch (IOException e) {
      // Closed while a byte was in transit.
      return answer.toString(StandardCharsets.UTF_8);
    }
    throw new SocketTimeoutException("was left open for " + PATIENCE);
  }

  private static void judge(
      String request, Future<String> result, List<String> faults, Map<Integer, Integer> statuses) {
    try {
      String answer = result.get();
      int status = answer.length() < 12 ? 0 : Integer.parseInt(answer.substring(9, 12));
      statuses.merge(status, 1, Integer::sum);
      if (status >= 500) {
        faults.add("trickled: " + request + "\n  -> " + answer);
      }
    } catch (ExecutionException e) {
      faults.add("trickled: " + request + "\n  -> " + e.getCause().getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while waiting for an answer", e);
    }
  }
}
