package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.OperatorAction;
import io.millrace.store.ContinuousStore;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests continuous workflows over HTTP: {@code inbox} and {@code gate} accept offered events. */
final class ContinuousResourceTest {

  private static final String V1 = "/api/v1";
  private static final String INBOX = V1 + "/continuous-workflows/inbox";
  private static final String GATE = V1 + "/continuous-workflows/gate";

  private static TestServer server;
  private static ApiTestClient apiTestClient;

  @BeforeAll
  static void start() {
    server = TestServer.withContinuous();
    apiTestClient = new ApiTestClient(server.port());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void await(String path, Predicate<JsonNode> wanted) {
    server.awaitUntil(() -> wanted.test(apiTestClient.get(path).json().get("workflow")));
  }

  private static JsonNode offer(String key, Object payload) {
    return apiTestClient
        .send(
            "POST",
            V1 + "/triggers/inbox",
            "{\"order\":\"" + payload + "\"}",
            Map.of("Idempotency-Key", key))
        .json();
  }

  private static int executions() {
    return server.client().search(InstanceQuery.all().type("inbox")).items().size();
  }

  @Test
  void anOfferedEventStartsOneExecutionHoweverOftenItIsSent() {
    await(INBOX, one -> one.get("state").asString().equals("waiting"));
    assertThat(offer("A-17", "A-17").get("result").asString()).isEqualTo("kept");
    await(INBOX, one -> one.get("activity").get("iterations").asLong() >= 1);
    int before = executions();
    offer("A-17", "A-17");
    assertThat(offer("", "none").get("detail").asString()).contains("has 0 characters");
    offer("A-18", "A-18");
    server.awaitUntil(() ->
        server
            .client()
            .search(InstanceQuery.all().type("inbox").externalId("inbox|A-18"))
            .items()
            .stream()
            .anyMatch(one -> one.status().isTerminal()));
    assertThat(executions()).isEqualTo(before + 1);
    JsonNode run = apiTestClient.get(INBOX).json().get("workflow").get("run");
    assertThat(run.get("mode").asString()).isEqualTo("AutoStart");
    assertThat(run.get("generation").asLong()).isEqualTo(1);
  }

  @Test
  void aContinuationIsRefusedWithTheConditionsThatDoNotHold() {
    await(GATE, one -> one.get("state").asString().equals("waiting"));
    ApiTestClient.Reply refused = apiTestClient.post(GATE + "/continue", Map.of());
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.raw().body())
        .contains("no execution has ended since the run began")
        .contains("less than PT1H ago");
    assertThat(apiTestClient.get(GATE).json().get("unmet").size()).isEqualTo(2);

    assertThat(apiTestClient.send("PUT", GATE + "/debug", "{}", Map.of()).status()).isEqualTo(204);
    assertThat(apiTestClient.get(GATE).json().get("unmet").toString())
        .contains("looks into it until");
    assertThat(apiTestClient.send("DELETE", GATE + "/debug", null, Map.of()).status())
        .isEqualTo(204);
    assertThat(apiTestClient.get(GATE).json().get("unmet").size()).isEqualTo(2);
  }

  /** Asserts that events over the limit are rejected; one is already waiting. */
  private static void assertMoreThanMayWaitAreRefused() {
    server.execute(
        """
        INSERT INTO millrace_offered_event (name, event_key, payload, offered_at)
        SELECT 'switched', 'filler' || x, '{}', now() FROM system_range(1, 9999)
        """);
    ApiTestClient.Reply refused = apiTestClient.post(V1 + "/triggers/switched", Map.of("n", 2));
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.header("Retry-After")).isEqualTo("10");
    assertThat(refused.json().get("detail").asString())
        .contains("10000 offered events wait for the continuous workflow 'switched'")
        .contains("again later");
    server.execute("DELETE FROM millrace_offered_event WHERE event_key LIKE 'filler%'");
  }

  @Test
  void aDisabledOneKeepsEventsUntilItIsEnabledAgain() {
    String path = V1 + "/continuous-workflows/switched";
    await(path, one -> one.get("state").asString().equals("waiting"));
    act(path, "disable");
    await(path, one -> one.get("state").asString().equals("disabled"));
    assertThat(apiTestClient.post(V1 + "/triggers/switched", Map.of("n", 1)).status())
        .isEqualTo(202);
    assertThat(apiTestClient.get(path).json().get("workflow").get("activity").get("fires").asLong())
        .isZero();
    assertMoreThanMayWaitAreRefused();
    act(path, "enable");
    await(path, one -> one.get("activity").get("iterations").asLong() == 1);
    JsonNode run = apiTestClient.get(path).json().get("workflow").get("run");
    assertThat(run.get("mode").asString()).isEqualTo("ManualStart");
    assertThat(run.get("series").asLong()).isEqualTo(2);
    List<String> log =
        apiTestClient
            .get(path + "/log")
            .json()
            .valueStream()
            .map(e -> e.get("type").asString())
            .toList();
    assertThat(log).containsSubsequence("started", "enabled", "disabled", "started");
  }

  private static void act(String path, String action) {
    assertThat(apiTestClient.post(path + "/" + action, Map.of()).status()).isEqualTo(204);
  }

  @Test
  void aRunWithoutTheTriggerSaysSo() {
    JsonNode started =
        apiTestClient.post(INBOX + "/run", Map.of("payload", Map.of("order", "by hand"))).json();
    server.await(started.get("id").asLong(), one -> one.status().isTerminal());
    assertThat(
            server
                .client()
                .variable(started.get("id").asLong(), "mode", String.class)
                .orElseThrow())
        .isEqualTo("RunNow");
  }

  @Test
  void theListIsFilteredAndPaged() {
    JsonNode first = apiTestClient.get(V1 + "/continuous-workflows?limit=2").json();
    assertThat(first.get("items").size()).isEqualTo(2);
    JsonNode rest =
        apiTestClient
            .get(V1 + "/continuous-workflows?limit=2&after=" + first.get("next").asString())
            .json();
    assertThat(rest.get("items").size()).isEqualTo(1);
    assertThat(
            apiTestClient.get(V1 + "/continuous-workflows?text=INB").json().get("items").toString())
        .contains("\"name\":\"inbox\"")
        .doesNotContain("\"name\":\"gate\"");
  }

  @Test
  void oneThatFailsAgainAndAgainIsAProblem() {
    ContinuousStore store = server.store().role(ContinuousStore.class);
    store.register(
        List.of(
            new ContinuousStore.Registration(
                new StoredContinuousWorkflow.Identity("broken", "elsewhere", "broken", "{}"),
                true)));
    long executor =
        server
            .store()
            .executors()
            .register(
                new ExecutorInfo.Identity("host", 1, "elsewhere", List.of(), "1.0"),
                Duration.ofMinutes(1));
    StoredContinuousWorkflow owned = store.claim(executor, List.of("broken")).getFirst();
    assertThat(apiTestClient.get(V1 + "/problems").raw().body()).doesNotContain("broken");
    store.recordFailure(
        new ContinuousStore.Owner("broken", executor, owned.ownership().epoch()),
        new ContinuousStore.TriggerFailure("no such mailbox", 11, Duration.ofMinutes(1), true));

    server.awaitSooner(() ->
        apiTestClient
            .get(V1 + "/problems")
            .json()
            .valueStream()
            .anyMatch(problem ->
                problem.get("kind").asString().equals("continuous")
                    && problem
                        .get("title")
                        .asString()
                        .equals("Continuous workflow 'broken' fails again and again")
                    && problem.get("detail").asString().equals("no such mailbox")));
    store.setEnabled("broken", false, OperatorAction.by("test"));
    assertThat(store.remove("broken")).isTrue();
  }

  @Test
  void whatIsNotThereIsNotFound() {
    assertThat(apiTestClient.get(V1 + "/continuous-workflows/nothing").status()).isEqualTo(404);
    assertThat(apiTestClient.get(V1 + "/continuous-workflows/nothing/log").status()).isEqualTo(404);
    assertThat(apiTestClient.post(V1 + "/triggers/nothing", Map.of("a", 1)).status())
        .isEqualTo(404);
    assertThat(apiTestClient.post(INBOX + "/run", Map.of()).status()).isEqualTo(400);
    assertThat(apiTestClient.post(INBOX + "/move", Map.of()).status()).isEqualTo(400);
  }
}
