package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests keys and values, and the period ledger, over HTTP. */
final class SharedDataTest {

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

  private static String path(String group, String key) {
    return V1 + "/key-values/value?group=" + enc(group) + "&key=" + enc(key);
  }

  private static String enc(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static ApiTestClient.Reply put(String path, String value, Map<String, String> headers) {
    return apiTestClient.send("PUT", path, "{\"value\":\"" + value + "\"}", headers);
  }

  private static String tag(ApiTestClient.Reply reply) {
    return reply.raw().headers().firstValue("ETag").orElseThrow();
  }

  @Test
  void ofTwoWhoWriteWhatIsAbsentOneIsTold() {
    String path = path("day/close", "2026-11-22?x=1&y");
    assertThat(apiTestClient.get(path).status()).isEqualTo(404);
    Map<String, String> absent = Map.of("If-None-Match", "*");
    assertThat(put(path, "first", absent).status()).isEqualTo(200);
    ApiTestClient.Reply second = put(path, "second", absent);
    assertThat(second.status()).isEqualTo(412);
    assertThat(second.raw().body()).contains("has version 1 by now");
    assertThat(apiTestClient.get(path).json().get("value").asString()).isEqualTo("first");
  }

  @Test
  void aValueIsReplacedOnlyAsLongAsItIsTheOneThatWasRead() {
    String path = path("counters", "orders");
    String first = tag(put(path, "1", Map.of()));
    assertThat(tag(apiTestClient.get(path))).isEqualTo(first);
    String second = tag(put(path, "2", Map.of("If-Match", first)));
    assertThat(put(path, "lost", Map.of("If-Match", first)).status()).isEqualTo(412);
    assertThat(apiTestClient.get(path).json().get("value").asString()).isEqualTo("2");
    assertThat(apiTestClient.send("DELETE", path, null, Map.of("If-Match", first)).status())
        .isEqualTo(412);
    assertThat(apiTestClient.send("DELETE", path, null, Map.of("If-Match", second)).status())
        .isEqualTo(204);
    assertThat(apiTestClient.send("DELETE", path, null, Map.of()).status()).isEqualTo(404);
    assertThat(put(path, "x", Map.of("If-Match", "7")).status()).isEqualTo(400);
    assertThat(put(path, "x", Map.of("If-Match", "\"7\"")).status()).isEqualTo(412);
  }

  @Test
  void anInstanceCanBeStartedFromTheBeginning() {
    Map<String, Object> start = Map.of("type", "asks", "businessKey", "shop", "resume", false);
    long id = apiTestClient.post(V1 + "/instances", start).json().get("id").asLong();
    assertThat(apiTestClient.get(V1 + "/instances/" + id + "/variables").json().toString())
        .contains("millrace.resume", "false");
    assertThat(
            apiTestClient.post(V1 + "/instances", Map.of("type", "asks", "resume", "no")).status())
        .isEqualTo(400);
  }

  @Test
  void whatIsTooLongIsRefused() {
    assertThat(put(path("g", "k"), "ü".repeat(20_000), Map.of()).status()).isEqualTo(400);
    assertThat(put(path("g", "k".repeat(1001)), "x", Map.of()).status()).isEqualTo(400);
    assertThat(put(path("g", " "), "x", Map.of()).status()).isEqualTo(400);
  }

  @Test
  void valuesAreListedByGroupAndStatus() {
    apiTestClient.send(
        "PUT", path("list", "a"), "{\"value\":\"1\",\"status\":\"Error\"}", Map.of());
    apiTestClient.send("PUT", path("list", "b"), "{\"value\":\"2\"}", Map.of());
    JsonNode page = apiTestClient.get(V1 + "/key-values?group=list&limit=1").json();
    assertThat(page.get("items").size()).isEqualTo(1);
    JsonNode rest =
        apiTestClient
            .get(V1 + "/key-values?group=list&cursor=" + enc(page.get("next").asString()))
            .json();
    assertThat(rest.get("items").size()).isEqualTo(1);
    assertThat(
            apiTestClient
                .get(V1 + "/key-values?group=list&status=Error")
                .json()
                .get("items")
                .toString())
        .contains("\"key\":\"a\"")
        .doesNotContain("\"key\":\"b\"");
  }

  @Test
  void groupsAreListedPageByPage() {
    put(path("one", "k"), "x", Map.of());
    put(path("two", "k"), "x", Map.of());
    Set<String> seen = new TreeSet<>();
    String path = V1 + "/key-values/groups?limit=1";
    JsonNode page = apiTestClient.get(path).json();
    while (page.get("items").size() > 0) {
      page.get("items").forEach(name -> seen.add(name.asString()));
      page = apiTestClient.get(path + "&after=" + enc(page.get("next").asString())).json();
    }
    assertThat(page.get("next").isNull()).isTrue();
    assertThat(seen).contains("one", "two");
  }

  @Test
  void aPeriodIsClaimedOnceAndEndedByItsHolder() {
    assertThat(apiTestClient.get(V1 + "/ledger/period?schedule=close&period=2026-11-22").status())
        .isEqualTo(404);
    JsonNode mine = claim("ann");
    assertThat(mine.get("claimed").asBoolean()).isTrue();
    assertThat(claim("ann").get("claimed").asBoolean()).isTrue();
    JsonNode other = claim("bob");
    assertThat(other.get("claimed").asBoolean()).isFalse();
    assertThat(other.get("entry").get("holder").asString()).isEqualTo("ann");

    long token = mine.get("entry").get("token").asLong();
    assertThat(end(token + 1, "complete").status()).isEqualTo(409);
    assertThat(end(token, "complete").status()).isEqualTo(204);
    assertThat(end(token, "complete").status()).isEqualTo(204);
    assertThat(end(token, "release").raw().body()).contains("it is succeeded under token " + token);
    assertThat(claim("bob").get("claimed").asBoolean()).isFalse();
    assertThat(apiTestClient.get(V1 + "/ledger?schedule=close&state=succeeded").json().toString())
        .contains("\"period\":\"2026-11-22\"");
    assertThat(apiTestClient.get(V1 + "/ledger/schedules").json().get("items").toString())
        .contains("close");
  }

  private static JsonNode claim(String claimant) {
    return apiTestClient
        .post(
            V1 + "/ledger/claim",
            Map.of("schedule", "close", "period", "2026-11-22", "claimant", claimant))
        .json();
  }

  private static ApiTestClient.Reply end(long token, String action) {
    return apiTestClient.post(
        V1 + "/ledger/end",
        Map.of("schedule", "close", "period", "2026-11-22", "token", token, "operation", action));
  }
}
