package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.StartRequest;
import io.millrace.server.Patience;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests one action on many instances. */
final class BulkResourceTest {

  private static final String BULK = "/api/v1/bulk";

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
  void aFailureGroupIsRetriedAndEachInstanceKnowsByWhom() {
    for (int i = 0; i < 60; i++) {
      long id = server.client().start(StartRequest.of("fails").businessKey("group")).id();
      server.client().await(id, Patience.LIMIT);
    }
    JsonNode group = apiTestClient.get("/api/v1/failures?type=fails").json().get(0);
    String fingerprint = group.get("fingerprint").stringValue();
    JsonNode begun =
        apiTestClient
            .post("/api/v1/failures/" + fingerprint + "/retry", Map.of("reason", "mended"))
            .json();
    JsonNode done = finished(begun);
    assertThat(done.get("succeeded").longValue()).isEqualTo(60);
    assertThat(done.get("total").longValue()).isEqualTo(60);
    assertThat(done.get("actor").stringValue()).isEqualTo("tester");
    JsonNode items = apiTestClient.get("/api/v1/instances?businessKey=group&limit=100").json();
    for (JsonNode item : items.get("items")) {
      JsonNode actions =
          apiTestClient.get("/api/v1/instances/" + item.get("id").longValue() + "/history").json();
      assertThat(actions.get("items").valueStream().map(a -> a.get("type").stringValue()))
          .filteredOn(type -> type.equals("retry"))
          .hasSize(1);
      assertThat(actions.get("items").get(1).get("reason").stringValue())
          .isEqualTo("bulk run " + begun.get("id").longValue() + ": mended");
    }
    JsonNode audit = apiTestClient.get("/api/v1/audit?action=bulk").json().get("items");
    assertThat(audit.valueStream().map(a -> a.get("instanceId").longValue()))
        .contains(begun.get("id").longValue());
    assertThat(apiTestClient.post("/api/v1/failures/nothing/retry", Map.of()).status())
        .isEqualTo(404);
  }

  @Test
  void aDryRunOnlyCounts() {
    waiting("dry", 3);
    Map<String, Object> filter = Map.of("businessKey", "dry");
    JsonNode count =
        apiTestClient
            .post(BULK, Map.of("action", "cancel", "filter", filter, "dryRun", true))
            .json();
    assertThat(count.get("count").longValue()).isEqualTo(3);
    assertThat(
            apiTestClient
                .post(BULK, Map.of("action", "cancel", "filter", filter, "expectedCount", 2))
                .status())
        .isEqualTo(409);
    assertThat(
            apiTestClient
                .get("/api/v1/instances/count?businessKey=dry&status=inProgress")
                .json()
                .get("count")
                .longValue())
        .isEqualTo(3);
  }

  @Test
  void whatIsRefusedIsNamedAndTheRestIsDone() {
    List<Long> ids = waiting("mixed", 2);
    long over = server.client().start(StartRequest.of("quick")).id();
    server.client().await(over, Patience.LIMIT);
    JsonNode begun =
        apiTestClient
            .post(
                BULK,
                Map.of(
                    "action",
                    "pause",
                    "filter",
                    Map.of("ids", List.of(ids.get(0), over, 999_999, ids.get(1)))))
            .json();
    JsonNode done = finished(begun);
    assertThat(done.get("succeeded").longValue()).isEqualTo(2);
    assertThat(done.get("refused").longValue()).isEqualTo(2);
    assertThat(done.get("refusals").valueStream().map(r -> r.get("id").longValue()))
        .containsExactly(over, 999_999L);
  }

  @Test
  void aMoveThatIsNotPermittedIsRefusedForEachInstanceUnlessItIsForced() {
    List<Long> ids =
        IntStream.range(0, 2)
            .mapToObj(i -> {
              long id = server.client().start(StartRequest.of("asks").businessKey("forced")).id();
              server.awaitState(id, "person");
              return id;
            })
            .toList();
    Map<String, Object> filter = Map.of("businessKey", "forced");

    JsonNode refused =
        finished(
            apiTestClient
                .post(BULK, Map.of("action", "move", "state", "ask", "filter", filter))
                .json());
    assertThat(refused.get("refused").longValue()).isEqualTo(2);
    assertThat(refused.get("force").booleanValue()).isFalse();
    assertThat(refused.get("refusals").valueStream().map(r -> r.get("id").longValue()))
        .containsExactlyInAnyOrderElementsOf(ids);
    assertThat(refused.get("refusals").valueStream().map(r -> r.get("message").stringValue()))
        .allSatisfy(
            message -> assertThat(message).contains("'person'", "[decided]", "or force the move"));

    JsonNode forced =
        finished(
            apiTestClient
                .post(
                    BULK, Map.of("action", "move", "state", "ask", "force", true, "filter", filter))
                .json());
    assertThat(forced.get("succeeded").longValue()).isEqualTo(2);
    assertThat(forced.get("force").booleanValue()).isTrue();
    for (long id : ids) {
      assertThat(server.client().history(id))
          .extracting(entry -> entry.outcome().reason())
          .contains("forced: bulk run " + forced.get("id").longValue());
    }
  }

  @Test
  void signalsAreSentOnceAndARepeatedRequestIsTheSameRun() {
    waiting("paid", 3);
    String body =
        "{\"action\":\"signal\",\"signal\":{\"name\":\"paid\",\"payload\":{\"n\":1}},"
            + "\"filter\":{\"businessKey\":\"paid\"}}";
    Map<String, String> key = Map.of("Idempotency-Key", "bulk-1");
    JsonNode first = apiTestClient.send("POST", BULK, body, key).json();
    finished(first);
    JsonNode again = apiTestClient.send("POST", BULK, body, key).json();
    assertThat(again.get("id")).isEqualTo(first.get("id"));
    assertThat(
            apiTestClient
                .get("/api/v1/instances/count?businessKey=paid")
                .json()
                .get("count")
                .asInt())
        .isEqualTo(3);
  }

  @Test
  void runsDoNotTouchRuns() {
    JsonNode earlier =
        apiTestClient
            .post(BULK, Map.of("action", "wake", "filter", Map.of("businessKey", "nobody")))
            .json();
    finished(earlier);
    JsonNode all =
        finished(
            apiTestClient
                .post(
                    BULK,
                    Map.of("action", "cancel", "filter", Map.of("type", List.of("millrace-bulk"))))
                .json());
    assertThat(all.get("done").longValue()).isZero();
    assertThat(all.get("total").longValue()).as("own runs are not counted either").isZero();
    assertThat(apiTestClient.get(BULK).json()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(apiTestClient.get(BULK + "/999999").status()).isEqualTo(404);
  }

  @Test
  void whatDoesNotFitTheActionIsRefused() {
    assertThat(apiTestClient.post(BULK, Map.of("action", "move", "filter", Map.of())).status())
        .isEqualTo(400);
    assertThat(
            apiTestClient
                .post(BULK, Map.of("action", "wake", "state", "x", "filter", Map.of()))
                .status())
        .isEqualTo(400);
    assertThat(
            apiTestClient
                .post(BULK, Map.of("action", "wake", "force", true, "filter", Map.of()))
                .status())
        .isEqualTo(400);
    assertThat(
            apiTestClient
                .post(
                    BULK,
                    Map.of("action", "wake", "filter", Map.of("ids", List.of(1), "state", "x")))
                .status())
        .isEqualTo(400);
  }

  private static List<Long> waiting(String key, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> {
          long id = server.client().start(StartRequest.of("order").businessKey(key)).id();
          server.awaitState(id, "pay");
          return id;
        })
        .toList();
  }

  private static JsonNode finished(JsonNode begun) {
    long id = begun.get("id").longValue();
    server.client().await(id, Patience.LIMIT);
    JsonNode run = apiTestClient.get(BULK + "/" + id).json();
    assertThat(run.get("status").stringValue()).as(run.toString()).isEqualTo("finished");
    return run;
  }
}
