package io.millrace.server.api;

import io.millrace.instance.StartRequest;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Sends malformed requests, each made from the seed alone, and gathers the statuses of the answers.
 */
final class HostileInput {

  /** For one answer as a whole. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** A server that hangs would make every further request wait. */
  private static final int MOST_FAULTS = 10;

  private static final int BATCH = 20;
  private static final int INSTANCES = 30;
  private static final int WORKFLOWS = 20;

  private static final Set<String> ENDING = Set.of("drain", "cordon");

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
    "workflowId",
    "tasks",
    "schedule",
    "parameters",
    "component",
    "channel",
    "timeoutMs",
    "title",
    "from",
    "until",
    "affected",
    "to",
    "mail",
    "webhook",
    "value",
    "claimant",
    "token",
    "deed",
    "period",
    "limit",
    "from",
    "to",
    "x",
    "",
    "__proto__",
  };

  private static final String[] SCHEDULES = {
    "{\"frequency\":\"DAILY\"}",
    "{\"frequency\":\"ONETIME\",\"startDate\":\"2026-02-02\",\"endDate\":\"2026-02-01\"}",
    "{\"frequency\":\"YEARLY\",\"startDate\":\"+999999999-12-31\"}",
    "{\"frequency\":\"MONTHLY\",\"zone\":\"+18:00\",\"until\":\"+1000000000-12-31T23:59:59Z\"}",
    "{\"frequency\":\"WEEKLY\",\"recurs\":false,\"until\":\"1970-01-01T00:00:00Z\"}",
    "{\"cron\":\"* * * * * ?\"}",
    "{\"cron\":\"0 0 0 31 2 ? 2099\"}",
    "{\"cron\":\"0 30 2 L * ? *\",\"zone\":\"Africa/Casablanca\",\"dst\":\"BOTH\"}",
    "{\"every\":\"PT0S\"}",
    "{\"every\":\"PT1S\",\"anchor\":\"-1000000000-01-01T00:00:00Z\"}",
    "{\"every\":\"P3660D\",\"anchor\":\"+1000000000-12-31T23:59:59Z\"}",
    "{\"every\":\"PT9223372036854775807S\"}",
    "{\"frequency\":\"DAILY\",\"calendars\":[{\"name\":\"x\",\"blackouts\":[{\"name\":\"y\","
        + "\"from\":\"-1000000000-01-01T00:00:00Z\",\"to\":\"+1000000000-12-31T23:59:59Z\"}],"
        + "\"holidays\":[{\"name\":\"z\",\"date\":\"+999999999-12-31\",\"yearly\":true}]}]}",
    "{\"frequency\":\"DAILY\",\"calendars\":[null]}",
    "{\"frequency\":\"DAILY\",\"catchUpLimit\":1e3}",
    "{\"frequency\":[],\"cron\":{}}",
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

  private HostileInput(int port, List<Route> routes, long seed) {
    this.port = port;
    this.routes = routes;
    this.random = new Random(seed);
  }

  /** Against a server that gets a few instances for it. */
  static HostileInput against(TestServer server, long seed) {
    for (int i = 0; i < INSTANCES; i++) {
      server.client().start(StartRequest.of(i % 2 == 0 ? "order" : "fails"));
    }
    for (int i = 1; i <= WORKFLOWS; i++) {
      server.sequences().add(Sample.daily("" + i));
    }
    return new HostileInput(server.port(), server.routes(), seed);
  }

  /** How many answers there were with each status; 0 stands for a connection that was closed. */
  Map<Integer, Integer> statuses() {
    return statuses;
  }

  /** What the server must not answer, with the request. */
  List<String> faults() {
    return faults;
  }

  /** Sends {@code count} requests, some of them garbage below HTTP, or ends at the tenth fault. */
  void run(int count) throws IOException {
    int sent = 0;
    while (sent < count && faults.size() < MOST_FAULTS) {
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
    StringBuilder text = new StringBuilder(method).append(' ').append(target(route));
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

  private String target(Route route) {
    String path = route.path();
    while (path.contains("{")) {
      String part = random.nextInt(4) == 0 ? pick(WILD) : String.valueOf(1 + random.nextInt(60));
      // A server that has been drained would do nothing more.
      part = ENDING.contains(route.operationId()) && part.length() < 3 ? "999" : part;
      path =
          path.substring(0, path.indexOf('{'))
              + part.replace("{", "%7B")
              + path.substring(path.indexOf('}', path.indexOf('{')) + 1);
    }
    if (random.nextInt(30) == 0) {
      path += pick(new String[] {"/", "//", "/..", "/%2e%2e/", ";a", "/x", "\\", "%20", "#a"});
    }
    StringBuilder query = new StringBuilder();
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
    return switch (random.nextInt(15)) {
      case 0 -> pick(VALUES);
      case 1 -> "{\"reason\":";
      case 3, 4 -> "{\"type\":\"quick\",\"input\":" + pick(VALUES) + "}";
      case 5 -> "{\"name\":\"paid\",\"payload\":" + pick(VALUES) + "}";
      case 6 -> "{\"set\":{\"a\":" + pick(VALUES) + "}}";
      case 7 -> "{\"schedule\":" + pick(SCHEDULES) + ",\"fires\":" + pick(VALUES) + "}";
      case 8 -> "{\"schedule\":" + pick(SCHEDULES) + "}";
      case 9 -> sequence();
      case 10 -> "{\"name\":\"T\",\"type\":\"Count\",\"component\":" + pick(VALUES) + "}";
      case 11 ->
          "{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-02-01T00:00:00Z\",\"dryRun\":true}";
      case 2 -> "\u0000\u0001\ufffd";
      default -> object();
    };
  }

  private String sequence() {
    return "{\"workflowId\":\""
        + (1 + random.nextInt(2 * WORKFLOWS))
        + "\",\"type\":\"Count\",\"tasks\":[{\"task\":\"ABSENT\",\"sequence\":"
        + pick(new String[] {"1", "2", "null", "\"1\""})
        + ",\"parameters\":"
        + pick(new String[] {"{}", "{\"a\":null}", "{\"a\":[null,1e400]}", "7"})
        + "}],\"schedule\":"
        + pick(SCHEDULES)
        + "}";
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
    try (RawConnection connection = new RawConnection(port, PATIENCE)) {
      while (connection.goesOn() && sent < requests.size() && faults.size() < MOST_FAULTS) {
        byte[] request = requests.get(sent++);
        String answer = answer(connection, request, half);
        judge(request, answer);
        if (answer.isEmpty() && sent > 1) {
          faults.add("the connection was closed without a word before " + shown(request));
        }
      }
    }
    return sent;
  }

  private String answer(RawConnection connection, byte[] request, boolean half) {
    try {
      return connection.exchange(request, half);
    } catch (SocketTimeoutException e) {
      faults.add("no whole answer within " + PATIENCE + " to " + shown(request));
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

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** The full run, against a server of its own; the arguments are count and seed. */
  public static void main(String[] args) throws IOException, SQLException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    int faults;
    try (TestServer server = server()) {
      HostileInput input = against(server, seed);
      Aftermath aftermath = new Aftermath(server);
      input.run(count);
      aftermath.check(input.faults());
      System.out.println(count + " requests of seed " + seed + ": " + input.statuses());
      input.faults().forEach(System.out::println);
      faults = input.faults().size();
      System.out.println(faults + " faults");
    }
    System.exit(faults == 0 ? 0 : 1);
  }

  private static TestServer server() throws SQLException {
    return Postgres.isGiven()
        ? TestServer.slowToHear(Postgres.freshSchema("server_hostile_input"))
        : TestServer.slowToHear();
  }
}
