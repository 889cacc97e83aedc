package io.millrace.server.api;

import io.millrace.instance.StartRequest;
import io.millrace.server.Patience;
import io.millrace.server.http.Param;
import io.millrace.server.http.Route;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A generator of malformed requests, each made from the seed only, which collects the statuses of
 * the responses.
 */
final class HostileInput {

  /** Upper limit of the faults: with a server that hangs, every further request would wait. */
  private static final int MAX_FAULTS = 10;

  private static final int BATCH = 20;
  private static final int INSTANCES = 30;
  static final int WORKFLOWS = 20;

  private static final Set<String> ENDING = Set.of("drain", "cordon");

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
    "Content-Type: application/json; charset=x",
    "Content-Type: ;",
    "Host: [::1",
    "X: " + "y".repeat(20_000),
    "Accept-Language: \t",
    "Content-Length: 5",
    "X-HTTP-Method-Override: POST",
    "X-HTTP-Method-Override: \u00e9",
    "X-Method-Override: DELETE",
    "Content-Type: multipart/form-data; boundary=b",
    "Content-Type: multipart/form-data",
    "Content-Type: multipart/mixed; boundary=\"",
    "Content-Type: application/x-www-form-urlencoded",
  };

  private static final String JSON = "application/json";

  /**
   * The content types of requests, mostly those that operations expect, since others are rejected
   * at once.
   */
  private static final String[] TYPES = {
    JSON, JSON, JSON, JSON, JSON, JSON, HostileBodies.FORM, HostileBodies.MULTIPART
  };

  private static final String[] TYPES_OF_PAGES = {
    HostileBodies.FORM, HostileBodies.FORM, HostileBodies.FORM, HostileBodies.MULTIPART, JSON
  };

  /** The header in each of its forms, in lower case. */
  private static final Pattern OVERRIDE = Pattern.compile("\r\nx-(http-)?method(-override)?: ");

  private static final String[] METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE"};

  private static final String[] ODD_METHODS = {
    "HEAD", "OPTIONS", "TRACE", "CONNECT", "FOO", "get", "M-SEARCH", "PRI", "G\u00cbT"
  };

  private final int port;
  private final List<Route> routes;
  private final Random random;
  private final HostileBodies bodies;
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();

  private HostileInput(int port, List<Route> routes, long seed) {
    this.port = port;
    this.routes = routes;
    this.random = new Random(seed);
    this.bodies = new HostileBodies(random);
  }

  /** Creates a generator for a server, and starts a few instances on it. */
  static HostileInput against(TestServer server, long seed) {
    for (int i = 0; i < INSTANCES; i++) {
      server.client().start(StartRequest.of(i % 2 == 0 ? "order" : "fails"));
    }
    for (int i = 1; i <= WORKFLOWS; i++) {
      server.sequences().add(SampleTasks.daily("" + i));
    }
    return new HostileInput(server.port(), server.routes(), seed);
  }

  /** Returns the number of responses with each status; 0 stands for a closed connection. */
  Map<Integer, Integer> statuses() {
    return statuses;
  }

  /** Returns the invalid responses, with their requests. */
  List<String> faults() {
    return faults;
  }

  /** Sends {@code count} requests, some of them malformed HTTP; stops at the tenth fault. */
  void run(int count) throws IOException {
    int sent = 0;
    while (sent < count && faults.size() < MAX_FAULTS) {
      sent +=
          random.nextInt(10) == 0
              ? exchange(List.of(garbage()), true)
              : exchange(requests(Math.min(BATCH, count - sent)), false);
    }
  }

  /** Sends bodies a byte at a time to every operation that accepts one, all at the same time. */
  void trickle() throws IOException {
    new SlowBodyClients(port, bodies).send(routes, faults, statuses);
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
    String body = "";
    if (random.nextInt(10) <= (method.equals("GET") ? 0 : 6)) {
      boolean pages = route.path().startsWith("/status-page");
      String type = pick(pages ? TYPES_OF_PAGES : TYPES);
      body =
          switch (type) {
            case HostileBodies.FORM -> bodies.form();
            case HostileBodies.MULTIPART -> bodies.multipart();
            default -> bodies.json();
          };
      if (random.nextInt(20) > 0) {
        text.append("Content-Type: ").append(type).append("\r\n");
      }
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
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
      String part =
          random.nextInt(4) == 0
              ? pick(HostileBodies.WILD)
              : String.valueOf(1 + random.nextInt(60));
      // A drained server would do nothing more.
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
            ? pick(HostileBodies.NAMES)
            : params.get(random.nextInt(params.size())).name();
    return name + (random.nextInt(20) == 0 ? "" : "=" + pick(HostileBodies.WILD));
  }

  /** Returns bytes that are hardly HTTP; lines are separated as in HTTP. */
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

  /** Sends requests over one connection until it ends; returns how many were sent. */
  private int exchange(List<byte[]> requests, boolean half) throws IOException {
    int sent = 0;
    try (RawConnection connection = new RawConnection(port, Patience.LIMIT)) {
      while (connection.goesOn() && sent < requests.size() && faults.size() < MAX_FAULTS) {
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
      faults.add("no whole answer within " + Patience.LIMIT + " to " + shown(request));
      return "";
    }
  }

  private void judge(byte[] request, String answer) {
    int status = answer.isEmpty() ? 0 : Integer.parseInt(answer.substring(9, 12));
    statuses.merge(status, 1, Integer::sum);
    String lower = answer.toLowerCase(Locale.ROOT);
    // Forms are answered with pages for people.
    boolean page =
        head(request).startsWith("post /status-page/")
            && lower.contains("content-type: text/html;charset=utf-8");
    boolean told =
        status < 400
            || page
            || lower.contains("application/problem+json")
            || answer.contains("Content-Length: 0");
    boolean leaks = answer.contains("\tat ") || answer.contains("SELECT ");
    boolean overridden = status > 0 && status < 400 && OVERRIDE.matcher(head(request)).find();
    if (status >= 500 || !told || leaks || overridden) {
      faults.add(shown(request) + "\n  -> " + answer);
    }
  }

  private static String head(byte[] request) {
    String text = new String(request, StandardCharsets.UTF_8);
    int end = text.indexOf("\r\n\r\n");
    return (end < 0 ? text : text.substring(0, end)).toLowerCase(Locale.ROOT);
  }

  private static String shown(byte[] request) {
    String text = new String(request, StandardCharsets.UTF_8);
    return text.length() > 600 ? text.substring(0, 600) + "…" : text;
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  /** Runs the long test against a new server; the arguments are count and seed. */
  public static void main(String[] args) throws IOException, SQLException {
    int count = args.length > 0 ? Integer.parseInt(args[0]) : 100_000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    int faults;
    try (TestServer server = server()) {
      HostileInput input = against(server, seed);
      ServerHealthProbe serverHealthProbe = new ServerHealthProbe(server);
      input.run(count);
      input.trickle();
      serverHealthProbe.check(input.faults());
      System.out.println(count + " requests of seed " + seed + ": " + input.statuses());
      input.faults().forEach(System.out::println);
      faults = input.faults().size();
      System.out.println(faults + " faults");
    }
    System.exit(faults == 0 ? 0 : 1);
  }

  private static TestServer server() throws SQLException {
    return TestServer.impatientAndSlowToHear(
        Postgres.isGiven()
            ? Postgres.freshSchema("server_hostile_input")
            : TestServer.ownDatabase());
  }
}
