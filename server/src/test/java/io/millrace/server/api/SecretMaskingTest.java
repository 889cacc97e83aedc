package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.server.http.HttpMethod;
import io.millrace.server.http.Route;
import io.millrace.server.http.StrictJson;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no operation shows marked values, whatever happens to the instance. */
final class SecretMaskingTest {

  private static final String V1 = "/api/v1";
  private static final String CARD = "4111-canary-1111";
  private static final String PIN = "9-canary-9";
  private static final String OTHER = "5500-canary-0004";

  @Test
  void noOperationShowsASecret() throws IOException {
    try (TestServer server = TestServer.inMemory();
        EventStreamResourceTest.Stream stream =
            EventStreamResourceTest.Stream.open(server.port(), "", "")) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      long id = start(apiTestClient, CARD).json().get("id").longValue();
      server.await(id, instance -> instance.status().code().equals("failed"));
      String change = stream.awaitEvent("change");
      List<String> answers = new ArrayList<>(List.of(change));
      answers.add(start(apiTestClient, OTHER).raw().body());
      answers.add(edit(apiTestClient, id, OTHER).raw().body());
      answers.add(search(apiTestClient).raw().body());
      answers.add(bulk(apiTestClient).raw().body());
      answers.add(action(apiTestClient, id, "retry").raw().body());
      server.await(id, instance -> instance.seq() >= 4 && instance.status().isTerminal());
      String fingerprint =
          apiTestClient
              .get(V1 + "/failures?type=payment")
              .json()
              .get(0)
              .get("fingerprint")
              .asString();
      server.sequences().add(SampleTasks.daily("daily"));
      for (Route route : server.routes()) {
        if (route.method() == HttpMethod.GET && !route.operationId().equals("events")) {
          answers.add(get(apiTestClient, route, id, fingerprint));
        }
      }
      answers.add(apiTestClient.get(V1 + "/instances/export?format=json").raw().body());
      String all = String.join("\n", answers);
      assertThat(all).contains("The bank refuses ***", "\"secret\":true", "\"inputSecret\":true");
      assertThat(all).doesNotContain("canary").doesNotContain("k1:");
    }
  }

  /** The result of a search by a value would confirm a guess of its secret members. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"password\":\"x\"}",
        "{\"host\":\"h\",\"dbPassword\":\"x\"}",
        "[{\"list\":[{\"iban\":7}]}]",
        " {\"\\u0070assword\":\"x\"} ",
        "{\"$secret\":\"k1:x\"}",
        "[{\"a\":{\"$secret\":\"k1:x\"}}]",
      })
  void noSearchTellsWhetherANestedSecretIsGuessedRight(String value) {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      Map<String, Object> dryRun =
          Map.of(
              "action",
              "retry",
              "dryRun",
              true,
              "filter",
              Map.of("variable", "cfg", "value", value));
      String query = "?variable=cfg&value=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
      List<ApiTestClient.Reply> replies =
          List.of(
              apiTestClient.get(V1 + "/instances" + query),
              apiTestClient.get(V1 + "/instances/count" + query),
              apiTestClient.get(V1 + "/instances/export" + query),
              apiTestClient.get(V1 + "/instances/export" + query + "&format=json"),
              apiTestClient.post(V1 + "/bulk", dryRun));
      for (ApiTestClient.Reply reply : replies) {
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.json().get("detail").stringValue()).contains("holds a secret");
      }
    }
  }

  /** The result of a comparison with a committed record would confirm a guess, too. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "document": [{"id": 1, "password": "x"}]                | holds a secret
          "document": [{"id": 1, "list": [{"accessKey": 7}]}]     | holds a secret
          "document": [{"id": 1, "a": {"$secret": "k1:x"}}]       | holds a secret
          "document": [{"id": 1}], "key": "/password"             | secret by its name
          "document": [{"id": 1}], "only": ["/id", "/a/password"] | secret by its name
          """)
  void noDryRunTellsWhetherASecretIsGuessedRight(String members, String reason) {
    try (TestServer server = TestServer.inMemory()) {
      server.engine().reduce("mail").reduce(List.of("x")).commit();
      String body = "{\"group\": \"mail\", " + members + "}";
      ApiTestClient.Reply reply =
          new ApiTestClient(server.port())
              .send("POST", V1 + "/reduce-groups/dry-run", body, Map.of());
      assertThat(reply.status()).as(reply.raw().body()).isEqualTo(400);
      assertThat(reply.json().get("detail").stringValue()).contains(reason);
    }
  }

  @Test
  void aValueWithoutSecretsIsFound() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      Map<String, Object> cfg = Map.of("host", List.of("h", 7));
      apiTestClient.post(
          V1 + "/instances", Map.of("type", "order", "variables", Map.of("cfg", cfg)));
      String value = URLEncoder.encode(StrictJson.write(cfg), StandardCharsets.UTF_8);
      String query = "/instances/count?variable=cfg&value=" + value;
      assertThat(apiTestClient.get(V1 + query).json().get("count").intValue()).isEqualTo(1);
    }
  }

  /** A mask that a client sends back must not overwrite the stored secret. */
  @Test
  void aMaskIsNotTakenForAValue() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      Map<String, Object> mask = Map.of("$secret", "***");
      Map<String, Object> masked = Map.of("list", List.of(Map.of("iban", mask)));
      long id =
          apiTestClient.post(V1 + "/instances", Map.of("type", "order")).json().get("id").asLong();
      String one = V1 + "/instances/" + id;
      server.awaitState(id, "pay");
      assertRefused(
          apiTestClient.post(V1 + "/instances", Map.of("type", "order", "input", masked)));
      assertRefused(
          apiTestClient.post(V1 + "/instances", Map.of("type", "order", "variables", masked)));
      assertRefused(apiTestClient.post(one + "/signals", Map.of("name", "paid", "payload", mask)));
      String set = StrictJson.write(Map.of("set", masked));
      assertRefused(apiTestClient.send("PATCH", one + "/variables", set, Map.of()));
      String value = V1 + "/key-values/value?group=mail&key=host";
      String content = StrictJson.write(Map.of("value", StrictJson.write(mask)));
      ApiTestClient.Reply put = apiTestClient.send("PUT", value, content, Map.of());
      assertThat(put.status()).isEqualTo(400);
      assertThat(apiTestClient.get(value).status()).isEqualTo(404);
      assertThat(server.client().get(id).seq()).isEqualTo(1);
    }
  }

  private static void assertRefused(ApiTestClient.Reply reply) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("detail").stringValue())
        .contains("in place of a secret value", "expected the value itself");
  }

  private static void assertMaskRefused(ApiTestClient.Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(400);
    assertThat(reply.raw().body()).contains("no value is stored there");
  }

  @Test
  void parametersAndValuesThatAreSecretByNameAreMaskedAndSurviveAnEdit() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      String value = V1 + "/key-values/value?group=mail&key=smtp-password";
      assertThat(apiTestClient.send("PUT", value, "{\"value\":\"kv-canary\"}", Map.of()).status())
          .isEqualTo(200);
      assertThat(apiTestClient.get(value).raw().body()).contains("***").doesNotContain("canary");
      assertThat(apiTestClient.get(V1 + "/key-values?group=mail").raw().body())
          .doesNotContain("canary");

      String task = V1 + "/tasks/LOADS";
      String body =
          "{\"name\":\"LOADS\",\"type\":\"load\",\"component\":\"count\",\"parameters\":"
              + "{\"dbPassword\":%s,\"rows\":%s}}";
      ApiTestClient.Reply added =
          apiTestClient.send("POST", V1 + "/tasks", body.formatted("\"canary\"", 1), Map.of());
      assertThat(added.status()).as(added.raw().body()).isEqualTo(201);
      assertThat(apiTestClient.get(task).raw().body()).contains("***").doesNotContain("canary");
      String masked = body.formatted("{\"$secret\":\"***\"}", 2);
      assertThat(
              apiTestClient
                  .send("PUT", task + "?revision=" + added.json().get("revision"), masked, Map.of())
                  .status())
          .isEqualTo(200);
      assertThat(
              server.sequences().tasks().find("LOADS").orElseThrow().task().options().parameters())
          .containsEntry("dbPassword", "canary");
      assertMaskRefused(
          apiTestClient.send("POST", V1 + "/tasks", masked.replace("LOADS", "COPY"), Map.of()));
      Map<String, Object> mask = Map.of("$secret", "***");
      Map<String, Object> sequenceTask =
          Map.of("task", "LOADS", "parameters", Map.of("token", mask));
      Map<String, Object> copy =
          Map.of(
              "sequenceId",
              "copy",
              "type",
              "load",
              "schedule",
              Map.of("frequency", "DAILY"),
              "tasks",
              List.of(sequenceTask));
      assertMaskRefused(apiTestClient.post(V1 + "/sequences", copy));
      assertMaskRefused(
          apiTestClient.post(
              V1 + "/sequences/any/run", Map.of("parameters", Map.of("token", mask))));
    }
  }

  @Test
  void whatIsLookedForBySecretsIsRefusedAndKeptNowhere() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      assertThat(start(apiTestClient, CARD).status()).isEqualTo(201);
      assertThat(start(apiTestClient, CARD).status())
          .as("compared without being shown")
          .isEqualTo(200);
      assertThat(start(apiTestClient, OTHER).status()).isEqualTo(409);
      assertThat(search(apiTestClient).status()).isEqualTo(400);
      assertThat(bulk(apiTestClient).status()).isEqualTo(400);
      assertThat(apiTestClient.get(V1 + "/bulk").json()).isEmpty();
    }
  }

  private static ApiTestClient.Reply start(ApiTestClient apiTestClient, String card) {
    return apiTestClient.post(
        V1 + "/instances",
        Map.of(
            "type",
            "payment",
            "input",
            Map.of("pin", PIN),
            "variables",
            Map.of("card", card),
            "externalId",
            "one"));
  }

  private static ApiTestClient.Reply edit(ApiTestClient apiTestClient, long id, String card) {
    return apiTestClient.send(
        "PATCH",
        V1 + "/instances/" + id + "/variables",
        "{\"set\":{\"card\":\"" + card + "\"}}",
        Map.of());
  }

  private static ApiTestClient.Reply search(ApiTestClient apiTestClient) {
    return apiTestClient.get(V1 + "/instances?type=payment&variable=card&value=" + CARD);
  }

  private static ApiTestClient.Reply bulk(ApiTestClient apiTestClient) {
    return apiTestClient.post(
        V1 + "/bulk",
        Map.of("action", "retry", "filter", Map.of("variable", "card", "value", CARD)));
  }

  private static ApiTestClient.Reply action(ApiTestClient apiTestClient, long id, String action) {
    return apiTestClient.post(V1 + "/instances/" + id + "/" + action, Map.of());
  }

  private static String get(ApiTestClient apiTestClient, Route route, long id, String fingerprint) {
    String path =
        route
            .path()
            .replace("{id}", String.valueOf(id))
            .replace("{type}", "payment")
            .replace("{sequenceId}", "daily")
            .replace("{name}", "MAIL")
            .replace("{channel}", "count.mail")
            .replace("{flow}", "orders")
            .replace("{queue}", "pack")
            .replace("{fingerprint}", fingerprint);
    return path + ": " + apiTestClient.get(path).raw().body();
  }
}
