package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.jobs.JobStore;
import io.millrace.redis.wire.JavaScriptJson;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.redis.wire.UuidV7Generator;
import io.millrace.server.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests Redis flows over HTTP: with Redis, without it, and while it is unavailable. */
final class FlowResourceTest {

  private static final String ALL = "/api/v1/flows";

  private final String mark = "h" + UUID.randomUUID().toString().substring(0, 8);
  private final String pack = mark + "-pack";
  private final String box = mark + "-box";
  private final Redis redis =
      open(Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "needs a Redis"));

  private static Redis open(String uri) {
    return RedisConnections.open(
        RedisSettings.of(uri).connectTimeout(Patience.LIMIT).timeout(Patience.LIMIT),
        EngineRuntime.system());
  }

  private static FlowServices flowServices(Redis redis) {
    EngineRuntime runtime = EngineRuntime.system();
    return new FlowServices(
        new FlowAdmin(redis, runtime.clock()),
        new JobStore(
            redis,
            JavaScriptJson.standard(),
            new UuidV7Generator(runtime.clock(), runtime.random())));
  }

  @BeforeEach
  void register() {
    Flow flow =
        Flow.of(
                pack,
                Queue.of(box).next(mark + "-ship").children(Queue.of("fold")),
                Queue.of(mark + "-ship"))
            .lookup("customer", "apiToken");
    redis.call("HSET", MillraceKeys.flows(), pack, FlowJson.write(flow));
  }

  @AfterEach
  void clean() {
    redis.call("HDEL", MillraceKeys.flows(), pack);
    for (Object key : (List<?>) redis.call("KEYS", "*" + mark + "*")) {
      redis.call("UNLINK", key.toString());
    }
    redis.close();
  }

  /** The result of a search by a secret value would confirm a guess of it. */
  @Test
  void noLookUpTellsWhetherASecretIsGuessedRight() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      String jobs = ALL + "/" + pack + "/jobs?field=";
      ApiTestClient.Reply named = apiTestClient.get(jobs + "apiToken&value=x");
      assertThat(named.status()).isEqualTo(400);
      assertThat(named.json().get("detail").stringValue()).contains("apiToken", "secret by its");
      String guess = "%7B%22password%22:%22x%22%7D";
      ApiTestClient.Reply nested = apiTestClient.get(jobs + "customer&value=" + guess);
      assertThat(nested.status()).isEqualTo(400);
      assertThat(nested.json().get("detail").stringValue()).contains("holds a secret");
      assertThat(apiTestClient.get(jobs + "customer&value=x").status()).isEqualTo(200);
    }
  }

  private JsonNode queue(ApiTestClient apiTestClient) {
    for (JsonNode flow : apiTestClient.get(ALL).json().get("flows")) {
      if (flow.get("name").stringValue().equals(pack)) {
        return flow.get("queues").get(0);
      }
    }
    throw new AssertionError("no flow " + pack);
  }

  private String path(String rest) {
    return ALL + "/" + pack + rest;
  }

  private String create(ApiTestClient apiTestClient, Map<String, ?> body) {
    ApiTestClient.Reply made = apiTestClient.post(path("/jobs"), body);
    assertThat(made.status()).isEqualTo(201);
    return made.json().get("id").stringValue();
  }

  @Test
  void jobsAreMadeFoundShownAndDeleted() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      String first = create(apiTestClient, Map.of("fields", Map.of("customer", "Jo/e", "size", 3)));
      String second =
          create(
              apiTestClient,
              Map.of(
                  "fields",
                  Map.of("customer", "Jo/e", "big", 12345678901234L),
                  "correlationId",
                  "c-7",
                  "reason",
                  "by hand"));

      JsonNode found = apiTestClient.get(path("/jobs?field=customer&value=Jo%2Fe")).json();
      assertThat(found.get("items")).hasSize(2);
      assertThat(found.get("items").get(0).get("position").intValue()).isEqualTo(1);
      String paged = path("/jobs?field=customer&value=Jo%2Fe&limit=1");
      String next = apiTestClient.get(paged).json().get("next").stringValue();
      JsonNode rest = apiTestClient.get(paged + "&cursor=" + next).json();
      assertThat(rest.get("items").get(0).get("id").stringValue()).isEqualTo(first);
      assertThat(rest.path("next").isNull()).isTrue();
      JsonNode job = apiTestClient.get(path("/jobs/" + second)).json();
      assertThat(job.get("state").stringValue()).isEqualTo("waiting");
      assertThat(job.get("queue").stringValue()).isEqualTo(box);
      assertThat(job.get("correlationId").stringValue()).isEqualTo("c-7");
      assertThat(job.get("fields").get("big").longValue()).isEqualTo(12345678901234L);
      assertThat(job.get("createdAt").isString()).isTrue();
      assertThat(job.get("ttlSeconds").longValue()).isBetween(86_000L, 86_400L);

      JsonNode page = apiTestClient.get(path("/queues/" + box + "/jobs?limit=1")).json();
      assertThat(page.get("items").get(0).get("id").stringValue()).isEqualTo(first);
      assertThat(page.get("next").stringValue()).isEqualTo("1");

      assertThat(apiTestClient.send("DELETE", path("/jobs/" + first), null, Map.of()).status())
          .isEqualTo(204);
      assertThat(apiTestClient.get(path("/jobs/" + first)).status()).isEqualTo(404);
      assertThat(apiTestClient.send("DELETE", path("/jobs/" + first), null, Map.of()).status())
          .isEqualTo(404);
      assertThat(queue(apiTestClient).get("waiting").intValue()).isEqualTo(1);

      JsonNode audit =
          apiTestClient.get("/api/v1/audit?action=createJob").json().get("items").get(0);
      assertThat(audit.get("target").stringValue()).isEqualTo(pack + "/" + second);
      assertThat(audit.get("reason").stringValue()).isEqualTo("by hand");
      assertThat(
              apiTestClient
                  .get("/api/v1/audit?action=deleteJob")
                  .json()
                  .get("items")
                  .get(0)
                  .get("target")
                  .stringValue())
          .isEqualTo(pack + "/" + first);
    }
  }

  @Test
  void aUniqueJobIsMadeOnceAndADelayedOneWaitsForItsTime() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      Map<String, Object> body =
          Map.of("fields", Map.of(), "uniqueKey", "k", "delaySeconds", 60, "priority", 1);
      JsonNode one = apiTestClient.post(path("/jobs"), body).json();
      JsonNode two = apiTestClient.post(path("/jobs"), body).json();
      assertThat(one.get("created").booleanValue()).isTrue();
      assertThat(two.get("created").booleanValue()).isFalse();
      assertThat(two.get("id")).isEqualTo(one.get("id"));
      assertThat(queue(apiTestClient).get("delayed").intValue()).isEqualTo(1);
      JsonNode page = apiTestClient.get(path("/queues/" + box + "/jobs?list=delayed")).json();
      assertThat(page.get("items").get(0).get("at").isString()).isTrue();
      assertThat(
              apiTestClient
                  .get(path("/jobs/" + one.get("id").stringValue()))
                  .json()
                  .get("state")
                  .stringValue())
          .isEqualTo("delayed");
    }
  }

  @Test
  void queuesArePausedResumedAndTheirDeadJobsRequeued() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      String queue = path("/queues/" + box);
      JsonNode paused = apiTestClient.post(queue + "/pause", Map.of("reason", "no boxes")).json();
      assertThat(paused.get("paused").booleanValue()).isTrue();
      assertThat(queue(apiTestClient).get("pausedWhy").stringValue()).isEqualTo("no boxes");
      assertThat(queue(apiTestClient).get("pausedBy").isString()).isTrue();
      assertThat(queue(apiTestClient).get("pausedSince").isString()).isTrue();
      apiTestClient.post(queue + "/resume", Map.of());
      assertThat(queue(apiTestClient).get("paused").booleanValue()).isFalse();

      String id = create(apiTestClient, Map.of("fields", Map.of("size", 3)));
      redis.call("LREM", "queue:" + box + ":waiting", "1", id);
      redis.call(
          "HSET",
          "job:" + pack + ":" + id,
          "done",
          "true",
          "failed",
          "true",
          "failedErrorMsg",
          "\"torn\"");
      redis.call("ZADD", MillraceKeys.dead(box), "1000", id);
      JsonNode dead = apiTestClient.get(queue + "/jobs?list=dead").json().get("items").get(0);
      assertThat(dead.get("error").stringValue()).isEqualTo("torn");
      JsonNode shown = apiTestClient.get(path("/jobs/" + id)).json();
      assertThat(shown.get("state").stringValue()).isEqualTo("dead");
      assertThat(shown.get("failedErrorMsg").stringValue()).isEqualTo("torn");

      assertThat(apiTestClient.post(queue + "/requeue", Map.of("ids", List.of())).status())
          .isEqualTo(400);
      assertThat(requeued(apiTestClient.post(queue + "/requeue", Map.of("ids", List.of(id)))))
          .isEqualTo(1);
      assertThat(requeued(apiTestClient.post(queue + "/requeue", Map.of()))).isZero();
      assertThat(queue(apiTestClient).get("waiting").intValue()).isEqualTo(1);
      for (String action : List.of("pauseQueue", "resumeQueue", "requeueJobs")) {
        assertThat(
                apiTestClient
                    .get("/api/v1/audit?action=" + action)
                    .json()
                    .get("items")
                    .get(0)
                    .get("target")
                    .stringValue())
            .isEqualTo(pack + "/" + box);
      }
    }
  }

  private static int requeued(ApiTestClient.Reply reply) {
    return reply.json().get("requeued").intValue();
  }

  @Test
  void theStatesOfAJobThatIsInNoListFollowFromItsFields() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      for (String[] one :
          new String[][] {
            {"failed", "true", "failed"},
            {"failed", "\"true\"", "failed"},
            {"done", "true", "completed"},
            {"completed-queue", "\"" + mark + "-ship\"", "completed"},
            {"completed-queue", "\"" + box + "\"", "unknown"}
          }) {
        redis.call("DEL", "job:" + pack + ":j1");
        redis.call("HSET", "job:" + pack + ":j1", one[0], one[1], "odd", "{");
        JsonNode job = apiTestClient.get(path("/jobs/j1")).json();
        assertThat(job.get("state").stringValue()).as(one[0] + one[1]).isEqualTo(one[2]);
        assertThat(job.get("unreadable").get("odd").stringValue()).isEqualTo("{");
      }
    }
  }

  @Test
  void whatIsUnknownOrWrongIsRefused() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      assertThat(apiTestClient.get(ALL + "/none/queues/x/jobs").status()).isEqualTo(404);
      assertThat(apiTestClient.get(path("/queues/none/jobs")).status()).isEqualTo(404);
      assertThat(apiTestClient.get(path("/jobs/none")).status()).isEqualTo(404);
      assertThat(apiTestClient.get(path("/jobs/a:b")).status()).isEqualTo(400);
      assertThat(apiTestClient.get(path("/jobs?field=size&value=3")).status()).isEqualTo(400);
      assertThat(apiTestClient.get(path("/jobs?field=customer")).status()).isEqualTo(400);
      assertThat(apiTestClient.get(path("/queues/" + box + "/jobs?cursor=x")).status())
          .isEqualTo(400);
      assertThat(apiTestClient.get(path("/queues/" + box + "/jobs?list=all")).status())
          .isEqualTo(400);
      assertThat(apiTestClient.post(path("/jobs"), Map.of()).status()).isEqualTo(400);
      assertThat(apiTestClient.post(path("/jobs"), Map.of("fields", 3)).status()).isEqualTo(400);
      assertThat(
              apiTestClient
                  .post(path("/jobs"), Map.of("fields", Map.of(), "priority", 101))
                  .status())
          .isEqualTo(400);
    }
  }

  @Test
  void aChildIsDeletedByTheNameOfItsQueue() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      redis.call("HSET", "job:" + box + ":fold:c1", "failed", "true");
      redis.call("ZADD", MillraceKeys.dead(box + ":fold"), "1000", "c1");
      String child = ALL + "/" + box + ":fold/jobs/c1";
      assertThat(apiTestClient.get(child).json().get("state").stringValue()).isEqualTo("dead");
      assertThat(apiTestClient.send("DELETE", child, null, Map.of()).status()).isEqualTo(204);
      assertThat(redis.call("EXISTS", "job:" + box + ":fold:c1", MillraceKeys.dead(box + ":fold")))
          .isEqualTo(0L);
      assertThat(apiTestClient.send("DELETE", child, null, Map.of()).status()).isEqualTo(404);
    }
  }

  @Test
  void aKeyOfAnotherTypeIsAConflictAndNoFaultOfTheConnection() {
    try (TestServer server = TestServer.withFlows(flowServices(redis))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      redis.call("SET", "job:" + pack + ":odd", "poison");
      ApiTestClient.Reply odd = apiTestClient.get(path("/jobs/odd"));
      assertThat(odd.status()).isEqualTo(409);
      assertThat(odd.json().get("detail").stringValue())
          .contains("WRONGTYPE", "job:" + pack + ":odd")
          .doesNotContain("not answer");
    }
  }

  @Test
  void withoutARedisThereAreNoFlows() {
    try (TestServer server = TestServer.inMemory()) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      JsonNode all = apiTestClient.get(ALL).json();
      assertThat(all.get("configured").booleanValue()).isFalse();
      assertThat(all.get("flows")).isEmpty();
      ApiTestClient.Reply refused = apiTestClient.get(path("/jobs/x"));
      assertThat(refused.status()).isEqualTo(404);
      assertThat(refused.json().get("detail").stringValue()).contains("redis.uri");
      assertThat(apiTestClient.post(path("/jobs"), Map.of("fields", Map.of())).status())
          .isEqualTo(404);
    }
  }

  @Test
  void aRedisThatIsAwayIsToldAndTheServerStaysReady() {
    RedisSettings nobody = RedisSettings.of("redis://127.0.0.1:1").timeout(Duration.ofMillis(50));
    try (Redis away = RedisConnections.open(nobody, EngineRuntime.system());
        TestServer server = TestServer.withFlows(flowServices(away))) {
      ApiTestClient apiTestClient = new ApiTestClient(server.port());
      JsonNode all = apiTestClient.get(ALL).json();
      assertThat(all.get("configured").booleanValue()).isTrue();
      assertThat(all.get("reachable").booleanValue()).isFalse();
      assertThat(all.get("problem").stringValue()).contains("127.0.0.1:1");
      ApiTestClient.Reply pause = apiTestClient.post(path("/queues/" + box + "/pause"), Map.of());
      assertThat(pause.status()).isEqualTo(503);
      assertThat(pause.header("Retry-After")).isNotEmpty();
      assertThat(apiTestClient.get("/api/v1/audit?action=pauseQueue").json().get("items"))
          .isEmpty();
      assertThat(apiTestClient.get("/api/v1/health/ready").status()).isEqualTo(200);
    }
  }
}
