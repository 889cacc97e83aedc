package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.instance.OperatorAction;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests the actions on tasks and task sequences, and their rejections. */
final class SequenceActionResourceTest {

  private static final String V1 = "/api/v1";
  private static final String ALL = V1 + "/sequences";
  private static final JsonMapper JSON = JsonMapper.builder().build();

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
  void aSequenceIsAddedChangedAndRemoved() {
    ApiTestClient.Reply added = apiTestClient.post(ALL, body("crud"));
    assertThat(added.status()).isEqualTo(201);
    assertThat(apiTestClient.post(ALL, body("crud")).status()).isEqualTo(409);

    Map<String, Object> change = body("crud");
    change.put("schedule", Map.of("cron", "0 0 8 ? * MON-FRI", "zone", "Europe/Berlin"));
    change.put("tasks", List.of(Map.of("task", "MAIL", "parameters", Map.of("to", "ann"))));
    change.put("active", false);
    String tag = added.json().get("tag").stringValue();
    ApiTestClient.Reply changed = put("/crud?tag=" + tag, change);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.json().get("scheduleType").stringValue()).isEqualTo("CRON");
    assertThat(changed.json().get("active").booleanValue()).isFalse();
    assertThat(changed.json().get("sequenceTasks").get(0).get("parameters").stringValue())
        .isEqualTo("{\"to\":\"ann\"}");
    assertThat(put("/crud?tag=" + tag, change).status()).isEqualTo(409);
    assertThat(put("/crud", change).status()).isEqualTo(400);
    assertThat(put("/other?tag=x", change).json().get("errors").get(0).get("field").stringValue())
        .isEqualTo("sequenceId");
    assertThat(put("/gone?tag=x", body("gone")).status()).isEqualTo(404);

    assertThat(delete("/crud").status()).isEqualTo(204);
    assertThat(delete("/crud").status()).isEqualTo(404);
    assertThat(actions("crud")).containsExactly("removeSequence", "changeSequence", "addSequence");
  }

  @Test
  void tasksStandInTheOrderOfTheirPlaces() {
    Map<String, Object> body = body("places");
    body.put(
        "tasks",
        List.of(Map.of("task", "MAIL", "position", 2), Map.of("task", "COUNT", "position", 1)));
    JsonNode added = apiTestClient.post(ALL, body).json();
    assertThat(added.get("tasks").get(0).stringValue()).isEqualTo("COUNT");
    assertThat(added.get("tasks").get(1).stringValue()).isEqualTo("MAIL");
  }

  @Test
  void whatIsWrongWithASequenceIsNamed() {
    refused("tasks", "tasks", List.of());
    refused(
        "tasks[1].position", "tasks", List.of(sequenceTask("COUNT", 1), sequenceTask("MAIL", 1)));
    refused("tasks", "tasks", List.of(sequenceTask("COUNT", 1), sequenceTask("MAIL", 3)));
    refused("tasks", "tasks", List.of(sequenceTask("COUNT", 1), Map.of("task", "MAIL")));
    refused("tasks[0].position", "tasks", List.of(sequenceTask("COUNT", 0)));
    refused("tasks[0].position", "tasks", List.of(Map.of("task", "COUNT", "position", "1")));
    refused("tasks[0].next", "tasks", List.of(Map.of("task", "COUNT", "next", "COUNT")));
    refused("tasks", "tasks", "COUNT");
    refused("tasks[0]", "tasks", List.of("COUNT"));
    refused("tasks", "tasks", many(101));
    refused("sequenceId", "sequenceId", "w".repeat(300));
    refused("sequenceId", "sequenceId", 7);
    refused("type", "type", "");
    refused("schedule", "schedule", Map.of("frequency", "SOMETIMES"));
    refused(
        "schedule",
        "schedule",
        Map.of("frequency", "ONETIME", "startDate", "2026-03-02", "endDate", "2026-03-01"));
    refused("schedule", "schedule", "DAILY");
    refused("active", "active", "yes");
    refused("parameters", "parameters", List.of());
    refused("parameters.none", "parameters", Collections.singletonMap("none", null));
    refused("colour", "colour", "red");
  }

  @Test
  void whatTheEngineRefusesIsToldInItsWords() {
    Map<String, Object> unknown = body("unknown");
    unknown.put("tasks", List.of(Map.of("task", "NOTHING")));
    ApiTestClient.Reply reply = apiTestClient.post(ALL, unknown);
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.json().get("detail").stringValue())
        .contains("'NOTHING', which is not registered");
    Map<String, Object> odd = body("with space");
    assertThat(apiTestClient.post(ALL, odd).status()).isEqualTo(400);
    assertThat(apiTestClient.get(ALL + "/" + "w".repeat(300)).status()).isEqualTo(400);
    assertThat(apiTestClient.send("POST", ALL, "x".repeat(10_000_000), Map.of()).status())
        .isEqualTo(413);
  }

  @Test
  void everyActionIsInTheAudit() {
    apiTestClient.post(ALL, body("actions"));
    for (String action : List.of("deactivate", "activate", "pause", "resume", "request-run")) {
      assertThat(action("actions", action, Map.of("reason", "see " + action)).status())
          .isEqualTo(204);
    }
    assertThat(action("actions", "restart", Map.of()).status()).isEqualTo(409);
    assertThat(action("none", "pause", Map.of()).status()).isEqualTo(404);
    assertThat(action("actions", "pause", Map.of("reasn", "x")).status()).isEqualTo(400);
    assertThat(actions("actions"))
        .containsExactly(
            "requestSequenceRun",
            "resumeSequence",
            "pauseSequence",
            "activateSequence",
            "deactivateSequence",
            "addSequence");
    JsonNode pause =
        apiTestClient.get(V1 + "/audit?action=pauseSequence").json().get("items").get(0);
    assertThat(pause.get("actor").stringValue()).isEqualTo("tester");
    assertThat(pause.get("target").stringValue()).isEqualTo("actions");
    assertThat(pause.get("reason").stringValue()).isEqualTo("see pause");
  }

  @Test
  void anAbortedSequenceIsRestarted() {
    server.sequences().add(SampleTasks.failing("again"));
    server.sequences().run("again", Map.of(), OperatorAction.by("ann"));
    server.awaitCompletedFire("again");
    long first = execution("again");
    assertThat(action("again", "request-run", Map.of()).status()).isEqualTo(409);
    assertThat(action("again", "restart", Map.of("reason", "mended")).status()).isEqualTo(204);
    server.awaitUntil(() -> execution("again") > first);
    server.awaitCompletedFire("again");
  }

  @Test
  void aRunHasItsParametersAndIsAudited() {
    apiTestClient.post(ALL, body("run"));
    ApiTestClient.Reply started =
        action("run", "run", Map.of("parameters", Map.of("draft", true), "reason", "look"));
    assertThat(started.status()).isEqualTo(201);
    long execution = started.json().get("id").longValue();
    server.awaitCompletedFire("run");
    JsonNode slot = apiTestClient.get(ALL + "/run/slots").json().at("/items/0");
    assertThat(slot.get("reason").stringValue()).isEqualTo("tester: look");
    JsonNode entry =
        apiTestClient.get(V1 + "/audit?instance=" + execution).json().get("items").get(0);
    assertThat(entry.get("action").stringValue()).isEqualTo("runSequence");
    assertThat(entry.get("detail").stringValue()).contains("draft");
    assertThat(action("run", "run", Map.of("parameters", 7)).status()).isEqualTo(400);
    assertThat(action("none", "run", Map.of()).status()).isEqualTo(404);
    server.awaitCompletedFire("run");
    assertThat(action("run", "run", Map.of()).status()).isEqualTo(201);
    server.awaitCompletedFire("run");
    assertThat(
            apiTestClient.get(ALL + "/run/slots").json().at("/items/0").get("reason").stringValue())
        .isEqualTo("tester");
  }

  @Test
  void slotsOfThePastAreListedAndRun() {
    Instant end = TestServer.START.truncatedTo(ChronoUnit.HOURS);
    Map<String, Object> body = body("backfill");
    body.put("schedule", Map.of("every", "PT1H"));
    apiTestClient.post(ALL, body);
    Map<String, Object> range =
        new HashMap<>(
            Map.of("from", end.minus(3, ChronoUnit.HOURS).toString(), "to", end.toString()));
    range.put("dryRun", true);
    JsonNode plan = action("backfill", "backfill", range).json();
    assertThat(plan.get("slots")).hasSize(3);
    assertThat(plan.get("slots").get(0).get("outcome").stringValue()).isEqualTo("toRun");
    assertThat(plan.get("instanceId").isNull()).isTrue();
    range.put("dryRun", false);
    long instance = action("backfill", "backfill", range).json().get("instanceId").longValue();
    server.awaitSooner(() -> server.client().get(instance).status().isTerminal());
    range.put("dryRun", true);
    JsonNode after = action("backfill", "backfill", range).json();
    assertThat(after.get("slots").get(2).get("outcome").stringValue()).isEqualTo("hasRun");
    range.remove("dryRun");
    assertThat(action("backfill", "backfill", range).status()).isEqualTo(400);
    range.put("dryRun", false);
    range.put("to", end.plus(5, ChronoUnit.HOURS).toString());
    assertThat(action("backfill", "backfill", range).status()).isEqualTo(400);
    assertThat(action("none", "backfill", range).status()).isEqualTo(404);
    assertThat(actions("backfill")).containsExactly("backfillSequence", "addSequence");
  }

  @Test
  void whatRunsIsNotRunBesideItselfNorRemoved() {
    Map<String, Object> body = body("busy");
    body.put("tasks", List.of(Map.of("task", "ABSENT")));
    assertThat(apiTestClient.post(ALL, body).status()).isEqualTo(201);
    assertThat(action("busy", "run", Map.of()).status()).isEqualTo(201);
    assertThat(action("busy", "run", Map.of()).status()).isEqualTo(409);
    assertThat(delete("/busy").status()).isEqualTo(409);
    JsonNode actions = apiTestClient.get(ALL + "/busy").json().get("actions");
    assertThat(actions.valueStream().map(JsonNode::stringValue))
        .doesNotContain("run", "remove", "restart");
    server.client().cancel(execution("busy"), OperatorAction.by("ann"));
    server.awaitCompletedFire("busy");
    assertThat(delete("/busy").status()).isEqualTo(204);
  }

  @Test
  void aTaskIsRegisteredChangedAndRemoved() {
    server.sequences().add(SampleTasks.daily("counting").active(false));
    Map<String, Object> task = new HashMap<>();
    task.put("name", "PRINT");
    task.put("type", "Paper");
    task.put("component", "COUNT");
    task.put("maxRetries", 2);
    task.put("timeoutMs", 60_000);
    task.put("parameters", Map.of("sides", 2));
    ApiTestClient.Reply added = apiTestClient.post(V1 + "/tasks", task);
    assertThat(added.status()).isEqualTo(201);
    assertThat(added.json().get("runnable").booleanValue()).isTrue();
    assertThat(added.json().get("parameters").stringValue()).isEqualTo("{\"sides\":2}");
    assertThat(apiTestClient.post(V1 + "/tasks", task).status()).isEqualTo(409);
    task.put("channel", "count.mail");
    assertThat(send("PUT", "/tasks/PRINT?revision=1", task).status()).isEqualTo(409);
    task.put("channel", "print");
    assertThat(send("PUT", "/tasks/PRINT?revision=1", task).status()).isEqualTo(200);
    assertThat(send("PUT", "/tasks/PRINT?revision=1", task).status()).isEqualTo(409);
    assertThat(send("PUT", "/tasks/PRINT", task).status()).isEqualTo(400);
    assertThat(send("PUT", "/tasks/NONE?revision=1", task).status()).isEqualTo(404);
    assertThat(send("DELETE", "/task-types/Paper", null).status()).isEqualTo(409);
    assertThat(send("DELETE", "/tasks/PRINT", null).status()).isEqualTo(204);
    assertThat(send("DELETE", "/tasks/PRINT", null).status()).isEqualTo(404);
    assertThat(send("DELETE", "/task-types/Paper", null).status()).isEqualTo(204);
    assertThat(send("DELETE", "/task-types/Paper", null).status()).isEqualTo(404);
    assertThat(send("DELETE", "/tasks/COUNT", null).status()).isEqualTo(409);
    assertThat(actions("PRINT")).containsExactly("removeTask", "changeTask", "addTask");
    JsonNode change = JSON.readTree(entries("PRINT").get(1).get("detail").stringValue());
    assertThat(change.get("was").has("channel")).isFalse();
    assertThat(change.get("is").get("channel").stringValue()).isEqualTo("print");
    assertThat(change.get("is").get("component").stringValue()).isEqualTo("COUNT");
    assertThat(change.get("is").get("parameters").toString()).isEqualTo("[\"sides\"]");
  }

  @Test
  void aTypeIsAdded() {
    assertThat(send("POST", "/task-types", Map.of("name", "Ink")).status()).isEqualTo(204);
    assertThat(send("POST", "/task-types", Map.of("name", "Ink")).status()).isEqualTo(204);
    assertThat(send("POST", "/task-types", Map.of("name", "no ink")).status()).isEqualTo(400);
    assertThat(send("POST", "/task-types", Map.of("name", "x".repeat(81))).status()).isEqualTo(400);
    assertThat(apiTestClient.get(V1 + "/task-types").raw().body()).contains("\"Ink\"");
  }

  @Test
  void aTypeOfAnotherSequenceIsRefused() {
    for (String path : List.of("/task-types", "/tasks")) {
      ApiTestClient.Reply taken = apiTestClient.post(V1 + path, typed(path, "order"));
      assertThat(taken.status()).as(path).isEqualTo(409);
      assertThat(taken.json().get("detail").stringValue())
          .contains("type 'order'", "workflow 'order' version 1", "Choose another type");
      for (String own : List.of("millrace-bulk", "millrace-alert", "millrace-backfill")) {
        assertThat(apiTestClient.post(V1 + path, typed(path, own)).status()).as(own).isEqualTo(400);
      }
    }
    assertThat(apiTestClient.get(V1 + "/task-types").raw().body())
        .doesNotContain("order", "millrace-");
  }

  private static Map<String, Object> typed(String path, String type) {
    return path.equals("/tasks")
        ? Map.of("name", "TYPED", "type", type, "component", "COUNT")
        : Map.of("name", type);
  }

  @Test
  void whatIsMadeOfTasksIsNotStartedBesideItsSchedule() {
    apiTestClient.post(ALL, body("beside"));
    ApiTestClient.Reply reply =
        apiTestClient.post(V1 + "/instances", Map.of("type", SampleTasks.TYPE));
    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.json().get("detail").stringValue()).contains("POST /sequences/{id}/run");
    assertThat(startable(SampleTasks.TYPE)).isFalse();
    assertThat(startable("quick")).isTrue();
    assertThat(startable("millrace-bulk")).isFalse();
  }

  private static boolean startable(String type) {
    return apiTestClient.get(V1 + "/definitions/" + type).json().get("startable").booleanValue();
  }

  @Test
  void aTaskThatCannotWorkIsRefused() {
    for (Map<String, Object> wrong :
        List.<Map<String, Object>>of(
            Map.of("maxRetries", -1),
            Map.of("timeoutMs", 0),
            Map.of("timeoutMs", Long.MAX_VALUE),
            Map.of("firstRetryDelayMs", Long.MAX_VALUE),
            Map.of("component", " "),
            Map.of("channel", "with space"),
            Map.of("name", "x".repeat(81)),
            Map.of("dependency", 1.5),
            Map.of("sharesChannel", "no"))) {
      Map<String, Object> task =
          new HashMap<>(Map.of("name", "WRONG", "type", "Count", "component", "COUNT"));
      task.putAll(wrong);
      assertThat(apiTestClient.post(V1 + "/tasks", task).status())
          .as(wrong.toString())
          .isEqualTo(400);
    }
  }

  @Test
  void aRunThatIsRepeatedWithItsKeyBeginsNothing() {
    apiTestClient.post(ALL, body("once"));
    apiTestClient.post(ALL, body("other"));
    ApiTestClient.Reply first = run("once", "k".repeat(200));
    assertThat(first.status()).isEqualTo(201);
    ApiTestClient.Reply again = run("once", "k".repeat(200));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().get("id")).isEqualTo(first.json().get("id"));
    server.awaitCompletedFire("once");
    assertThat(run("once", "k".repeat(200)).json().get("id")).isEqualTo(first.json().get("id"));
    assertThat(actions("once")).containsExactly("runSequence", "addSequence");
    assertThat(apiTestClient.get(ALL + "/once/slots").json().get("items")).hasSize(1);
    assertThat(run("once", "another").status()).isEqualTo(201);
    assertThat(run("other", "another").status()).isEqualTo(201);
    server.awaitCompletedFire("once");
    server.awaitCompletedFire("other");
  }

  private static ApiTestClient.Reply run(String sequenceId, String key) {
    return apiTestClient.send(
        "POST", ALL + "/" + sequenceId + "/run", "{}", Map.of("Idempotency-Key", key));
  }

  private static Map<String, Object> body(String sequenceId) {
    Map<String, Object> body = new HashMap<>();
    body.put("sequenceId", sequenceId);
    body.put("type", SampleTasks.TYPE);
    body.put("tasks", List.of(Map.of("task", "COUNT")));
    body.put("schedule", Map.of("frequency", "DAILY"));
    return body;
  }

  private static Map<String, Object> sequenceTask(String task, int position) {
    return Map.of("task", task, "position", position);
  }

  private static List<Object> many(int count) {
    List<Object> many = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      many.add(Map.of("task", "COUNT"));
    }
    return many;
  }

  private static void refused(String field, String name, Object value) {
    Map<String, Object> body = body("refused");
    body.put(name, value);
    ApiTestClient.Reply reply = apiTestClient.post(ALL, body);
    assertThat(reply.status()).as(field).isEqualTo(400);
    assertThat(reply.json().get("errors").get(0).get("field").stringValue()).isEqualTo(field);
  }

  private static long execution(String sequenceId) {
    return server.sequences().get(sequenceId).last().executionId();
  }

  private static List<String> actions(String target) {
    return entries(target).stream().map(entry -> entry.get("action").stringValue()).toList();
  }

  /** Returns the audit entries of a target, the newest first. */
  private static List<JsonNode> entries(String target) {
    return apiTestClient
        .get(V1 + "/audit?limit=1000")
        .json()
        .get("items")
        .valueStream()
        .filter(entry -> entry.get("target").asString().equals(target))
        .toList();
  }

  private static ApiTestClient.Reply action(String sequenceId, String action, Object body) {
    return apiTestClient.post(ALL + "/" + sequenceId + "/" + action, body);
  }

  private static ApiTestClient.Reply put(String path, Object body) {
    return send("PUT", "/sequences" + path, body);
  }

  private static ApiTestClient.Reply delete(String path) {
    return send("DELETE", "/sequences" + path, null);
  }

  private static ApiTestClient.Reply send(String method, String path, Object body) {
    return apiTestClient.send(
        method, V1 + path, body == null ? null : JSON.writeValueAsString(body), Map.of());
  }
}
