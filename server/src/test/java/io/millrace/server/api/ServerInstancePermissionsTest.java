package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.definition.DefinitionDocument;
import io.millrace.instance.StartRequest;
import io.millrace.server.http.Route;
import io.millrace.server.notice.Subscription;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.InstancePermissions.Access;
import io.millrace.server.security.Role;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tests that the server's own instances require the permission of the operation that they stand
 * for, on every route.
 */
final class ServerInstancePermissionsTest {

  private static final String V1 = "/api/v1";
  private static final String SECRET_PATH = "hooks-path-canary";
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @BeforeAll
  static void start() {
    server = TestServer.slowToHear();
    apiTestClient = new ApiTestClient(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static ApiTestClient.Reply send(String role, String method, String path, Object body) {
    return apiTestClient.send(
        method,
        V1 + path,
        body == null ? null : MAPPER.writeValueAsString(body),
        Map.of("X-Role", role));
  }

  private static long rollout() {
    long id =
        apiTestClient.post(V1 + "/rollouts", Map.of("graceSeconds", 60)).json().get("id").asLong();
    server.await(id, one -> one.seq() > 0);
    return id;
  }

  private static long subscription() {
    String url = "https://example.org/" + SECRET_PATH + "/" + System.nanoTime();
    Subscription wanted = new Subscription(null, URI.create(url), List.of(), "anna");
    long id = server.client().start(StartRequest.of("millrace-subscription", wanted)).id();
    server.awaitState(id, "active");
    return id;
  }

  private static Map<String, Map<String, Object>> actions() {
    Map<String, Map<String, Object>> actions = new HashMap<>();
    for (String simple : List.of("wake", "pause", "resume", "retry", "cancel")) {
      actions.put(simple, Map.of());
    }
    actions.put("move", Map.of("state", "drain"));
    actions.put("signals", Map.of("name", "pause"));
    return actions;
  }

  @Test
  void operatorsDoNothingToRolloutsByTheirInstances() {
    long id = rollout();
    try {
      actions().forEach((action, body) -> assertForbidden(action, id, body));
      assertThat(
              send("operator", "PATCH", "/instances/" + id + "/variables", Map.of("set", Map.of()))
                  .status())
          .isEqualTo(403);
      assertThat(server.client().history(id)).allMatch(one -> one.author().actor() == null);
      assertThat(send("operator", "GET", "/instances/" + id, null).json().get("allowed").toString())
          .isEqualTo("[]");
      assertThat(apiTestClient.get(V1 + "/instances/" + id).json().get("allowed").toString())
          .contains("cancel", "signal");
    } finally {
      apiTestClient.post(V1 + "/rollouts/" + id + "/abort", Map.of());
    }
  }

  private static void assertForbidden(String action, long id, Map<String, Object> body) {
    ApiTestClient.Reply reply = send("operator", "POST", "/instances/" + id + "/" + action, body);
    assertThat(reply.status()).as(action).isEqualTo(403);
    assertThat(reply.json().get("detail").asString()).contains("millrace-rollout", "admin");
  }

  /** The test finds new routes below an instance automatically. */
  @Test
  void everyRouteBelowAnInstanceAsksForItsPermission() {
    long rollout = rollout();
    long subscription = subscription();
    int asked = 0;
    for (Route route : server.routes()) {
      if (route.path().startsWith(V1 + "/instances/{id}")) {
        String rest = route.path().substring((V1 + "/instances/{id}").length());
        String method = route.method().name();
        boolean reads = method.equals("GET");
        String path = "/instances/" + (reads ? subscription : rollout) + rest;
        assertThat(send("operator", method, path, reads ? null : Map.of()).status())
            .as(route.operationId())
            .isEqualTo(403);
        assertDescribed(method, route.path());
        asked++;
      }
    }
    assertThat(asked).isGreaterThan(10);
    apiTestClient.post(V1 + "/instances/" + rollout + "/cancel", Map.of());
  }

  private static void assertDescribed(String method, String path) {
    assertThat(OpenApiDocument.CONTRACT.find(method, path).orElseThrow().responses())
        .as(method + " " + path)
        .containsKey("403");
  }

  @Test
  void refusalsOfTypesAreDescribed() {
    String type = "type=millrace-subscription";
    for (String path :
        List.of("/instances", "/instances/count", "/instances/export", "/failures")) {
      assertThat(send("viewer", "GET", path + "?" + type, null).status()).isEqualTo(403);
      assertDescribed("GET", V1 + path);
    }
    Map<String, Object> start = Map.of("type", "millrace-bulk");
    assertThat(send("admin", "POST", "/instances", start).status()).isEqualTo(403);
    assertDescribed("POST", V1 + "/instances");
  }

  @Test
  void theServersOwnTypesAllHaveTheirPermissions() {
    assertThat(server.client().definitions())
        .extracting(DefinitionDocument::type)
        .filteredOn(InstancePermissions::isServerType)
        .hasSizeGreaterThan(5)
        .isSubsetOf(InstancePermissions.ownTypes());
    assertThat(InstancePermissions.allows(Role.OPERATOR, "millrace-unknown", Access.READ))
        .isFalse();
    assertThat(InstancePermissions.allows(Role.OPERATOR, "order", Access.MODIFY)).isTrue();
    assertThat(InstancePermissions.allows(Role.VIEWER, "order", Access.CONTROL)).isFalse();
    assertThat(InstancePermissions.allows(null, "order", Access.READ)).isFalse();
  }

  @Test
  void aBulkRunHasTheRightsOfTheOneWhoStartedIt() {
    long id = rollout();
    try {
      assertThat(refused("operator", "pause", id)).contains("millrace-rollout", "needs the role");
      assertThat(server.client().history(id)).allMatch(one -> one.author().actor() == null);
      assertThat(refused("admin", "pause", id)).doesNotContain("needs the role");
    } finally {
      apiTestClient.post(V1 + "/instances/" + id + "/cancel", Map.of());
    }
  }

  /** Returns the message of the rejection; empty if the instance was not rejected. */
  private static String refused(String role, String action, long id) {
    long run =
        send(role, "POST", "/bulk", Map.of("action", action, "filter", Map.of("ids", List.of(id))))
            .json()
            .get("id")
            .asLong();
    server.await(run, i -> i.status().isTerminal());
    JsonNode refusals = apiTestClient.get(V1 + "/bulk/" + run).json().get("refusals");
    return refusals.isEmpty() ? "" : refusals.get(0).get("message").asString();
  }

  @Test
  void maintenanceIsSteeredByOperatorsButNotChangedBehindItsBack() {
    long id =
        apiTestClient
            .post(
                V1 + "/maintenances",
                Map.of(
                    "title", "Disks",
                    "from", "2037-01-05T10:00:00Z",
                    "until", "2037-01-05T11:00:00Z"))
            .json()
            .get("id")
            .asLong();
    server.awaitState(id, "scheduled");
    assertThat(send("viewer", "GET", "/instances/" + id, null).status()).isEqualTo(200);
    Map<String, Object> order = Map.of("name", "order", "payload", Map.of());
    assertThat(send("operator", "POST", "/instances/" + id + "/signals", order).status())
        .isEqualTo(403);
    assertThat(send("operator", "POST", "/instances/" + id + "/pause", Map.of()).status())
        .isEqualTo(204);
  }

  @Test
  void onlyAdminsReadTheInstancesOfSubscriptions() {
    long id = subscription();
    String one = "/instances/" + id;
    for (String path : List.of("", "/history", "/variables", "/messages", "/logs")) {
      assertThat(send("admin", "GET", one + path, null).status()).as(path).isEqualTo(200);
      for (String role : List.of("viewer", "operator")) {
        assertThat(send(role, "GET", one + path, null).status()).as(path).isEqualTo(403);
      }
    }
  }

  @Test
  void whatMayNotBeReadIsNotFoundCountedOrExported() {
    long id = subscription();
    String type = "type=millrace-subscription";
    assertThat(listed("admin", "")).contains(id);
    assertThat(listed("admin", type)).contains(id);
    for (String role : List.of("viewer", "operator")) {
      assertThat(listed(role, "")).doesNotContain(id);
      assertThat(send(role, "GET", "/instances?" + type, null).status()).isEqualTo(403);
      assertThat(send(role, "GET", "/instances/count?" + type, null).status()).isEqualTo(403);
      assertThat(send(role, "GET", "/instances/export?" + type, null).status()).isEqualTo(403);
      assertThat(exported(role)).doesNotContain("\"id\":" + id + ",");
      assertThat(counted(role)).isLessThan(counted("admin"));
      assertThat(
              send(role, "GET", "/definitions/millrace-subscription", null)
                  .json()
                  .get("inputExample")
                  .isNull())
          .isTrue();
    }
    assertThat(exported("admin")).contains("\"id\":" + id + ",");
  }

  @Test
  void whatAnExecutorHoldsIsShownToThoseWhoMayReadIt() {
    long hidden = subscription();
    long shown = server.client().start(StartRequest.of("order")).id();
    server.awaitState(shown, "pay");
    long executor = server.engine().executorId() + 1_000;
    server.execute(
        "UPDATE millrace_instance SET executor_id = "
            + executor
            + " WHERE id IN (%s, %s)".formatted(hidden, shown));
    try {
      assertThat(held("admin", executor)).containsExactlyInAnyOrder(hidden, shown);
      assertThat(held("operator", executor)).containsExactly(shown);
      assertThat(held("viewer", executor)).containsExactly(shown);
    } finally {
      server.execute(
          "UPDATE millrace_instance SET executor_id = NULL WHERE executor_id = " + executor);
    }
  }

  private static List<Long> held(String role, long executor) {
    return send(role, "GET", "/executors/" + executor + "/instances", null)
        .json()
        .valueStream()
        .map(one -> one.get("instanceId").asLong())
        .toList();
  }

  private static List<Long> listed(String role, String filter) {
    return send(role, "GET", "/instances?limit=1000&" + filter, null)
        .json()
        .get("items")
        .valueStream()
        .map(one -> one.get("id").asLong())
        .toList();
  }

  private static long counted(String role) {
    LongSupplier count =
        () -> send(role, "GET", "/instances/count", null).json().get("count").asLong();
    return count.getAsLong();
  }

  private static String exported(String role) {
    return send(role, "GET", "/instances/export?format=json", null).raw().body();
  }
}
