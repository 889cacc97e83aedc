package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests rollouts over HTTP, of a node that does not leave yet. */
final class RolloutResourceTest {

  private static final String ALL = "/api/v1/rollouts";
  private static final String POLICY = "/api/v1/recycle-policy";

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

  private static JsonNode begin(Map<String, Object> body) {
    ApiTestClient.Reply reply = apiTestClient.post(ALL, body);
    assertThat(reply.status()).isEqualTo(201);
    return reply.json();
  }

  private static JsonNode seen(long id) {
    return apiTestClient.get(ALL + "/" + id).json();
  }

  private static void await(long id, String phase) {
    server.awaitSooner(() -> seen(id).get("phase").asString().equals(phase));
  }

  private static void steer(long id, String action, int status) {
    assertThat(
            apiTestClient
                .post(ALL + "/" + id + "/" + action, Map.of("reason", action + " it"))
                .status())
        .isEqualTo(status);
  }

  @Test
  void aRolloutTellsWhomItReplacesAndIsPausedResumedAndAborted() {
    JsonNode begun = begin(Map.of("graceSeconds", 60, "reason", "new disks"));
    long id = begun.get("id").asLong();
    assertThat(begun.get("reason").asString()).isEqualTo("rollout");
    assertThat(begun.get("by").asString()).contains("new disks");
    server.awaitUntil(() -> !seen(id).get("current").isNull());
    JsonNode current = seen(id).get("current");
    JsonNode executor = apiTestClient.get("/api/v1/executors").json().get(0);
    assertThat(current.get("stage").asString()).isEqualTo("leaving");
    assertThat(current.get("executorId").asLong()).isEqualTo(executor.get("id").asLong());
    assertThat(current.get("node")).isEqualTo(executor.get("node"));
    assertThat(current.get("since")).isEqualTo(executor.get("drainRequested"));
    assertThat(current.get("deadline")).isEqualTo(executor.get("drainDeadline"));
    assertThat(seen(id).get("nodes").get(0)).isEqualTo(executor.get("node"));

    steer(id, "pause", 204);
    await(id, "paused");
    assertThat(seen(id).get("current").get("stage").asString()).isEqualTo("leaving");
    steer(id, "resume", 204);
    await(id, "running");
    JsonNode behind = begin(Map.of("recycle", true, "minReadySeconds", 0, "patienceSeconds", 5));
    long recycle = behind.get("id").asLong();
    assertThat(behind.get("phase").asString()).isEqualTo("queued");
    assertThat(behind.get("reason").asString()).isEqualTo("recycle");
    steer(recycle, "abort", 204);
    await(recycle, "aborted");
    steer(id, "abort", 204);
    await(id, "aborted");
    assertThat(seen(id).get("why").asString()).contains("abort it");
    steer(id, "resume", 409);

    List<Long> ids =
        apiTestClient.get(ALL).json().valueStream().map(one -> one.get("id").asLong()).toList();
    assertThat(ids).containsSubsequence(recycle, id);
    JsonNode audited =
        apiTestClient.get("/api/v1/audit?action=startRollout&instance=" + id).json().get("items");
    assertThat(audited.get(0).get("target").asString()).isEqualTo("rollout of all nodes");
    assertThat(audited.get(0).get("reason").asString()).isEqualTo("new disks");
  }

  @Test
  void aRolloutOfUnknownNodesTellsWhichThereAre() {
    long id = begin(Map.of("nodes", List.of("nowhere"))).get("id").asLong();
    await(id, "failed");
    assertThat(seen(id).get("why").asString()).contains("[nowhere]").contains("list of nodes");
    assertThat(seen(id).get("current").isNull()).isTrue();
  }

  @Test
  void whatIsNoRolloutIsNotFound() {
    long other =
        apiTestClient.post("/api/v1/instances", Map.of("type", "quick")).json().get("id").asLong();
    assertThat(apiTestClient.get(ALL + "/" + other).status()).isEqualTo(404);
    steer(other, "pause", 404);
    steer(999_999, "abort", 404);
    assertThat(apiTestClient.post(ALL, Map.of("patienceSeconds", 0)).status()).isEqualTo(400);
    assertThat(apiTestClient.post(ALL, Map.of("graceSeconds", "long")).status()).isEqualTo(400);
    assertThat(apiTestClient.post(ALL, Map.of("node", "left")).status()).isEqualTo(400);
  }

  @Test
  void theRecyclePolicyIsReadSetAndHeldAgainstWhatIsPossible() {
    JsonNode before = apiTestClient.get(POLICY).json();
    assertThat(before.get("enabled").asBoolean()).isFalse();
    assertThat(before.get("at").asString()).isEqualTo("04:30");
    assertThat(before.get("changed").isNull()).isTrue();
    assertThat(before.get("nextUtc").isNull()).isTrue();

    ApiTestClient.Reply set =
        policy(
            "{'enabled':true,'at':'03:15','zone':'Asia/Kolkata','windowSeconds':600,"
                + "'maxAgeSeconds':90000,'memoryPercent':null,'reason':'quiet then'}");
    assertThat(set.status()).isEqualTo(200);
    JsonNode now = apiTestClient.get(POLICY).json();
    assertThat(now).isEqualTo(set.json());
    assertThat(now.get("enabled").asBoolean()).isTrue();
    assertThat(now.get("at").asString()).isEqualTo("03:15");
    assertThat(now.get("windowSeconds").asInt()).isEqualTo(600);
    assertThat(now.get("memoryPercent").isNull()).isTrue();
    assertThat(now.get("nextLocal").asString()).endsWith("T03:15:00+05:30");
    assertThat(now.get("nextUtc").asString()).endsWith("T21:45:00Z");
    assertThat(apiTestClient.get("/api/v1/audit?action=changeRecyclePolicy").json().toString())
        .contains("quiet then");
    String value = "/api/v1/key-values/value?group=millrace-recycle&key=default";
    assertThat(apiTestClient.get(value).status()).isEqualTo(200);
    assertThat(apiTestClient.send("DELETE", value, null, Map.of()).status()).isEqualTo(403);
    assertThat(apiTestClient.send("PUT", value, "{\"value\":\"x\"}", Map.of()).status())
        .isEqualTo(403);

    assertThat(policy("{'enabled':true,'at':'25:00','zone':'UTC'}").raw().body())
        .contains("expected a time of the day such as 04:30");
    assertThat(policy("{'enabled':true,'at':'04:30','zone':'Mars/Olympus'}").raw().body())
        .contains("no time zone; expected one such as Europe/Berlin");
    assertThat(policy("{'at':'04:30','zone':'UTC'}").status()).isEqualTo(400);
    assertThat(policy("{'enabled':true,'at':'04:30','zone':'UTC','windowSeconds':50000}").status())
        .isEqualTo(400);
    assertThat(apiTestClient.get(POLICY).json()).isEqualTo(now);
  }

  private static ApiTestClient.Reply policy(String body) {
    return apiTestClient.send("PUT", POLICY, body.replace('\'', '"'), Map.of());
  }
}
