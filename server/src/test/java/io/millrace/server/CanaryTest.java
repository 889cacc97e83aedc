package io.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.CanaryServer.Canary;
import io.millrace.server.CanaryServer.Reply;
import io.millrace.server.config.LoadedConfig;
import io.millrace.server.security.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Tests that no response to a role shows a stored secret that the role may not read. The contract
 * lists the operations. An operation with parameters is tested only if {@link #paths} contains it.
 */
@Timeout(300)
@Tag("server")
final class CanaryTest {

  /** Operations whose response to an administrator is not 200 here. */
  private static final Set<String> ELSE =
      Set.of(
          "logInWithOidc",
          "finishOidc",
          "getRollout",
          "getPeriod",
          "downloadReport",
          "askToConfirm",
          "askToUnsubscribe");

  /** A read operation of the contract; {@code bare} if it needs no parameter. */
  private record Operation(String id, String path, boolean bare) {}

  @TempDir private static Path folder;

  private static CanaryServer server;

  @BeforeAll
  static void start() {
    server = new CanaryServer(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void noAnswerShowsASecretToThoseWhoMayNotReadIt() throws Exception {
    Map<String, List<String>> paths = paths();
    Set<String> shown = new TreeSet<>();
    Set<String> unanswered = new TreeSet<>();
    StringBuilder seen = new StringBuilder();
    for (Operation operation : operations()) {
      List<String> asked = asked(operation, paths);
      assertThat(asked).as("paths of " + operation).isNotEmpty();
      for (Role role : roles()) {
        boolean answered = false;
        for (String path : asked) {
          Reply reply = server.get(role, path);
          answered |= reply.status() == 200;
          addShown(shown, role, operation.id() + " " + path, reply.text());
          if (role == Role.ADMIN) {
            seen.append(reply.body());
          }
        }
        if (role == Role.ADMIN && !answered && !ELSE.contains(operation.id())) {
          unanswered.add(operation.id());
        }
      }
    }
    for (Role role : Role.values()) {
      String stream = server.changes(role);
      assertThat(stream).contains("event: change");
      addShown(shown, role, "events", stream);
    }
    assertThat(shown).isEmpty();
    assertThat(server.echoed()).isEmpty();
    assertThat(unanswered).isEmpty();
    assertThat(server.plain().values()).allMatch(text -> seen.toString().contains(text));
    assertThat(server.canaries().stream().filter(one -> one.reader() != null))
        .allMatch(one -> one.isIn(seen.toString()));
  }

  private static void addShown(Set<String> shown, @Nullable Role role, String where, String text) {
    for (Canary canary : server.canaries()) {
      if (!canary.mayBeReadBy(role) && canary.isIn(text)) {
        shown.add(where + " shows to " + role + ": " + canary.place());
      }
    }
  }

  private static List<@Nullable Role> roles() {
    List<@Nullable Role> roles = new ArrayList<>(Arrays.asList(Role.values()));
    roles.add(null);
    return roles;
  }

  @Test
  void noSearchTellsWhetherASecretIsGuessedRight() {
    for (String path : List.of("/instances", "/instances/count", "/instances/export")) {
      Reply reply = server.get(Role.ADMIN, path + "?variable=customerIban&value=x");
      assertThat(reply.status()).as(path).isEqualTo(400);
      assertThat(reply.text()).contains("customerIban", "secret by its name");
    }
  }

  @Test
  void aRedisAndABrokerThatAreAwayShowNoPassword() throws Exception {
    LoadedConfig away =
        TestConfigs.of(
            "security.enabled", "false",
            "redis.uri", "redis://ada:canary-redis@127.0.0.1:1",
            "rabbitmq.uri", "amqp://ada:canary-rabbit@127.0.0.1:1");
    try (MillraceServer server = MillraceServer.start(away, ServerExtensions.NONE);
        HttpClient client = HttpClient.newHttpClient()) {
      StringBuilder all = new StringBuilder();
      for (String path : List.of("problems", "overview", "flows", "channels", "settings")) {
        URI address = URI.create(server.address() + "api/v1/" + path);
        HttpResponse<String> answer =
            client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        all.append(answer.body());
      }
      assertThat(all.toString()).contains("127.0.0.1:1", "rabbitmq.uri").doesNotContain("canary");
    }
  }

  private static List<String> asked(Operation operation, Map<String, List<String>> paths) {
    Stream<String> bare = operation.bare() ? Stream.of(operation.path()) : Stream.of();
    return Stream.concat(bare, paths.getOrDefault(operation.id(), List.of()).stream()).toList();
  }

  /** Returns the paths to request in addition to those that need no parameter. */
  private static Map<String, List<String>> paths() {
    Map<String, List<String>> paths = new HashMap<>();
    List<Long> all = server.ids("");
    assertThat(all).hasSizeGreaterThan(10);
    paths.put("getInstance", below("/instances/", all, ""));
    paths.put("listHistory", below("/instances/", all, "/history"));
    paths.put("listVariables", below("/instances/", all, "/variables"));
    paths.put("listMessages", below("/instances/", all, "/messages"));
    paths.put("listLogs", below("/instances/", all, "/logs"));
    paths.put("getBulk", below("/bulk/", server.ids("millrace-bulk"), ""));
    paths.put("getMaintenance", below("/maintenances/", server.ids("millrace-maintenance"), ""));
    paths.put("getRollout", List.of("/rollouts/1"));
    paths.put("downloadReport", List.of("/reports/1/pdf"));
    paths.put("exportInstances", List.of("/instances/export?format=json"));
    paths.put("listInstances", List.of("/instances?type=millrace-subscription"));
    paths.put(
        "getDefinition",
        Stream.of("payment", "order", "gate", "millrace-subscription", "millrace-bulk")
            .map(type -> "/definitions/" + type)
            .toList());
    paths.put("listLeasedInstances", List.of("/executors/" + server.executor() + "/instances"));
    paths.put("getContinuousWorkflow", List.of("/continuous-workflows/gate"));
    paths.put("listContinuousLog", List.of("/continuous-workflows/gate/log"));
    paths.putAll(data());
    return paths;
  }

  private static Map<String, List<String>> data() {
    Map<String, List<String>> paths = new LinkedHashMap<>();
    paths.put("listKeyValues", List.of("/key-values?group=mail"));
    paths.put(
        "getKeyValue",
        Stream.of("smtp-password", "host", "settings")
            .map(key -> "/key-values/value?group=mail&key=" + key)
            .toList());
    paths.put("listPeriods", List.of("/ledger?schedule=none"));
    paths.put("getPeriod", List.of("/ledger/period?schedule=none&period=2026"));
    paths.put("getReduceRecord", List.of("/reduce-groups/record?group=customers&key=7"));
    paths.put("getTask", List.of("/tasks/LOAD", "/tasks/ADDED"));
    paths.put("getSequence", below("/sequences/", List.of("daily", "report-po", "report-h2"), ""));
    paths.put("listSequenceSlots", List.of("/sequences/daily/slots"));
    paths.put("calendar", List.of("/calendar?from=2026-01-01T00:00:00Z&to=2026-01-09T00:00:00Z"));
    paths.put("listDeadLetters", List.of("/channels/mail/dead-letters"));
    String flow = "/flows/" + server.flow();
    paths.put("listJobs", List.of(flow + "/queues/" + server.queue() + "/jobs"));
    paths.put("findJobs", List.of(flow + "/jobs?field=customer&value=jo"));
    paths.put("getJob", List.of(flow + "/jobs/" + server.job()));
    paths.put("askToConfirm", List.of("/status-page/confirm?id=1&token=x"));
    paths.put("askToUnsubscribe", List.of("/status-page/unsubscribe?id=1&token=x"));
    return paths;
  }

  private static List<String> below(String prefix, List<?> ids, String rest) {
    return ids.stream().map(id -> prefix + id + rest).toList();
  }

  /** Returns the operations that read, except for the stream of events, which does not end. */
  private static List<Operation> operations() throws IOException {
    LoaderOptions options = new LoaderOptions();
    options.setMaxAliasesForCollections(1000);
    Map<String, Object> contract;
    try (InputStream in = MillraceServer.class.getResourceAsStream("openapi.yaml")) {
      contract = new Yaml(new SafeConstructor(options)).load(in);
    }
    List<Operation> operations = new ArrayList<>();
    map(contract.get("paths"))
        .forEach((path, item) -> {
          Map<String, Object> get = map(map(item).get("get"));
          if (!get.isEmpty() && !"events".equals(get.get("operationId"))) {
            operations.add(
                new Operation(
                    String.valueOf(get.get("operationId")),
                    path,
                    !path.contains("{") && !needsQuery(contract, get)));
          }
        });
    assertThat(operations).hasSizeGreaterThan(60);
    return operations;
  }

  private static boolean needsQuery(Map<String, Object> contract, Map<String, Object> operation) {
    Map<String, Object> named = map(map(contract.get("components")).get("parameters"));
    List<?> parameters = (List<?>) operation.getOrDefault("parameters", List.of());
    return parameters.stream()
        .map(CanaryTest::map)
        .map(one ->
            one.containsKey("$ref")
                ? map(named.get(String.valueOf(one.get("$ref")).replaceFirst(".*/", "")))
                : one)
        .anyMatch(one -> Boolean.TRUE.equals(one.get("required")));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(@Nullable Object node) {
    return node == null ? Map.of() : (Map<String, Object>) node;
  }
}
