package io.millrace.server.api;

import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Sends malformed requests, each made from the seed alone, and gathers the statuses of the answers.
 * Main program: port, seed, count.
 */
final class HostileInput {

  private static final int TIMEOUT_MILLIS = 20_000;
  private static final int BATCH = 20;

  private static final String[] WILD = {
    "",
    "0",
    "-1",
    "1",
    "2",
    "9223372036854775807",
    "9223372036854775808",
    "1e400",
    "0x10",
    "null",
    "%00",
    "%ff",
    "%zz",
    "%",
    "%2e%2e%2f",
    "..%2f..%2fetc%2fpasswd",
    "'%20OR%201=1--",
    "%F0%9F%92%A9",
    "%ED%A0%80",
    "%C0%AF",
    "a".repeat(300),
    "1;drop",
    "%0d%0aSet-Cookie:x=1",
    "[]",
    "true",
    "a+b",
    "2026-01-01T00:00:00Z",
    "-999999999-01-01T00:00:00Z",
    "%2526",
    "*",
    "{id}",
    ";x=1",
    "failed",
  };

  private static final String[] VALUES = {
    "null",
    "true",
    "1",
    "-1",
    "1e400",
    "1E999999999",
    "99999999999999999999",
    "0.1",
    "\"\"",
    "\"x\"",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"" + "x".repeat(5000) + "\"",
    "[]",
    "{}",
    "[[]]",
    "[1,null,\"a\"]",
    "{\"a\":{\"b\":[]}}",
    "\"2026-01-01T00:00:00Z\"",
    "\"9999999-01-01T00:00:00Z\"",
    "[".repeat(70) + "]".repeat(70),
    "{\"ids\":[1,2]}",
    "{\"status\":[\"failed\"],\"ids\":[0]}",
    "\"retry\"",
    "\"order\"",
    "NaN",
    "01",
    "'x'",
    "\"\\x\"",
    "\"<script>\"",
    "-0",
    "1.0",
  };

  private static final String[] NAMES = {
    "type",
    "input",
    "variables",
    "externalId",
    "businessKey",
    "priority",
    "at",
    "version",
    "reason",
    "state",
    "expectedState",
    "set",
    "remove",
    "name",
    "payload",
    "key",
    "action",
    "filter",
    "signal",
    "dryRun",
    "expectedCount",
    "user",
    "password",
    "role",
    "days",
    "old",
    "new",
    "x",
    "",
    "__proto__",
  };

  private static final String[] HEADERS = {
    "Idempotency-Key: " + "k".repeat(300),
    "Idempotency-Key: \u00e9\u00ff",
    "Last-Event-ID: -5",
    "Accept: text/html",
    "Accept-Encoding: gzip, br;q=x",
    "Cookie: a=b; ; =; \"",
    "Cookie: $Version=9",
    "Content-Encoding: gzip",
    "Expect: 100-continue",
    "Expect: 999",
    "X-Role: viewer",
    "Range: bytes=0-",
    "If-None-Match: *",
    "Authorization: Bearer x",
    "Authorization: Basic ====",
    "Transfer-Encoding: gzip",
    "X-Forwarded-For: a,b,c",
    "Upgrade: websocket",
    "Connection: upgrade",
    "Origin: null",
    "Content-Type: text/plain",
    "Content-Type: application/json; charset=utf-16",
    "Content-Type: ;",
    "Host: [::1",
    "X: " + "y".repeat(20_000),
    "Accept-Language: \t",
    "Content-Length: 5",
  };

  private static final String[] METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"};

  private static final String[] ODD_METHODS = {
    "HEAD", "OPTIONS", "TRACE", "CONNECT", "FOO", "get", "M-SEARCH", "PRI", "G\u00cbT"
  };

  private final int port;
  private final List<Route> routes;
  private final Random random;
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();

  HostileInput(int port, List<Route> routes, long seed) {
    this.port = port;
    this.routes = routes;
    this.random = new Random(seed);
  }

  /** How many answers there were with each status; 0 stands for a connection that was closed. */
  Map<Integer, Integer> statuses() {
    return statuses;
  }

  /** What the server must not answer, with the request. */
  List<String> faults() {
    return faults;
  }

  /** Sends {@code count} requests, some of them garbage below HTTP. */
  void run(int count) throws IOException {
    int sent = 0;
    while (sent < count) {
      sent +=
          random.nextInt(10) == 0
              ? exchange(List.of(garbage()), true)
              : exchange(requests(Math.min(BATCH, count - sent)), false);
    }
  }

  private List<byte[]> requests(int count) {
    return IntStream.range(0, count).mapToObj(i -> request()).toList();
  }

  private byte[] request() {
    Route route = routes.get(random.nextInt(routes.size()));
    String method = random.nextInt(20) == 0 ? pick(METHODS) : route.method().name();
    method = random.nextInt(60) == 0 ? pick(ODD_METHODS) : method;
    boolean stream = route.operationId().equals("events");
    StringBuilder text = new StringBuilder(method).append(' ').append(target(route, stream));
    text.append(" HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = random.nextInt(8) == 0 ? 2 : 0; i > 0; i--) {
      text.append(pick(HEADERS)).append("\r\n");
    }
    String body = random.nextInt(10) > (method.equals("GET") ? 0 : 6) ? "" : body();
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(20) > 0) {
      text.append("Content-Type: application/json\r\n");
    }
    if (random.nextInt(8) == 0 && bytes.length > 0) {
      text.append("Transfer-Encoding: chunked\r\n\r\n");
      text.append(Integer.toHexString(bytes.length))
          .append("\r\n")
          .append(body)
          .append("\r\n0\r\n\r\n");
    } else {
      text.append("Content-Length: ").append(bytes.length).append("\r\n\r\n").append(body);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** A stream would not end, so that its requests are wrong in any case. */
  private String target(Route route, boolean stream) {
    String path = route.path();
    while (path.contains("{")) {
      String part = random.nextInt(4) == 0 ? pick(WILD) : String.valueOf(1 + random.nextInt(60));
      path =
          path.substring(0, path.indexOf('{'))
              + part.replace("{", "%7B")
              + path.substring(path.indexOf('}') + 1);
    }
    if (random.nextInt(30) == 0) {
      path += pick(new String[] {"/", "//", "/..", "/%2e%2e/", ";a", "/x", "\\", "%20", "#a"});
    }
    StringBuilder query = new StringBuilder(stream ? "?nothing=1" : "");
    for (int i = random.nextInt(4); i > 0; i--) {
      query.append(query.length() == 0 ? '?' : '&').append(parameter(route));
    }
    return path + query;
  }

  private String parameter(Route route) {
    List<Param<?>> params = route.params();
    String name =
        params.isEmpty() || random.nextInt(10) == 0
            ? pick(NAMES)
            : params.get(random.nextInt(params.size())).name();
    return name + (random.nextInt(20) == 0 ? "" : "=" + pick(WILD));
  }

  private String body() {
    return switch (random.nextInt(12)) {
      case 0 -> pick(VALUES);
      case 1 -> "{\"reason\":";
      case 3, 4 -> "{\"type\":\"quick\",\"input\":" + pick(VALUES) + "}";
      case 5 -> "{\"name\":\"paid\",\"payload\":" + pick(VALUES) + "}";
      case 6 -> "{\"set\":{\"a\":" + pick(VALUES) + "}}";
      case 2 -> "\u0000\u0001\ufffd";
      default -> object();
    };
  }

  private String object() {
    StringBuilder body = new StringBuilder("{");
    for (int i = random.nextInt(5); i > 0; i--) {
      body.append('"').append(pick(NAMES)).append("\":").append(pick(VALUES)).append(',');
    }
    if (body.length() > 1) {
      body.setLength(body.length() - 1);
    }
    return body.append('}').toString();
  }

  /** What is hardly HTTP; lines are joined as HTTP has them. */
  private byte[] garbage() {
    String post = "POST /api/v1/instances HTTP/1.1|Host: x|Content-Type: application/json|";
    String text =
        switch (random.nextInt(14)) {
          case 0 -> "GARBAGE||";
          case 1 -> "GET / HTTP/9.9|Host: x||";
          case 2 -> "GET /api/v1/instances HTTP/1.1||";
          case 3 -> "GET /" + "a".repeat(20_000) + " HTTP/1.1|Host: x||";
          case 4 -> "GET / HTTP/1.1|Host: x|" + "A: b|".repeat(5000) + "|";
          case 5 -> post + "Content-Length: 5|Transfer-Encoding: chunked||0||";
          case 6 -> post + "Content-Length: 5|Content-Length: 6||12345";
          case 7 -> post + "Transfer-Encoding: chunked||zz|abc|";
          case 8 -> post + "Content-Length: -1||";
          case 9 -> post + "Content-Length: 50||{\"type\":";
          case 10 -> "GET http://[::1/ HTTP/1.1|Host: x||";
          case 11 -> "GET /api/v1/instances\u0000 HTTP/1.1|Host: x||";
          case 12 -> "PRI * HTTP/2.0||SM||";
          default -> noise();
        };
    return text.replace("|", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  private String noise() {
    StringBuilder noise = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      noise.append((char) random.nextInt(256));
    }
    return noise.toString();
  }

  /** Sends requests over one connection until it ends; answers with how many were sent. */
  private int exchange(List<byte[]> requests, boolean half) throws IOException {
    int sent = 0;
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.setTcpNoDelay(true);
      BufferedInputStream in = new BufferedInputStream(socket.getInputStream());
      boolean open = true;
      while (open && sent < requests.size()) {
        byte[] request = requests.get(sent++);
        String answer = answer(socket, in, request, half);
        judge(request, answer);
        open = !answer.isEmpty() && !answer.toLowerCase(Locale.ROOT).contains("connection: close");
      }
    }
    return sent;
  }

  private String answer(Socket socket, InputStream in, byte[] request, boolean half) {
    try {
      socket.getOutputStream().write(request);
      if (half) {
        socket.shutdownOutput();
      }
      return answer(in, new String(request, 0, 4, StandardCharsets.ISO_8859_1));
    } catch (SocketTimeoutException e) {
      faults.add("no answer to " + shown(request));
      return "";
    } catch (IOException e) {
      return "";
    }
  }

  private void judge(byte[] request, String answer) {
    int status = answer.isEmpty() ? 0 : Integer.parseInt(answer.substring(9, 12));
    statuses.merge(status, 1, Integer::sum);
    boolean told =
        status < 400
            || answer.toLowerCase(Locale.ROOT).contains("application/problem+json")
            || answer.contains("Content-Length: 0");
    boolean leaks = answer.contains("\tat ") || answer.contains("SELECT ");
    if (status >= 500 || !told || leaks) {
      faults.add(shown(request) + "\n  -> " + answer);
    }
  }

  private static String shown(byte[] request) {
    String text = new String(request, StandardCharsets.UTF_8);
    return text.length() > 600 ? text.substring(0, 600) + "…" : text;
  }

  /** Head and body of the next answer; empty when the connection ends. */
  private static String answer(InputStream in, String method) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return "";
      }
      head.append((char) next);
    }
    String lower = head.toString().toLowerCase(Locale.ROOT);
    if (lower.startsWith("http/1.1 100")) {
      return answer(in, method);
    }
    StringBuilder body = new StringBuilder();
    int at = lower.indexOf("content-length:");
    boolean bodiless = method.equals("HEAD") || lower.startsWith("http/1.1 204");
    if (!bodiless && at >= 0) {
      int length = Integer.parseInt(lower.substring(at + 15, lower.indexOf('\r', at)).strip());
      body.append(new String(in.readNBytes(length), StandardCharsets.UTF_8));
    } else if (!bodiless && lower.contains("transfer-encoding: chunked")) {
      for (int length = chunk(in); length > 0; length = chunk(in)) {
        body.append(new String(in.readNBytes(length), StandardCharsets.UTF_8));
        in.readNBytes(2);
      }
      in.readNBytes(2);
    }
    return head.append(body).toString();
  }

  private static int chunk(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      line.append((char) c);
    }
    String size = line.toString().strip();
    if (size.isEmpty()) {
      throw new IOException("The answer broke off.");
    }
    return Integer.parseInt(size, 16);
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** The full run, against a server of its own. */
  public static void main(String[] args) throws IOException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    try (TestServer server = TestServer.inMemory()) {
      HostileInput input = new HostileInput(server.port(), server.routes(), seed);
      input.run(count);
      System.out.println(count + " requests of seed " + seed + ": " + input.statuses());
      input.faults().stream().limit(10).forEach(System.out::println);
      System.out.println(input.faults().size() + " faults");
    }
  }
}
