package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.InstanceQuery;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.schedule.Frequency;
import io.millrace.schedule.Schedule;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.security.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with all features, and a secret in each place that stores text. */
final class CanaryServer implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String ADMIN_PASSWORD = "canary-of-the-first-admin-73";

  /**
   * A text that shows that a secret is exposed.
   *
   * @param reader the least role that may read it; null for none
   */
  record Canary(String place, String text, @Nullable Role reader) {

    boolean mayBeReadBy(@Nullable Role role) {
      return reader != null && role != null && role.compareTo(reader) >= 0;
    }

    boolean isIn(String answer) {
      byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      return answer.contains(text)
          || answer.contains(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    }
  }

  /** A response; its text includes the headers. */
  record Reply(int status, String body, String text) {
    JsonNode json() {
      return JSON.readTree(body);
    }
  }

  private final Map<String, Canary> canaries = new ConcurrentHashMap<>();
  private final Map<String, String> plain = new ConcurrentHashMap<>();
  private final Map<Role, String> keys = new EnumMap<>(Role.class);
  private final Set<String> echoed = new TreeSet<>();
  private final String mark = "c" + UUID.randomUUID().toString().substring(0, 8);
  private final String redisUri =
      Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "needs a Redis");
  private final Redis redis =
      RedisConnections.open(RedisSettings.of(redisUri), EngineRuntime.system());
  private final HttpClient http = HttpClient.newHttpClient();
  private final MillraceServer server;
  private final String base;
  private String job = "";

  CanaryServer(Path folder) {
    this.server =
        MillraceServer.start(
            config(folder.resolve("server"), folder.resolve("reports")),
            new ServerExtensions(
                builder -> CanaryWorkflows.addTo(builder, this::secret, this::plain),
                List.of(),
                null));
    this.base = server.address().replaceFirst("/$", "");
    add("password of the first admin", ADMIN_PASSWORD, null);
    admit();
    values();
    tasks();
    failReports();
    instances();
    notices();
    jobs();
    write(Role.ADMIN, "POST", "/session", Map.of("user", secret("typed user"), "password", "x"));
    await("millrace-alert", one -> one.seq() > 0);
    await("millrace-notice", one -> one.seq() > 0);
  }

  private LoadedConfig config(Path home, Path reports) {
    Map<String, String> settings = new TreeMap<>();
    settings().forEach((key, value) -> settings.put("millrace." + key, value));
    settings.put("millrace.report.folder", reports.toString());
    Map<String, Object> alert =
        Map.of(
            "name",
            "failures",
            "when",
            "failed",
            "webhook",
            "http://127.0.0.1:1/" + secret("webhook of an alert"),
            "secret",
            secret("secret of an alert"));
    try {
      Files.createDirectories(home);
      Path file =
          Files.writeString(
              home.resolve("server-config.json"),
              JSON.writeValueAsString(Map.of("observe", Map.of("alerts", List.of(alert)))));
      CanaryReports.write(Files.createDirectories(reports), this::secret);
      return LoadedConfig.read(new ConfigSources(settings, Map.of(), file));
    } catch (IOException e) {
      throw new AssertionError(home.toString(), e);
    }
  }

  private void failReports() {
    for (String report : CanaryReports.NAMES) {
      TaskSequence sequence =
          TaskSequence.of("report-" + report, "Report", Schedule.of(Frequency.DAILY))
              .task("KPI")
              .parameter("report", report);
      server.engine().sequences().add(sequence);
      String path = "/sequences/report-" + report + "/run";
      await(write("POST", path, Map.of()).json().get("id").asLong(), one -> one.seq() > 0);
    }
  }

  private Map<String, String> settings() {
    String[] all = {
      "database.url", "jdbc:h2:mem:" + mark,
      "database.password", secret("password of the database"),
      "assessmentReport.maxWorkflowRetries", "0",
      "http.port", "0",
      "home", "target",
      "security.admin.user", "root",
      "security.admin.password", ADMIN_PASSWORD,
      "secrets.keys.k1", Base64.getEncoder().encodeToString(new byte[32]),
      "secrets.names", "iban",
      "redis.uri", redisUri,
      "observe.webhooks.allow", "127.0.0.1",
      "observe.mail.host", "127.0.0.1",
      "observe.mail.port", "1",
      "observe.mail.user", "sender",
      "observe.mail.password", secret("password of the mail server"),
      "observe.mail.from", "millrace@example.org",
      "observe.status.address", "http://127.0.0.1",
      "observe.status.secret", secret("secret of the status page"),
    };
    Map<String, String> settings = new TreeMap<>();
    for (int i = 0; i < all.length; i += 2) {
      settings.put(all[i], all[i + 1]);
    }
    return settings;
  }

  /** Returns the canary of a place, which nobody may read. */
  private String secret(String place) {
    return add(place, text("canary", place), null);
  }

  private String add(String place, String text, @Nullable Role reader) {
    canaries.put(place, new Canary(place, text, reader));
    return text;
  }

  /** Returns a text that an administrator can read in the place of a hidden canary. */
  private String plain(String place) {
    return plain.computeIfAbsent(place, p -> text("plain", p));
  }

  private static String text(String kind, String place) {
    return kind + "-" + place.replace(' ', '-') + "-end";
  }

  /** Returns the responses to changes that repeat a secret. */
  Set<String> echoed() {
    return Set.copyOf(echoed);
  }

  List<Canary> canaries() {
    return List.copyOf(canaries.values());
  }

  Map<String, String> plain() {
    return Map.copyOf(plain);
  }

  private void admit() {
    HttpResponse<String> login =
        send("POST", "/session", Map.of("user", "root", "password", ADMIN_PASSWORD), Map.of());
    assertThat(login.statusCode()).as(login.body()).isEqualTo(200);
    String cookie = login.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
    add("session", cookie.substring(cookie.indexOf('=') + 1), null);
    String token = JSON.readTree(login.body()).get("csrfToken").stringValue();
    Map<String, String> session = Map.of("Cookie", cookie, "X-CSRF-Token", token);
    HttpResponse<String> user =
        send("POST", "/users", Map.of("name", "anna", "role", "viewer"), session);
    add("password of a user", JSON.readTree(user.body()).get("password").stringValue(), null);
    for (Role role : Role.values()) {
      HttpResponse<String> made =
          send("POST", "/keys", Map.of("name", role.text(), "role", role.text()), session);
      String key = JSON.readTree(made.body()).get("key").stringValue();
      keys.put(role, key);
      add("API key of " + role, key, null);
    }
  }

  private void values() {
    String path = "/key-values/value?group=mail&key=";
    write("PUT", path + "smtp-password", Map.of("value", secret("value by key")));
    write("PUT", path + "host", Map.of("value", plain("value by key")));
    String json = "{\"iban\":\"%s\",\"x\":1}".formatted(secret("member of a value by key"));
    write("PUT", path + "settings", Map.of("value", json));
  }

  private void tasks() {
    TaskSequence sequence =
        TaskSequence.of("daily", CanaryWorkflows.TYPE, Schedule.of(Frequency.DAILY))
            .task("LOAD", Map.of("iban", secret("step"), "step", plain("step")))
            .parameter("dbToken", secret("sequence"))
            .parameter("region", plain("sequence"));
    server.engine().sequences().add(sequence);
    Map<String, Object> parameters = Map.of("iban", secret("run"), "run", plain("run"));
    JsonNode run = write("POST", "/sequences/daily/run", Map.of("parameters", parameters)).json();
    await(run.get("id").asLong(), one -> one.status().isTerminal());
    write(
        "POST",
        "/tasks",
        Map.of(
            "name",
            "ADDED",
            "type",
            CanaryWorkflows.TYPE,
            "component",
            "com.example.Added",
            "parameters",
            Map.of("list", List.of(Map.of("iban", secret("list of a task"))))));
  }

  private void instances() {
    long payment =
        start(
            Map.of(
                "type", "payment",
                "input", Map.of("pin", secret("secret input")),
                "variables",
                    Map.of("card", secret("sealed variable"), "account", secret("account"))));
    await(payment, one -> one.status().isTerminal());
    write("POST", "/instances/" + payment + "/retry", Map.of());
    await(payment, one -> one.seq() > 2 && one.status().isTerminal());
    Map<String, Object> input =
        Map.of("password", secret("member of an input"), "size", plain("input"));
    start(Map.of("type", "parent", "input", Map.of("password", secret("child"), "pin", "0000")));
    long order =
        start(
            Map.of(
                "type",
                "order",
                "input",
                input,
                "variables",
                Map.of("pwd", secret("given variable"))));
    await(order, one -> one.state().equals("pay") && one.lease().executorId() == null);
    Map<String, Object> payload =
        Map.of(
            "iban", secret("payload of a signal"),
            "paid", plain("payload of a signal"),
            "copy", Map.of("$secret", "k1:" + secret("sealed text")));
    String signals = "/instances/" + order + "/signals";
    write("POST", signals, Map.of("name", "paid", "payload", payload));
    await(order, one -> one.state().equals("ship"));
    write("POST", signals, Map.of("name", "token", "payload", secret("signal with a secret name")));
    await(order, one -> one.lease().executorId() == null);
    Map<String, Object> set = Map.of("customerIban", secret("edited variable"));
    write("PATCH", "/instances/" + order + "/variables", Map.of("set", set));
    write(
        "POST",
        "/bulk",
        Map.of(
            "action", "signal",
            "filter", Map.of("ids", List.of(order)),
            "signal", Map.of("name", "x", "payload", Map.of("iban", secret("bulk run")))));
    write("POST", "/triggers/gate", Map.of("iban", secret("event"), "is", plain("event")));
    await("gate", one -> one.status().isTerminal());
  }

  private long start(Map<String, Object> body) {
    return write("POST", "/instances", body).json().get("id").asLong();
  }

  private void notices() {
    String path = text("canary", "webhook of a subscription");
    add("webhook of a subscription", path, Role.ADMIN);
    write("POST", "/subscriptions", Map.of("webhook", "http://127.0.0.1:1/" + path));
    String name = "canary.subscriber";
    add("address of a subscription", name, Role.OPERATOR);
    write("POST", "/subscriptions", Map.of("mail", name + "@example.org"));
    server
        .engine()
        .client()
        .search(InstanceQuery.all().type("millrace-subscription"))
        .items()
        .forEach(one -> await(one.id(), now -> now.state().equals("active")));
    write(
        "POST",
        "/maintenances",
        Map.of(
            "title", plain("maintenance"),
            "from", "2037-01-05T10:00:00Z",
            "until", "2037-01-05T11:00:00Z"));
  }

  private void jobs() {
    Flow flow = Flow.of(flow(), Queue.of(queue())).lookup("customer");
    redis.call("HSET", MillraceKeys.flows(), flow(), FlowJson.write(flow));
    Map<String, Object> fields =
        Map.of(
            "customer", "jo",
            "iban", secret("field of a job"),
            "size", plain("field of a job"),
            "nested", Map.of("password", secret("member of a field")));
    job =
        write("POST", "/flows/" + flow() + "/jobs", Map.of("fields", fields))
            .json()
            .get("id")
            .stringValue();
    String raw = "{\"iban\":\"" + secret("unreadable field");
    redis.call("HSET", "job:" + flow() + ":" + job, "broken", raw);
  }

  String flow() {
    return mark + "-pack";
  }

  String queue() {
    return mark + "-box";
  }

  String job() {
    return job;
  }

  List<Long> ids(String type) {
    InstanceQuery all = InstanceQuery.all().limit(InstanceQuery.MAX_LIMIT);
    return server.engine().client().search(type.isEmpty() ? all : all.type(type)).items().stream()
        .map(WorkflowInstance::id)
        .toList();
  }

  long executor() {
    return Objects.requireNonNull(server.engine().executorId());
  }

  private void await(String type, Predicate<WorkflowInstance> wanted) {
    await(Polling.until(() -> ids(type), ids -> !ids.isEmpty()).getLast(), wanted);
  }

  private void await(long id, Predicate<WorkflowInstance> wanted) {
    Polling.until(() -> server.engine().client().get(id), wanted);
  }

  /** Sends a change as an administrator. */
  private Reply write(String method, String path, Object body) {
    Reply reply = write(Role.ADMIN, method, path, body);
    assertThat(reply.status()).as(method + " " + path + reply.text()).isBetween(200, 299);
    return reply;
  }

  private Reply write(Role role, String method, String path, Object body) {
    Reply reply = reply(send(method, path, body, headers(role)));
    canaries().stream()
        .filter(canary -> canary.isIn(reply.text()))
        .forEach(canary -> echoed.add(method + " " + path + " answers " + canary.place()));
    return reply;
  }

  Reply get(@Nullable Role role, String path) {
    return reply(send("GET", path, null, headers(role)));
  }

  private Map<String, String> headers(@Nullable Role role) {
    return role == null ? Map.of() : Map.of("Authorization", "Bearer " + keys.get(role));
  }

  private static Reply reply(HttpResponse<String> response) {
    String all = response.headers().map() + "\n" + response.body();
    return new Reply(response.statusCode(), response.body(), all);
  }

  /** Returns the start of a stream, up to its first event about instances. */
  String changes(Role role) throws IOException, InterruptedException {
    HttpRequest request = request("GET", "/events", null, headers(role));
    StringBuilder text = new StringBuilder();
    try (var lines = http.send(request, BodyHandlers.ofLines()).body()) {
      write("POST", "/bulk", Map.of("action", "wake", "filter", Map.of("ids", ids("order"))));
      var all = lines.iterator();
      while (all.hasNext() && !text.toString().matches("(?s).*\"instances\":\\[\\d.*")) {
        text.append(all.next()).append('\n');
      }
    }
    return text.toString();
  }

  private HttpResponse<String> send(
      String method, String path, @Nullable Object body, Map<String, String> headers) {
    try {
      return http.send(request(method, path, body, headers), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(method + " " + path, e);
    }
  }

  private HttpRequest request(
      String method, String path, @Nullable Object body, Map<String, String> headers) {
    boolean beside = path.equals("/metrics") || path.startsWith("/status-page");
    String address = base + (beside ? "" : "/api/v1") + path;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address))
            .timeout(Patience.LIMIT)
            .header("Content-Type", "application/json")
            .method(
                method,
                body == null
                    ? BodyPublishers.noBody()
                    : BodyPublishers.ofString(JSON.writeValueAsString(body)));
    headers.forEach(request::setHeader);
    return request.build();
  }

  @Override
  public void close() {
    server.close();
    redis.call("HDEL", MillraceKeys.flows(), flow());
    for (Object key : (List<?>) redis.call("KEYS", "*" + mark + "*")) {
      redis.call("UNLINK", key.toString());
    }
    redis.close();
    http.close();
  }
}
