package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import io.millrace.server.Patience;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Tests the resources with a real engine; {@link ApiTestClient} checks each response against the
 * contract.
 */
final class ApiTest {

  private static final String V1 = "/api/v1";

  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @BeforeAll
  static void start() {
    server = TestServer.inMemory();
    apiTestClient = new ApiTestClient(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void aPageOfInstancesAndTheOneAfterIt() {
    for (int i = 0; i < 5; i++) {
      server.client().start(StartRequest.of("order").businessKey("page"));
    }
    JsonNode first = apiTestClient.get(V1 + "/instances?businessKey=page&limit=3").json();
    String next = first.get("next").stringValue();
    JsonNode second = apiTestClient.get(V1 + "/instances?key=page&limit=3&cursor=" + next).json();
    assertThat(first.get("items")).hasSize(3);
    assertThat(second.get("items")).hasSize(2);
    assertThat(second.get("next").isNull()).isTrue();
    assertThat(apiTestClient.get(V1 + "/instances/count?key=page").json().get("count").intValue())
        .isEqualTo(5);
    assertThat(
            apiTestClient
                .get(V1 + "/instances/count?key=page&cap=2")
                .json()
                .get("capped")
                .asBoolean())
        .isTrue();
  }

  @Test
  void anInstanceTellsWhyItIsThereAndWhatCanBeDone() {
    long id = waiting("why");
    JsonNode detail = apiTestClient.get(V1 + "/instances/" + id).json();
    assertThat(detail.get("why").get("kind").stringValue()).isEqualTo("signal");
    assertThat(detail.get("why").get("unblock").stringValue()).isEqualTo("signal");
    assertThat(words(detail.get("allowed")))
        .containsExactly("wake", "cancel", "pause", "retry", "move", "editVariables", "signal");
    JsonNode viewer =
        apiTestClient.send("GET", V1 + "/instances/" + id, null, Map.of("X-Role", "viewer")).json();
    assertThat(viewer.get("allowed")).isEmpty();
  }

  @Test
  void whatAnIssuerAddsToItsAnswerIsPassedOver() {
    String added = "?code=x&state=y&scope=openid%20email&authuser=0&error_uri=https%3A%2F%2Fx";

    assertThat(apiTestClient.get(V1 + "/session/oidc/callback" + added).status()).isEqualTo(404);
    assertThat(apiTestClient.get(V1 + "/session/oidc?scope=openid").status()).isEqualTo(400);
  }

  @Test
  void aManualStateIsLeftByAMove() {
    long id = server.client().start(StartRequest.of("asks")).id();
    awaitStatus(id, "manual");
    JsonNode why = apiTestClient.get(V1 + "/instances/" + id).json().get("why");
    assertThat(why.get("unblock").stringValue()).isEqualTo("move");
    assertThat(action(id, "move", Map.of("state", "nowhere")).status()).isEqualTo(400);
    assertThat(action(id, "move", Map.of("state", "decided", "expectedState", "ask")).status())
        .isEqualTo(409);
    assertThat(action(id, "move", Map.of("state", "decided", "reason", "yes")).status())
        .isEqualTo(204);
    assertThat(apiTestClient.get(V1 + "/instances/" + id).json().get("status").stringValue())
        .isEqualTo("finished");
  }

  @Test
  void aMoveThatIsNotPermittedIsRefusedUnlessForced() {
    long id = server.client().start(StartRequest.of("asks")).id();
    awaitStatus(id, "manual");
    ApiTestClient.Reply refused = action(id, "move", Map.of("state", "ask"));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("detail").stringValue()).contains("'person'", "[decided]");
    assertThat(action(id, "move", Map.of("state", "ask", "force", true)).status()).isEqualTo(204);
    assertThat(server.client().history(id))
        .extracting(entry -> entry.outcome().reason())
        .contains("forced");
  }

  @Test
  void aWakeTellsWhatItHasDone() {
    long id = waiting("woken");
    assertThat(action(id, "wake", Map.of("expectedState", "reserve")).status()).isEqualTo(409);
    ApiTestClient.Reply woken = action(id, "wake", Map.of("expectedState", "pay"));
    assertThat(woken.status()).isEqualTo(200);
    assertThat(woken.json().get("result").stringValue()).isEqualTo("woken");
  }

  @Test
  void everyActionIsInHistoryAndAuditWithItsActorAndReason() {
    long id = waiting("actions");
    assertThat(action(id, "pause", Map.of("reason", "look <b>at</b> it")).status()).isEqualTo(204);
    assertThat(action(id, "pause", Map.of()).status()).isEqualTo(409);
    assertThat(action(id, "resume", Map.of()).status()).isEqualTo(204);
    assertThat(action(id, "cancel", Map.of("reason", "enough")).status()).isEqualTo(204);
    JsonNode history = apiTestClient.get(V1 + "/instances/" + id + "/history").json().get("items");
    assertThat(history.valueStream().map(a -> a.get("type").stringValue()))
        .containsExactly("stateExecution", "pause", "resume", "cancel");
    assertThat(history.get(1).get("actor").stringValue()).isEqualTo("tester");
    assertThat(history.get(1).get("reason").stringValue()).isEqualTo("look <b>at</b> it");
    JsonNode audit = apiTestClient.get(V1 + "/audit?instance=" + id).json().get("items");
    assertThat(audit.valueStream().map(a -> a.get("action").stringValue()))
        .containsExactly("cancel", "resume", "pause");
  }

  @Test
  void eachStepShowsWhatItChanged() {
    long id = waiting("diff");
    apiTestClient.send(
        "PATCH",
        V1 + "/instances/" + id + "/variables",
        "{\"set\":{\"stock\":12345678901234567890.10,\"new\":[1]},\"remove\":[\"gone\"]}",
        Map.of());
    assertThat(
            apiTestClient
                .post(V1 + "/instances/" + id + "/signals", Map.of("name", "paid"))
                .status())
        .isEqualTo(204);
    server.client().await(id, Patience.LIMIT);
    JsonNode all = apiTestClient.get(V1 + "/instances/" + id + "/history").json().get("items");
    assertThat(all.valueStream().map(one -> words(one.get("signals"))))
        .endsWith(List.of("paid"))
        .startsWith(List.of());
    assertThat(changes(all.get(0))).containsExactly("stock: null -> 41");
    assertThat(changes(all.get(1)))
        .containsExactly(
            "gone: null -> null", "new: null -> [1]", "stock: 41 -> 12345678901234567890.10");
    assertThat(changes(all.get(2))).containsExactly("stock: 12345678901234567890.10 -> 40");
    JsonNode second =
        apiTestClient.get(V1 + "/instances/" + id + "/history?after=2&limit=1").json();
    assertThat(changes(second.get("items").get(0))).isEqualTo(changes(all.get(2)));
    JsonNode variables = apiTestClient.get(V1 + "/instances/" + id + "/variables").json();
    assertThat(variables.valueStream().map(v -> v.get("name").stringValue()))
        .containsExactly("new", "stock");
    JsonNode messages = apiTestClient.get(V1 + "/instances/" + id + "/messages").json();
    assertThat(messages.get(0).get("actor").stringValue()).isEqualTo("tester");
  }

  @Test
  void aFullInboxIsAConflictThatNamesTheLimit() {
    long id = waiting("full");
    String megabyte = "x".repeat((1 << 20) - 2);
    for (int i = 0; i < 64; i++) {
      server.client().signal(id, "noise", megabyte);
    }
    String path = V1 + "/instances/" + id + "/signals";
    ApiTestClient.Reply refused = apiTestClient.post(path, Map.of("name", "noise", "payload", 1));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().get("detail").stringValue())
        .contains("The inbox of instance " + id + " is full", "10000 unconsumed signals", "64 MiB");
    String messages = V1 + "/instances/" + id + "/messages?limit=100";
    assertThat(apiTestClient.get(messages).json().size()).isEqualTo(8);

    assertThat(apiTestClient.post(path, Map.of("name", "paid")).status()).isEqualTo(204);
    server.client().await(id, Patience.LIMIT);
  }

  @Test
  void aStartIsRepeatedWithoutHarm() {
    Map<String, Object> body = Map.of("type", "order", "input", Map.of("n", 1), "priority", 7);
    Map<String, String> key = Map.of("Idempotency-Key", "once-1");
    String text = io.millrace.server.http.StrictJson.write(body);
    ApiTestClient.Reply first = apiTestClient.send("POST", V1 + "/instances", text, key);
    ApiTestClient.Reply again = apiTestClient.send("POST", V1 + "/instances", text, key);
    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().get("id")).isEqualTo(first.json().get("id"));
    ApiTestClient.Reply other =
        apiTestClient.send("POST", V1 + "/instances", "{\"type\":\"order\",\"input\":2}", key);
    assertThat(other.status()).isEqualTo(409);
    long id = first.json().get("id").longValue();
    assertThat(apiTestClient.get(V1 + "/instances/" + id).json().get("input").stringValue())
        .isEqualTo("{\"n\":1}");
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThat(problem(apiTestClient.get(V1 + "/instances?colour=red")))
        .contains("'colour'", "businessKey");
    assertThat(problem(apiTestClient.get(V1 + "/instances?status=happy")))
        .contains("'status'", "failed");
    assertThat(problem(apiTestClient.get(V1 + "/instances?limit=1001"))).contains("1 to 1000");
    assertThat(problem(apiTestClient.get(V1 + "/instances?createdFrom=today")))
        .contains("ISO 8601");
    assertThat(problem(apiTestClient.get(V1 + "/instances?variable=x"))).contains("'value'");
    assertThat(problem(apiTestClient.get(V1 + "/instances?cursor=zzz"))).contains("cursor");
    assertThat(problem(apiTestClient.get(V1 + "/instances?state=%00"))).contains("NUL");
    assertThat(problem(apiTestClient.get(V1 + "/instances?state=%ff"))).contains("UTF-8");
    assertThat(problem(apiTestClient.post(V1 + "/instances", Map.of("type", "nothing"))))
        .contains("nothing");
    assertThat(problem(apiTestClient.post(V1 + "/instances", Map.of("type", "order", "colour", 1))))
        .contains("'colour'", "externalId");
    assertThat(apiTestClient.get(V1 + "/instances/999999").status()).isEqualTo(404);
    assertThat(apiTestClient.post(V1 + "/instances/999999/wake", Map.of()).status()).isEqualTo(404);
    assertThat(apiTestClient.get(V1 + "/nothing").status()).isEqualTo(404);
    ApiTestClient.Reply wrongMethod =
        apiTestClient.send("DELETE", V1 + "/instances", null, Map.of());
    assertThat(wrongMethod.status()).isEqualTo(405);
    assertThat(wrongMethod.header("Allow")).isEqualTo("GET, POST");
  }

  @Test
  void bodiesAreLimited() {
    String path = V1 + "/instances";
    String deep = "[".repeat(65) + "]".repeat(65);
    assertThat(send(path, "{\"type\":\"order\",\"input\":" + deep + "}").status()).isEqualTo(400);
    assertThat(send(path, "{\"type\":\"order\",\"type\":\"order\"}").status()).isEqualTo(400);
    assertThat(send(path, "{\"type\":\"order\",\"input\":\"\\u0000\"}").status()).isEqualTo(400);
    assertThat(send(path, "{\"type\":\"order\",\"input\":\"\\ud800\"}").status()).isEqualTo(400);
    assertThat(send(path, "{\"type\":\"order\"} x").status()).isEqualTo(400);
    assertThat(send(path, "\"" + "x".repeat(1 << 20) + "\"").status()).isEqualTo(413);
    assertThat(
            apiTestClient.send("POST", path, "{}", Map.of("Content-Type", "text/plain")).status())
        .isEqualTo(415);
  }

  @Test
  void whoSendsTooMuchIsToldSoAndDoesNotLoseTheConnectionFirst() throws IOException {
    byte[] body = "x".repeat(8 << 20).getBytes(StandardCharsets.UTF_8);
    String head =
        "POST "
            + V1
            + "/instances HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for (String length : List.of("Content-Length: " + body.length, "Transfer-Encoding: chunked")) {
      boolean chunked = length.endsWith("chunked");
      ByteArrayOutputStream request = new ByteArrayOutputStream();
      request.writeBytes((head + length + "\r\n\r\n").getBytes(StandardCharsets.UTF_8));
      if (chunked) {
        request.writeBytes(
            (Integer.toHexString(body.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
      }
      request.writeBytes(body);
      if (chunked) {
        request.writeBytes("\r\n0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      }
      for (int round = 0; round < 10; round++) {
        try (RawConnection connection = new RawConnection(server.port(), Patience.LIMIT)) {
          assertThat(connection.exchange(request.toByteArray(), false))
              .as(length)
              .startsWith("HTTP/1.1 413");
        }
      }
    }
  }

  @Test
  void theSurroundingsAreShown() {
    waiting("seen");
    long failed = server.client().start(StartRequest.of("fails")).id();
    server.client().await(failed, Patience.LIMIT);
    JsonNode overview = apiTestClient.get(V1 + "/overview?range=1h").json();
    assertThat(overview.get("counts").get("failed").intValue()).isPositive();
    assertThat(overview.get("series").get("buckets")).hasSize(60);
    // The last minutes are not counted yet, so a chart must not show them as empty.
    assertThat(Instant.parse(overview.get("series").get("completeTo").asString()))
        .isBetween(
            Instant.parse(overview.get("now").asString()).minusSeconds(3 * 60),
            Instant.parse(overview.get("now").asString()).minusSeconds(2 * 60));
    assertThat(overview.get("executors").get(0).get("self").booleanValue()).isTrue();
    assertThat(words(overview.get("executors").get(0).get("types"))).contains("order");
    JsonNode groups = apiTestClient.get(V1 + "/failures?type=fails").json();
    String fingerprint = groups.get(0).get("fingerprint").stringValue();
    assertThat(apiTestClient.get(V1 + "/instances?failure=" + fingerprint).json().get("items"))
        .isNotEmpty();
    assertThat(
            apiTestClient
                .get(V1 + "/problems")
                .json()
                .valueStream()
                .map(p -> p.get("kind").asString()))
        .contains("failureGroup", "alert");
    assertThat(apiTestClient.get(V1 + "/statistics?range=7d&type=order").json().get("buckets"))
        .hasSize(56);
    assertThat(apiTestClient.get(V1 + "/definitions").json()).hasSizeGreaterThanOrEqualTo(5);
    JsonNode definition = apiTestClient.get(V1 + "/definitions/order?version=1").json();
    assertThat(definition.get("states")).hasSize(3);
    assertThat(definition.get("input").toString())
        .isEqualTo(
            "[{\"name\":\"size\",\"type\":\"choice\",\"required\":true,\"choices\":[\"SMALL\",\"LARGE\"]},"
                + "{\"name\":\"note\",\"type\":\"json\",\"required\":false,\"choices\":null}]");
    assertThat(definition.get("seen").valueStream().map(JsonNode::toString))
        .as("the definition declares no moves")
        .anyMatch(move -> move.matches(".*\"reserve\",\"to\":\"pay\",\"count\":[0-9]+.*"));
    assertThat(apiTestClient.get(V1 + "/definitions/order?version=2").status()).isEqualTo(404);
    assertThat(apiTestClient.get(V1 + "/executors").json()).hasSize(1);
    assertThat(apiTestClient.get(V1 + "/settings").status()).isEqualTo(200);
    assertThat(apiTestClient.get("/metrics").raw().body()).contains("test 1");
    assertThat(apiTestClient.get(V1 + "/health/ready").status()).isEqualTo(200);
    assertThat(apiTestClient.get(V1 + "/health/live").status()).isEqualTo(200);
    assertThat(apiTestClient.get(V1 + "/openapi.yaml").raw().body()).startsWith("openapi: 3.1.0");
    assertThat(apiTestClient.get(V1 + "/instances/" + failed + "/logs").json().get("items"))
        .isEmpty();
  }

  @Test
  void anExportHoldsAllAndNoFormula() {
    for (int i = 0; i < 1200; i++) {
      server.client().start(StartRequest.of("quick").businessKey("=1+1").externalId("x,\"" + i));
    }
    String csv = apiTestClient.get(V1 + "/instances/export?businessKey=%3D1%2B1").raw().body();
    assertThat(csv.lines()).hasSize(1201);
    assertThat(csv).contains(",'=1+1,").contains("\"x,\"\"7\"");
    String json =
        apiTestClient.get(V1 + "/instances/export?type=quick&format=json&max=700").raw().body();
    assertThat(json.lines()).hasSize(700).allMatch(line -> line.startsWith("{\"id\":"));
  }

  @Test
  void ownWorkflowsAreNotStartedByHand() {
    ApiTestClient.Reply reply =
        apiTestClient.post(V1 + "/instances", Map.of("type", "millrace-bulk"));
    assertThat(reply.status()).isEqualTo(403);
  }

  private static ApiTestClient.Reply send(String path, String body) {
    return apiTestClient.send("POST", path, body, Map.of());
  }

  private static String problem(ApiTestClient.Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(400);
    return reply.json().get("detail").stringValue();
  }

  private static ApiTestClient.Reply action(long id, String action, Map<String, Object> body) {
    return apiTestClient.post(V1 + "/instances/" + id + "/" + action, body);
  }

  private static long waiting(String key) {
    long id = server.client().start(StartRequest.of("order").businessKey(key)).id();
    server.awaitState(id, "pay");
    return id;
  }

  private static void awaitStatus(long id, String status) {
    server.await(id, instance -> instance.status().code().equals(status));
  }

  private static List<String> words(JsonNode array) {
    return array.valueStream().map(JsonNode::stringValue).toList();
  }

  private static List<String> changes(JsonNode action) {
    return action
        .get("changes")
        .valueStream()
        .map(c ->
            c.get("name").stringValue()
                + ": "
                + text(c.get("before"))
                + " -> "
                + text(c.get("after")))
        .toList();
  }

  private static String text(JsonNode node) {
    return node.isNull() ? "null" : node.stringValue();
  }
}
