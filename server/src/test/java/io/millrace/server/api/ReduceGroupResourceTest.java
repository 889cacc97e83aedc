package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.data.Reduce;
import io.millrace.data.ReducedRecord;
import io.millrace.data.Reduction;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests groups of reduced records over HTTP. */
final class ReduceGroupResourceTest {

  private static final String PATH = "/api/v1/reduce-groups";

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

  record Customer(String id, String name) {}

  private static Reduce customers(String group) {
    return server.engine().reduce(group).key("/id");
  }

  /** Returns a group with two committed customers, and a reserved one. */
  private static Reduction<Customer> group(String name) {
    customers(name).reduce(List.of(new Customer("a", "Ann"), new Customer("b", "Bob"))).commit();
    return customers(name).reserve(Duration.ofHours(1)).reduce(List.of(new Customer("c", "Cid")));
  }

  private static JsonNode record(String group, String key) {
    return apiTestClient
        .get(
            PATH
                + "/record?group="
                + group
                + "&key="
                + URLEncoder.encode(key, StandardCharsets.UTF_8))
        .json();
  }

  @Test
  void groupsSayWhatTheyHold() {
    group("held");
    JsonNode all = apiTestClient.get(PATH + "?after=hel&limit=1").json();
    assertThat(all.size()).isEqualTo(1);
    assertThat(all.get(0).get("name").asString()).isEqualTo("held");
    assertThat(all.get(0).get("committed").asInt()).isEqualTo(2);
    assertThat(all.get(0).get("pending").asInt()).isEqualTo(1);
    assertThat(apiTestClient.get(PATH + "?after=zzz").json().size()).isZero();
  }

  @Test
  void aRecordSaysWhyItIsPassedOver() {
    ReducedRecord<Customer> reserved = group("asked").changed().getFirst();
    JsonNode committed = record("asked", "a");
    assertThat(committed.get("state").asString()).isEqualTo("committed");
    assertThat(committed.get("why").asString()).contains("passed over until its content changes");
    assertThat(committed.get("committed").isString()).isTrue();
    JsonNode pending = record("asked", "c");
    assertThat(pending.get("state").asString()).isEqualTo("reserved");
    assertThat(pending.get("reservedBy").asString()).startsWith("executor ");
    assertThat(pending.get("reservedUntil").isString()).isTrue();
    assertThat(record("asked", "x").get("state").asString()).isEqualTo("new");
    assertThat(record("asked", reserved.token().keyHash()).get("state").asString())
        .isEqualTo("reserved");
    assertThat(apiTestClient.get(PATH + "/record?group=nobody&key=a").raw().body())
        .contains("There is no group of records 'nobody'");
  }

  @Test
  void aResetGroupTakesAllForNewAndIsInTheAudit() {
    group("again");
    ApiTestClient.Reply reset =
        apiTestClient.post(PATH + "/reset", Map.of("group", "again", "reason", "wrong mapping"));
    assertThat(reset.json().get("generation").asInt()).isEqualTo(2);
    assertThat(record("again", "a").get("state").asString()).isEqualTo("new");
    assertThat(apiTestClient.get("/api/v1/audit?action=resetReduceGroup").json().toString())
        .contains("again", "wrong mapping");
    assertThat(apiTestClient.post(PATH + "/reset", Map.of("group", "nobody")).status())
        .isEqualTo(404);
    assertThat(apiTestClient.get(PATH + "?limit=500").json().toString()).doesNotContain("nobody");
  }

  @Test
  void forgottenKeysCountAsNew() {
    group("forgot");
    ApiTestClient.Reply reply =
        apiTestClient.post(PATH + "/forget", Map.of("group", "forgot", "keys", List.of("a", "x")));
    assertThat(reply.json().get("forgotten").asInt()).isEqualTo(1);
    assertThat(record("forgot", "a").get("state").asString()).isEqualTo("new");
    assertThat(record("forgot", "b").get("state").asString()).isEqualTo("committed");
    ApiTestClient.Reply none =
        apiTestClient.post(PATH + "/forget", Map.of("group", "forgot", "keys", List.of()));
    assertThat(none.status()).isEqualTo(400);
    assertThat(none.raw().body()).contains("reset the group");
  }

  @Test
  void aDryRunTellsWhatWouldBePassedOnAndWritesNothing() {
    group("dry");
    JsonNode before = apiTestClient.get(PATH + "?after=dr&limit=1").json();
    Map<String, Object> asked =
        Map.of(
            "group",
            "dry",
            "key",
            "/id",
            "document",
            List.of(
                Map.of("id", "a", "name", "Ann"),
                Map.of("id", "b", "name", "Bert"),
                Map.of("id", "c", "name", "Cleo"),
                Map.of("id", "d", "name", "Dan"),
                Map.of("id", "d", "name", "Dan"),
                Map.of("name", "Eve")));
    JsonNode seen = apiTestClient.post(PATH + "/dry-run", asked).json();
    assertThat(seen.get("records").asInt()).isEqualTo(6);
    assertThat(seen.get("new").get("count").asInt()).isEqualTo(1);
    assertThat(seen.get("new").get("first").get(0).get("name").asString()).isEqualTo("Dan");
    assertThat(seen.get("changed").get("first").get(0).get("name").asString()).isEqualTo("Bert");
    assertThat(seen.get("unchanged").get("count").asInt()).isEqualTo(2);
    assertThat(seen.get("reserved").get("count").asInt()).isEqualTo(1);
    assertThat(seen.get("faulty").asInt()).isEqualTo(1);
    assertThat(seen.get("faults").get(0).get("message").asString())
        .isEqualTo("Record 5 has no key at '/id'; expected a text, number or boolean there.");
    assertThat(apiTestClient.get(PATH + "?after=dr&limit=1").json()).isEqualTo(before);
  }

  @Test
  void whatCannotBeComparedIsRefused() {
    group("bad");
    assertThat(dryRun(Map.of("group", "bad", "document", Map.of())))
        .contains("must be a JSON array");
    assertThat(dryRun(Map.of("group", "nobody", "document", List.of()))).contains("no group");
    assertThat(dryRun(Map.of("group", "bad", "key", "$x", "document", List.of(Map.of()))))
        .contains("is no path in JSON");
    String tooLong = "k".repeat(1_001);
    assertThat(apiTestClient.get(PATH + "/record?group=bad&key=" + tooLong).status())
        .isEqualTo(400);
    assertThat(apiTestClient.get(PATH + "/record?group=bad&key=%20").status()).isEqualTo(400);
    assertThat(
            apiTestClient
                .post(PATH + "/forget", Map.of("group", "bad", "keys", List.of(tooLong)))
                .raw()
                .body())
        .contains("1001 characters");
    assertThat(
            dryRun(
                Map.of("group", "bad", "key", "/id", "document", List.of(Map.of("id", tooLong)))))
        .contains("has a key of 1001 characters");
  }

  private static String dryRun(Map<String, Object> asked) {
    return apiTestClient.post(PATH + "/dry-run", asked).raw().body();
  }
}
