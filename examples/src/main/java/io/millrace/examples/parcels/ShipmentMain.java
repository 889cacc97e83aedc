package io.millrace.examples.parcels;

import io.millrace.Engine;
import io.millrace.WorkflowClient;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.StartRequest;
import io.millrace.instance.WorkflowInstance;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.bridge.WorkflowBridge;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.redis.flow.NewJob;
import io.millrace.redis.jobs.JobView;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * A program with a workflow whose parcels are packed by workers on Redis. The argument is a Redis
 * URI.
 */
public final class ShipmentMain {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private ShipmentMain() {}

  // docs:state
  static WorkflowDefinition shipment(WorkflowBridge bridge, FlowClient parcels) {
    return WorkflowDefinition.of("shipment")
        .start("pack", bridge.job(parcels, ShipmentMain::parcel, ShipmentMain::packed))
        .end("sent")
        .end("cancelled")
        .build();
  }

  private static NewJob parcel(StateContext ctx) {
    return Parcels.parcel("Ann", ctx.input(String.class), 1);
  }

  private static Next packed(StateContext ctx, Optional<JobView> job) {
    if (job.isEmpty()) {
      return Next.moveTo("cancelled", "the job is gone");
    }
    return Next.moveTo(job.get().hasFailed() ? "cancelled" : "sent", Parcels.describe(job.get()));
  }

  // docs:end

  public static void main(String[] args) {
    run(args.length == 0 ? "redis://localhost" : args[0], System.out);
  }

  static void run(String uri, PrintStream out) {
    JdbcConnectionPool database =
        JdbcConnectionPool.create("jdbc:h2:mem:shipments;DB_CLOSE_DELAY=-1", "", "");
    // docs:bridge
    WorkflowBridge bridge = WorkflowBridge.of(EngineRuntime.system(), Duration.ofSeconds(5));
    RedisFlows.Builder connection =
        RedisFlows.builder().settings(RedisSettings.of(uri)).listener(bridge);
    try (RedisFlows flows = connection.connect()) {
      FlowClient parcels = flows.register(Parcels.FLOW);
      parcels.workers("weigh", 4, Parcels::weigh);
      parcels.workers("label", 2, Parcels::label);
      WorkflowDefinition shipment = shipment(bridge, parcels);
      try (Engine engine = Engine.builder().dataSource(database).workflows(shipment).start()) {
        bridge.connect(engine.client());
        flows.start();
        // docs:end
        ship(engine.client(), "teapot", out);
        ship(engine.client(), "anvil", out);
      }
    } finally {
      database.dispose();
    }
  }

  private static void ship(WorkflowClient client, String item, PrintStream out) {
    WorkflowInstance ended =
        client.await(client.start(StartRequest.of("shipment", item)).id(), PATIENCE);
    out.println(ended.state() + ": " + ended.position().reason());
  }
}
