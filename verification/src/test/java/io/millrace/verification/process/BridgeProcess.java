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
 * A process with an engine and the workers of two Redis flows, joined by a bridge: a job of one
 * flow starts an instance, whose state creates a job in the other flow. Arguments: the database's
 * URL, that of Redis, a mark for the names of flows, and the point at which it dies. It prints
 * {@code WORK} when the second job is processed.
 */
public final class BridgeProcess {

  /** The point at which the process dies abruptly. */
  enum KillPoint {
    /** After the instance is started, but before the job that started it is completed. */
    BEFORE_THE_JOB_THAT_STARTS_IS_COMPLETED,
    /** After the id of the job is durable, but before the job is created. */
    BEFORE_THE_JOB_IS_PUT,
    /** After the job is created, but before the state knows it. */
    AFTER_THE_JOB_WAS_PUT,
    /** While the job is processed and the instance waits. */
    IN_THE_JOB,
    /** After the job is done, but before the instance is told. */
    AFTER_THE_JOB_WAS_DONE,
    NEVER
  }

  /** Scripts before whose call the process dies. */
  private static final Map<KillPoint, LuaScript> BEFORE =
      Map.of(
          KillPoint.BEFORE_THE_JOB_THAT_STARTS_IS_COMPLETED, LuaScript.COMPLETE,
          KillPoint.BEFORE_THE_JOB_IS_PUT, LuaScript.CREATE);

  /** Scripts after whose call the process dies, so that it never processes the reply. */
  private static final Map<KillPoint, LuaScript> AFTER =
      Map.of(
          KillPoint.AFTER_THE_JOB_WAS_PUT, LuaScript.CREATE,
          KillPoint.AFTER_THE_JOB_WAS_DONE, LuaScript.COMPLETE);

  static final String TYPE = "packing";
  static final int EXIT_CODE = 9;

  private static final Duration LEASE = Duration.ofSeconds(2);

  private BridgeProcess() {}

  /** Returns the flow whose jobs start instances. */
  static Flow orders(String mark) {
    return flow(mark + "-order");
  }

  /** Returns the flow in which a state creates jobs. */
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

  /** A Redis connection that kills the process before or after a given call. */
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
