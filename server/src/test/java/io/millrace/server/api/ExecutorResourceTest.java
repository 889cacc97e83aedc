package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the executors of a cluster over HTTP. */
final class ExecutorResourceTest {

  private static final String ALL = "/api/v1/executors";

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

  private static JsonNode mine() {
    return apiTestClient
        .get(ALL)
        .json()
        .valueStream()
        .filter(e -> e.get("self").asBoolean())
        .findFirst()
        .orElseThrow();
  }

  private static int ask(String action, Map<String, Object> body) {
    return apiTestClient.post(ALL + "/" + mine().get("id").asLong() + "/" + action, body).status();
  }

  private static boolean is(String status) {
    return mine().get("status").asString().equals(status);
  }

  @Test
  void aCordonedExecutorTakesNothingUntilItIsGivenWorkAgain() {
    assertThat(mine().get("node").asString()).isNotBlank();
    assertThat(ask("cordon", Map.of("reason", "a look at it"))).isEqualTo(204);
    assertThat(is("cordoned")).isTrue();

    assertThat(ask("uncordon", Map.of())).isEqualTo(204);
    assertThat(is("alive")).isTrue();
    JsonNode started = apiTestClient.post("/api/v1/instances", Map.of("type", "quick")).json();
    server.await(started.get("id").asLong(), one -> one.status().isTerminal());
  }

  @Test
  void whatADrainWaitsForIsListed() {
    JsonNode held = apiTestClient.get(ALL + "/" + mine().get("id").asLong() + "/instances").json();
    assertThat(held.isArray()).isTrue();
    assertThat(apiTestClient.post(ALL + "/999/cordon", Map.of()).status()).isEqualTo(400);
    assertThat(ask("drain", Map.of("graceSeconds", -1))).isEqualTo(400);
  }
}
