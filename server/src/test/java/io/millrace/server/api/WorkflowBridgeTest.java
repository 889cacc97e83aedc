package io.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.codec.JsonLimits;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.bridge.WorkflowBridge;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.connect.RedisUnavailableException;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.FlowListener;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.jobs.JobView;
import io.millrace.redis.wire.LuaScript;
import io.millrace.redis.wire.MillraceKeys;
import io.millrace.retry.RetryPolicy;
import io.millrace.server.Patience;
import io.millrace.server.http.StrictJson;
import io.millrace.store.sql.SqlStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/**
 * Tests jobs that start workflows and workflows that enqueue jobs, with a crash at each point
 * between the two sides; on H2 and, if configured, on PostgreSQL.
 */
@Timeout(300)
@Tag("server")
final class WorkflowBridgeTest {

  /** An interval so long that only a signal explains a quick end. */
  private static final Duration RARELY = Duration.ofHours(1);

  private static final Duration OFTEN = Duration.ofMillis(200);
  private static final RetryPolicy AT_ONCE =
      RetryPolicy.exponential(Duration.ofMillis(5), Duration.ofMillis(5)).maxAttempts(5);

  private final String mark = "b" + UUID.randomUUID().toString().substring(0, 8);
  private final FaultyRedis redis = new FaultyRedis(mark);
  private final Flow flow =
      Flow.of(
          mark + "-pack", Queue.of(mark + "-box").policy(QueuePolicy.standard().retry(AT_ONCE)));
  private WorkflowBridge bridge;
  private RedisFlows flows;
  private FlowClient client;
  private Engine engine;
  private HikariDataSource pool;

  /** A Redis that loses the reply to the creation of a job as often as the test says. */
  private static final class FaultyRedis implements Redis {

    private final Redis real =
        RedisConnections.open(
            RedisSettings.of(Objects.requireNonNull(System.getenv("MILLRACE_TEST_REDIS_URI")))
                .timeout(Patience.LIMIT),
            EngineRuntime.system());
    final AtomicInteger repliesToLose = new AtomicInteger();
    final AtomicInteger made = new AtomicInteger();
    private final String mark;

    /**
     * @param mark part of the names of all keys of the test, which are deleted at the end
     */
    FaultyRedis(String mark) {
      this.mark = mark;
    }

    @Override
    public Object call(String... command) {
      return real.call(command);
    }

    @Override
    public Object run(LuaScript luaScript, List<String> keys, List<String> arguments) {
      Object reply = real.run(luaScript, keys, arguments);
      if (luaScript == LuaScript.CREATE) {
        made.addAndGet(((Long) ((List<?>) reply).get(1)).intValue());
        if (repliesToLose.getAndDecrement() > 0) {
          throw new RedisUnavailableException("the reply was lost", null);
        }
      }
      return reply;
    }

    @Override
    public List<Object> pipelined(List<List<String>> commands) {
      return real.pipelined(commands);
    }

    @Override
    public List<Object> transaction(List<List<String>> commands) {
      return real.transaction(commands);
    }

    @Override
    public BlockingConnection blocking() {
      return real.blocking();
    }

    @Override
    public void close() {
      for (Object key : (List<?>) real.call("KEYS", "*" + mark + "*")) {
        real.call("UNLINK", key.toString());
      }
      real.close();
    }
  }

  private static String database() throws SQLException {
    return Postgres.isGiven()
        ? Postgres.freshSchema("server_bridge")
        : "jdbc:h2:mem:bridge" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;USER=sa";
  }

  private void open(Duration poll, boolean listens) {
    bridge = WorkflowBridge.of(EngineRuntime.system(), poll);
    flows =
        RedisFlows.builder().redis(redis).listener(listens ? bridge : FlowListener.NONE).connect();
    client = flows.register(flow);
  }

  private void start(WorkflowDefinition workflow) throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database());
    pool = new HikariDataSource(config);
    engine =
        Engine.builder()
            .store(SqlStore.open(pool, SqlStore.Options.DEFAULT))
            .workflows(workflow)
            .settings(s -> s.executorGroup("default"))
            .start();
    bridge.connect(engine.client());
  }

  @AfterEach
  void stop() {
    redis.call("HDEL", MillraceKeys.flows(), flow.name());
    engine.drain(Duration.ofSeconds(20));
    flows.stop(Duration.ofSeconds(10));
    pool.close();
  }

  /** Returns a workflow that enqueues one job, and ends with its result. */
  private WorkflowDefinition packing(Function<StateContext, NewJob> job) {
    return WorkflowDefinition.of("packing")
        .start("pack", bridge.job(client, job, WorkflowBridgeTest::answer))
        .end("packed")
        .end("lost")
        .retry(AT_ONCE)
        .build();
  }

  private static Next answer(StateContext ctx, Optional<JobView> job) {
    if (job.isEmpty()) {
      return Next.moveTo("lost", "the job is gone");
    }
    ctx.set("fields", job.get().fields().toString());
    return Next.moveTo("packed", "packed");
  }

  private WorkflowInstance ended(long id) {
    WorkflowInstance instance = engine.client().await(id, Patience.LIMIT);
    assertThat(instance.status()).isEqualTo(InstanceStatus.FINISHED);
    return instance;
  }

  private static NewJob three(StateContext ctx) {
    return NewJob.of(Map.of("size", 3));
  }

  @Test
  void aStatePutsAJobAndIsToldOfItsEnd() throws Exception {
    open(RARELY, true);
    start(packing(WorkflowBridgeTest::three));
    client.workers(mark + "-box", 2, job -> JobResult.of("boxed", true));
    flows.start();
    long id = engine.client().start(StartRequest.of("packing")).id();
    assertThat(ended(id).state()).isEqualTo("packed");
    assertThat(redis.made).hasValue(1);
  }

  @Test
  void aJobThatEndsElsewhereIsLookedFor() throws Exception {
    open(OFTEN, false);
    start(packing(WorkflowBridgeTest::three));
    client.workers(
        mark + "-box",
        1,
        job -> {
          throw new IllegalStateException("torn");
        });
    flows.start();
    long id = engine.client().start(StartRequest.of("packing")).id();
    assertThat(ended(id).state()).isEqualTo("packed");
    assertThat(redis.made).hasValue(1);
  }

  @Test
  void anAttemptThatDiesBeforeTheJobIsPutPutsItOnce() throws Exception {
    open(RARELY, true);
    AtomicInteger attempts = new AtomicInteger();
    start(
        packing(ctx -> {
          if (attempts.getAndIncrement() == 0) {
            throw new IllegalStateException("the process dies here");
          }
          return three(ctx);
        }));
    client.workers(mark + "-box", 1, job -> JobResult.completed());
    flows.start();
    ended(engine.client().start(StartRequest.of("packing")).id());
    assertThat(attempts).hasValue(2);
    assertThat(redis.made).hasValue(1);
  }

  @Test
  void anAttemptThatDiesAfterTheJobWasPutPutsNoSecond() throws Exception {
    open(RARELY, true);
    redis.repliesToLose.set(2);
    AtomicInteger runs = new AtomicInteger();
    start(packing(WorkflowBridgeTest::three));
    client.workers(
        mark + "-box",
        2,
        job -> {
          runs.incrementAndGet();
          return JobResult.completed();
        });
    flows.start();
    ended(engine.client().start(StartRequest.of("packing")).id());
    assertThat(redis.repliesToLose.get()).as("three attempts").isNegative();
    assertThat(redis.made).hasValue(1);
    assertThat(runs).hasValue(1);
  }

  @Test
  void jobAndInstanceTellOfEachOther() throws Exception {
    open(OFTEN, false);
    start(
        packing(
            ctx -> "own".equals(ctx.businessKey()) ? three(ctx).correlationId("c-7") : three(ctx)));
    long plain = engine.client().start(StartRequest.of("packing")).id();
    JsonNode put = awaitPut(plain);
    assertThat(put.get("flow").stringValue()).isEqualTo(flow.name());
    JobView job = client.get(put.get("id").stringValue());
    assertThat(job.fields().get("correlationId").stringValue())
        .isEqualTo("workflow:packing:" + plain);
    assertThat(engine.client().get(plain).position().waitingFor())
        .isEqualTo("signal:redisJob-" + job.id());

    long own = engine.client().start(StartRequest.of("packing").businessKey("own")).id();
    job = client.get(awaitPut(own).get("id").stringValue());
    assertThat(job.fields().get("correlationId").stringValue()).isEqualTo("c-7");
    for (long id : List.of(plain, own)) {
      client.delete(awaitPut(id).get("id").stringValue());
      ended(id);
    }
  }

  /** Waits until the state has stored its job and returns that. */
  private JsonNode awaitPut(long id) {
    while (true) {
      String known = engine.client().variables(id).get("redisJob-pack");
      if (known != null) {
        return StrictJson.read("redisJob-pack", known);
      }
      Thread.onSpinWait();
    }
  }

  @Test
  void aJobThatWasDeletedLeadsOn() throws Exception {
    open(OFTEN, false);
    start(packing(WorkflowBridgeTest::three));
    long id = engine.client().start(StartRequest.of("packing")).id();
    String waiting = "queue:" + mark + "-box:waiting";
    Object entry = null;
    while (entry == null) {
      Thread.onSpinWait();
      entry = redis.call("LINDEX", waiting, "0");
    }
    assertThat(client.delete(entry.toString())).isTrue();
    assertThat(ended(id).state()).isEqualTo("lost");
    assertThat(redis.call("LLEN", waiting)).isEqualTo(0L);
  }

  private WorkflowDefinition shipping() {
    return WorkflowDefinition.of("shipping")
        .start("ship", ctx -> Next.done("shipped " + ctx.input(String.class)))
        .build();
  }

  @Test
  void aJobStartsOneInstanceHoweverOftenItIsTried() throws Exception {
    open(OFTEN, true);
    start(shipping());
    var starting = bridge.starting(job -> StartRequest.of("shipping", job.id()));
    AtomicInteger tries = new AtomicInteger();
    client.workers(
        mark + "-box",
        1,
        job -> {
          JobResult result = starting.handle(job);
          if (tries.getAndIncrement() < 2) {
            throw new IllegalStateException("the process dies before the job is completed");
          }
          return result;
        });
    flows.start();
    String id = client.create(Map.of());
    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    List<WorkflowInstance> all =
        engine.client().search(InstanceQuery.all().type("shipping")).items();
    assertThat(all).hasSize(1);
    assertThat(tries).hasValue(3);
    JobView job = client.get(id);
    assertThat(job.fields().get("workflow").longValue()).isEqualTo(all.getFirst().id());
    assertThat(all.getFirst().origin().externalId())
        .isEqualTo("redis:" + flow.name() + ":" + mark + "-box:" + id);
  }

  /** The input is larger than any input may be, so no later attempt could start the instance. */
  @Test
  void aJobWhoseStartIsRefusedFailsAtOnceWithTheReason() throws Exception {
    open(OFTEN, true);
    start(shipping());
    AtomicInteger tries = new AtomicInteger();
    client.workers(
        mark + "-box",
        1,
        bridge.starting(job -> {
          tries.incrementAndGet();
          return StartRequest.of("shipping", "x".repeat(JsonLimits.DEFAULT.maxBytes()));
        }));
    flows.start();
    String id = client.create(Map.of());
    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    JobView job = client.get(id);
    assertThat(job.hasFailed()).isTrue();
    assertThat(job.fields().get("failedErrorMsg").stringValue())
        .contains("bytes as JSON, expected at most 1048576");
    assertThat(tries).hasValue(1);
  }

  /** An engine of a newer release may register the workflow while the job is retried. */
  @Test
  void aJobWhoseWorkflowIsNotKnownYetIsRetried() throws Exception {
    open(OFTEN, true);
    start(shipping());
    AtomicInteger tries = new AtomicInteger();
    client.workers(
        mark + "-box",
        1,
        bridge.starting(
            job -> StartRequest.of(tries.incrementAndGet() < 3 ? "later" : "shipping", job.id())));
    flows.start();
    String id = client.create(Map.of());
    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(client.get(id).hasFailed()).isFalse();
    assertThat(tries).hasValue(3);
  }

  @Test
  void aStateWhoseJobIsRefusedFailsAtOnceWithTheReason() throws Exception {
    open(RARELY, true);
    AtomicInteger tries = new AtomicInteger();
    start(
        packing(ctx -> {
          tries.incrementAndGet();
          return three(ctx).uniqueKey("a unique key is no id");
        }));
    long id = engine.client().start(StartRequest.of("packing")).id();
    WorkflowInstance instance = engine.client().await(id, Patience.LIMIT);
    assertThat(instance.status()).isEqualTo(InstanceStatus.FAILED);
    assertThat(instance.position().reason()).contains("unique key");
    assertThat(tries).hasValue(1);
  }

  @Test
  void aJobWaitsForTheEndOfItsInstance() throws Exception {
    open(OFTEN, true);
    start(shipping());
    client.workers(mark + "-box", 1, bridge.awaiting(job -> StartRequest.of("shipping", job.id())));
    flows.start();
    String id = client.create(Map.of());
    assertThat(client.await(id, Patience.LIMIT)).isTrue();
    assertThat(client.get(id).fields().get("workflowStatus").stringValue()).isEqualTo("finished");
  }
}
