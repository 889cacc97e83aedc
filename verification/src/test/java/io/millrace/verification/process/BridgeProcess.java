package io.millrace.verification.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.bridge.WorkflowBridge;
import io.millrace.redis.connect.Redis;
import io.millrace.redis.connect.RedisConnections;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.Flow;
import io.millrace.redis.flow.Job;
import io.millrace.redis.flow.JobResult;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.flow.Queue;
import io.millrace.redis.flow.QueuePolicy;
import io.millrace.redis.jobs.JobView;
import io.millrace.redis.wire.LuaScript;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * An engine and the workers of two Redis flows, joined by a bridge, in a process of its own: a job
 * of the one starts an instance, and its state puts a job of the other. Arguments: the database's
 * URL, that of Redis, a mark for the names of flows, and the point at which it dies. It says {@code
 * WORK} when the second job is worked on.
 */
public final class BridgeProcess {

  /** Where it dies, without any leave. */
  enum KillPoint {
    /** The instance is started, and the job that did it not completed. */
    BEFORE_THE_JOB_THAT_STARTS_IS_COMPLETED,
    /** The id of the job is durable, and there is no job. */
    BEFORE_THE_JOB_IS_PUT,
    /** There is a job, and the state does not know it. */
    AFTER_THE_JOB_WAS_PUT,
    /** The instance waits, and the job is worked on. */
    IN_THE_JOB,
    /** The job is done, and the instance not told. */
    AFTER_THE_JOB_WAS_DONE,
    NEVER
  }

  /** The calls that it does not make any more. */
  private static final Map<KillPoint, LuaScript> BEFORE =
      Map.of(
          KillPoint.BEFORE_THE_JOB_THAT_STARTS_IS_COMPLETED, LuaScript.COMPLETE,
          KillPoint.BEFORE_THE_JOB_IS_PUT, LuaScript.CREATE);

  /** Those whose replies do not help it any more. */
  private static final Map<KillPoint, LuaScript> AFTER =
      Map.of(
          KillPoint.AFTER_THE_JOB_WAS_PUT, LuaScript.CREATE,
          KillPoint.AFTER_THE_JOB_WAS_DONE, LuaScript.COMPLETE);

  static final String TYPE = "packing";
  static final int EXIT_CODE = 9;

  private static final Duration LEASE = Duration.ofSeconds(2);

  private BridgeProcess() {}

  /** The flow whose jobs start instances. */
  static Flow orders(String mark) {
    return flow(mark + "-order");
  }

  /** The flow whose jobs a state puts. */
  static Flow boxes(String mark) {
    return flow(mark + "-box");
  }

  private static Flow flow(String name) {
    return Flow.of(
        name,
        Queue.of(name)
            .lockTime(Duration.ofSeconds(5))
            .policy(QueuePolicy.standard().stallGrace(Duration.ofMillis(300))));
  }

  private static WorkflowDefinition packing(WorkflowBridge bridge, FlowClient boxes) {
    return WorkflowDefinition.of(TYPE)
        .start("pack", bridge.job(boxes, ctx -> NewJob.of(Map.of("size", 3)), BridgeProcess::end))
        .end("packed")
        .build();
  }

  private static Next end(StateContext ctx, Optional<JobView> job) {
    ctx.set("boxed", job.orElseThrow().fields().get("boxed").booleanValue());
    return Next.moveTo("packed", "packed");
  }

  private static JobResult box(Job job, KillPoint killPoint) {
    say("WORK " + job.id());
    if (killPoint == KillPoint.IN_THE_JOB) {
      die();
    }
    return JobResult.of("boxed", true);
  }

  public static void main(String[] args) throws InterruptedException {
    KillPoint killPoint = KillPoint.valueOf(args[3]);
    Redis redis =
        new Mortal(
            RedisConnections.open(RedisSettings.of(args[1]), EngineRuntime.system()),
            args[2],
            killPoint);
    WorkflowBridge bridge = WorkflowBridge.of(EngineRuntime.system(), Duration.ofMillis(300));
    RedisFlows flows = RedisFlows.builder().redis(redis).listener(bridge).connect();
    FlowClient orders = flows.register(orders(args[2]));
    FlowClient boxes = flows.register(boxes(args[2]));
    orders.worker(
        orders.flow().first().name(), bridge.starting(job -> StartRequest.of(TYPE, job.id())));
    boxes.worker(boxes.flow().first().name(), job -> box(job, killPoint));
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(args[0]);
    config.setMaximumPoolSize(6);
    Engine engine =
        Engine.builder()
            .dataSource(new HikariDataSource(config))
            .workflows(packing(bridge, boxes))
            .settings(s -> s.lease(LEASE, LEASE.dividedBy(8)))
            .start();
    bridge.connect(engine.client());
    flows.start();
    say("READY");
    new CountDownLatch(1).await();
  }

  private static void die() {
    Runtime.getRuntime().halt(EXIT_CODE);
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Dies before or after what it is told to. */
  private record Mortal(Redis redis, String mark, KillPoint death) implements Redis {

    @Override
    public Object call(String... command) {
      return redis.call(command);
    }

    @Override
    public Object run(LuaScript luaScript, List<String> keys, List<String> arguments) {
      String flow = (luaScript == LuaScript.COMPLETE ? orders(mark) : boxes(mark)).name();
      if (isAt(BEFORE, luaScript) && keys.getFirst().contains(flow)) {
        die();
      }
      Object reply = redis.run(luaScript, keys, arguments);
      if (isAt(AFTER, luaScript) && keys.getFirst().contains(boxes(mark).name())) {
        die();
      }
      return reply;
    }

    private boolean isAt(Map<KillPoint, LuaScript> points, LuaScript luaScript) {
      return points.get(death) == luaScript;
    }

    @Override
    public List<Object> pipelined(List<List<String>> commands) {
      return redis.pipelined(commands);
    }

    @Override
    public List<Object> transaction(List<List<String>> commands) {
      return redis.transaction(commands);
    }

    @Override
    public BlockingConnection blocking() {
      return redis.blocking();
    }

    @Override
    public void close() {
      redis.close();
    }
  }
}
