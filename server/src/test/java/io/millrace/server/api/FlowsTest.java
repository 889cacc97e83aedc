package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.connect.Connections;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowJson;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.jobs.Jobs;
import io.millrace.redis.wire.Dialect;
import io.millrace.redis.wire.JsText;
import io.millrace.redis.wire.OwnKeys;
import io.millrace.redis.wire.Uuidv7;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** Redis flows over HTTP: with a Redis, without one, and while it is away. */
@Timeout(120)
final class FlowsTest {

  private static final String ALL = "/api/v1/flows";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String mark = "h" + UUID.randomUUID().toString().substring(0, 8);
  private final String pack = mark + "-pack";
  private final String box = mark + "-box";
  private final Redis redis =
      open(Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI"), "needs a Redis"));

  private static Redis open(String uri) {
    return Connections.open(
        RedisSettings.of(uri).connectTimeout(Duration.ofSeconds(20)).timeout(PATIENCE),
        EngineRuntime.system());
  }

  private static FlowDesk desk(Redis redis) {
    EngineRuntime runtime = EngineRuntime.system();
    return new FlowDesk(
        new FlowAdmin(redis, Dialect.V0_0_8, runtime.clock()),
        new Jobs(
            redis,
            Dialect.V0_0_8,
            JsText.standard(),
            new Uuidv7(runtime.clock(), runtime.random())));
  }

  @BeforeEach
  void register() {
    Flow flow =
        Flow.of(
                pack,
                Queue.of(box).next(mark + "-ship").children(Queue.of("fold")),
                Queue.of(mark + "-ship"))
            .lookup("customer");
    redis.call("HSET", OwnKeys.flows(), pack, FlowJson.write(flow));
  }

  @AfterEach
  void clean() {
    redis.call("HDEL", OwnKeys.flows(), pack);
    for (Object key : (List<?>) redis.call("KEYS", "*" + mark + "*")) {
      redis.call("UNLINK", key.toString());
    }
    redis.close();
  }

  private JsonNode queue(Client client) {
    for (JsonNode flow : client.get(ALL).json().get("flows")) {
      if (flow.get("name").stringValue().equals(pack)) {
        return flow.get("queues").get(0);
      }
    }
    throw new AssertionError("no flow " + pack);
  }

  private String path(String rest) {
    return ALL + "/" + pack + rest;
  }

  private String create(Client client, Map<String, ?> body) {
    Client.Reply made = client.post(path("/jobs"), body);
    assertThat(made.status()).isEqualTo(201);
    return made.json().get("id").stringValue();
  }

  @Test
  void jobsAreMadeFoundShownAndDeleted() {
    try (TestServer server = TestServer.withFlows(desk(redis))) {
      Client client = new Client(server.port());
      String first = create(client, Map.of("fields", Map.of("customer", "Jo/e", "size", 3)));
      String second =
          create(
              client,
              Map.of(
                  "fields",
                  Map.of("customer", "Jo/e", "big", 12345678901234L),
                  "correlationId",
                  "c-7",
                  "reason",
                  "by hand"));

      JsonNode found = client.get(path("/jobs?attribute=customer&value=Jo%2Fe")).json();
      assertThat(found.get("items")).hasSize(2);
      assertThat(found.get("items").get(0).get("position").intValue()).isEqualTo(1);
      String paged = path("/jobs?attribute=customer&value=Jo%2Fe&limit=1");
      String next = client.get(paged).json().get("next").stringValue();
      JsonNode rest = client.get(paged + "&cursor=" + next).json();
      assertThat(rest.get("items").get(0).get("id").stringValue()).isEqualTo(first);
      assertThat(rest.path("next").isNull()).isTrue();
      JsonNode job = client.get(path("/jobs/" + second)).json();
      assertThat(job.get("state").stringValue()).isEqualTo("waiting");
      assertThat(job.get("queue").stringValue()).isEqualTo(box);
      assertThat(job.get("correlationId").stringValue()).isEqualTo("c-7");
      assertThat(job.get("fields").get("big").longValue()).isEqualTo(12345678901234L);
      assertThat(job.get("createdAt").isString()).isTrue();
      assertThat(job.get("ttlSeconds").longValue()).isBetween(86_000L, 86_400L);

      JsonNode page = client.get(path("/queues/" + box + "/jobs?limit=1")).json();
      assertThat(page.get("items").get(0).get("id").stringValue()).isEqualTo(first);
      assertThat(page.get("next").stringValue()).isEqualTo("1");

      assertThat(client.send("DELETE", path("/jobs/" + first), null, Map.of()).status())
          .isEqualTo(204);
      assertThat(client.get(path("/jobs/" + first)).status()).isEqualTo(404);
      assertThat(client.send("DELETE", path("/jobs/" + first), null, Map.of()).status())
          .isEqualTo(404);
      assertThat(queue(client).get("waiting").intValue()).isEqualTo(1);

      JsonNode audit = client.get("/api/v1/audit?action=createJob").json().get("items").get(0);
      assertThat(audit.get("target").stringValue()).isEqualTo(pack + "/" + second);
      assertThat(audit.get("reason").stringValue()).isEqualTo("by hand");
      assertThat(
              client
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
    try (TestServer server = TestServer.withFlows(desk(redis))) {
      Client client = new Client(server.port());
      Map<String, Object> body =
          Map.of("fields", Map.of(), "uniqueKey", "k", "delaySeconds", 60, "priority", 1);
      JsonNode one = client.post(path("/jobs"), body).json();
      JsonNode two = client.post(path("/jobs"), body).json();
      assertThat(one.get("created").booleanValue()).isTrue();
      assertThat(two.get("created").booleanValue()).isFalse();
      assertThat(two.get("id")).isEqualTo(one.get("id"));
      assertThat(queue(client).get("delayed").intValue()).isEqualTo(1);
      JsonNode page = client.get(path("/queues/" + box + "/jobs?list=delayed")).json();
      assertThat(page.get("items").get(0).get("at").isString()).isTrue();
      assertThat(
              client
                  .get(path("/jobs/" + one.get("id").stringValue()))
                  .json()
                  .get("state")
                  .stringValue())
          .isEqualTo("delayed");
    }
  }

  @Test
  void queuesArePausedResumedAndTheirDeadJobsPutBack() {
    try (TestServer server = TestServer.withFlows(desk(redis))) {
      Client client = new Client(server.port());
      String queue = path("/queues/" + box);
      JsonNode paused = client.post(queue + "/pause", Map.of("reason", "no boxes")).json();
      assertThat(paused.get("paused").booleanValue()).isTrue();
      assertThat(queue(client).get("pausedWhy").stringValue()).isEqualTo("no boxes");
      assertThat(queue(client).get("pausedBy").isString()).isTrue();
      assertThat(queue(client).get("pausedSince").isString()).isTrue();
      client.post(queue + "/resume", Map.of());
      assertThat(queue(client).get("paused").booleanValue()).isFalse();

      String id = create(client, Map.of("fields", Map.of("size", 3)));
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
      redis.call("ZADD", OwnKeys.dead(box), "1000", id);
      JsonNode dead = client.get(queue + "/jobs?list=dead").json().get("items").get(0);
      assertThat(dead.get("error").stringValue()).isEqualTo("torn");
      JsonNode shown = client.get(path("/jobs/" + id)).json();
      assertThat(shown.get("state").stringValue()).isEqualTo("dead");
      assertThat(shown.get("failedErrorMsg").stringValue()).isEqualTo("torn");

      assertThat(client.post(queue + "/requeue", Map.of("ids", List.of())).status()).isEqualTo(400);
      assertThat(requeued(client.post(queue + "/requeue", Map.of("ids", List.of(id)))))
          .isEqualTo(1);
      assertThat(requeued(client.post(queue + "/requeue", Map.of()))).isZero();
      assertThat(queue(client).get("waiting").intValue()).isEqualTo(1);
      for (String action : List.of("pauseQueue", "resumeQueue", "requeueJobs")) {
        assertThat(
                client
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

  private static int requeued(Client.Reply reply) {
    return reply.json().get("requeued").intValue();
  }

  @Test
  void theStatesOfAJobThatIsInNoListFollowFromItsFields() {
    try (TestServer server = TestServer.withFlows(desk(redis))) {
      Client client = new Client(server.port());
      for (String[] one :
          new String[][] {
            {"failed", "true", "failed"},
            {"failed", "\"true\"", "failed"},
            {"done", "true", "done"},
            {"completed-queue", "\"" + mark + "-ship\"", "done"},
            {"completed-queue", "\"" + box + "\"", "unknown"}
          }) {
        redis.call("DEL", "job:" + pack + ":j1");
        redis.call("HSET", "job:" + pack + ":j1", one[0], one[1], "odd", "{");
        JsonNode job = client.get(path("/jobs/j1")).json();
        assertThat(job.get("state").stringValue()).as(one[0] + one[1]).isEqualTo(one[2]);
        assertThat(job.get("unreadable").get("odd").stringValue()).isEqualTo("{");
      }
    }
  }

  @Test
  void whatIsUnknownOrWrongIsRefused() {
    try (TestServer server = TestServer.withFlows(desk(redis))) {
      Client client = new Client(server.port());
      assertThat(client.get(ALL + "/none/queues/x/jobs").status()).isEqualTo(404);
      assertThat(client.get(path("/queues/none/jobs")).status()).isEqualTo(404);
      assertThat(client.get(path("/jobs/none")).status()).isEqualTo(404);
      assertThat(client.get(path("/jobs/a:b")).status()).isEqualTo(400);
      assertThat(client.get(path("/jobs?attribute=size&value=3")).status()).isEqualTo(400);
      assertThat(client.get(path("/jobs?attribute=customer")).status()).isEqualTo(400);
      assertThat(client.get(path("/queues/" + box + "/jobs?cursor=x")).status()).isEqualTo(400);
      assertThat(client.get(path("/queues/" + box + "/jobs?list=all")).status()).isEqualTo(400);
      assertThat(client.post(path("/jobs"), Map.of()).status()).isEqualTo(400);
      assertThat(client.post(path("/jobs"), Map.of("fields", 3)).status()).isEqualTo(400);
      assertThat(client.post(path("/jobs"), Map.of("fields", Map.of(), "priority", 101)).status())
          .isEqualTo(400);
    }
  }

  @Test
  void aChildIsDeletedByTheNameOfItsQueue() {
    try (TestServer server = TestServer.withFlows(desk(redis))) {
      Client client = new Client(server.port());
      redis.call("HSET", "job:" + box + ":fold:c1", "failed", "true");
      redis.call("ZADD", OwnKeys.dead(box + ":fold"), "1000", "c1");
      String child = ALL + "/" + box + ":fold/jobs/c1";
      assertThat(client.get(child).json().get("state").stringValue()).isEqualTo("dead");
      assertThat(client.send("DELETE", child, null, Map.of()).status()).isEqualTo(204);
      assertThat(redis.call("EXISTS", "job:" + box + ":fold:c1", OwnKeys.dead(box + ":fold")))
          .isEqualTo(0L);
      assertThat(client.send("DELETE", child, null, Map.of()).status()).isEqualTo(404);
    }
  }

  @Test
  void aKeyOfAnotherTypeIsAConflictAndNoFaultOfTheConnection() {
    try (TestServer server = TestServer.withFlows(desk(redis))) {
      Client client = new Client(server.port());
      redis.call("SET", "job:" + pack + ":odd", "poison");
      Client.Reply odd = client.get(path("/jobs/odd"));
      assertThat(odd.status()).isEqualTo(409);
      assertThat(odd.json().get("detail").stringValue())
          .contains("WRONGTYPE", "job:" + pack + ":odd")
          .doesNotContain("not answer");
    }
  }

  @Test
  void withoutARedisThereAreNoFlows() {
    try (TestServer server = TestServer.inMemory()) {
      Client client = new Client(server.port());
      JsonNode all = client.get(ALL).json();
      assertThat(all.get("configured").booleanValue()).isFalse();
      assertThat(all.get("flows")).isEmpty();
      Client.Reply refused = client.get(path("/jobs/x"));
      assertThat(refused.status()).isEqualTo(404);
      assertThat(refused.json().get("detail").stringValue()).contains("redis.uri");
      assertThat(client.post(path("/jobs"), Map.of("fields", Map.of())).status()).isEqualTo(404);
    }
  }

  @Test
  void aRedisThatIsAwayIsToldAndTheServerStaysReady() {
    RedisSettings nobody = RedisSettings.of("redis://127.0.0.1:1").timeout(Duration.ofMillis(500));
    try (Redis away = Connections.open(nobody, EngineRuntime.system());
        TestServer server = TestServer.withFlows(desk(away))) {
      Client client = new Client(server.port());
      JsonNode all = client.get(ALL).json();
      assertThat(all.get("configured").booleanValue()).isTrue();
      assertThat(all.get("reachable").booleanValue()).isFalse();
      assertThat(all.get("problem").stringValue()).contains("127.0.0.1:1");
      Client.Reply pause = client.post(path("/queues/" + box + "/pause"), Map.of());
      assertThat(pause.status()).isEqualTo(503);
      assertThat(pause.header("Retry-After")).isNotEmpty();
      assertThat(client.get("/api/v1/audit?action=pauseQueue").json().get("items")).isEmpty();
      assertThat(client.get("/api/v1/health/ready").status()).isEqualTo(200);
    }
  }
}
