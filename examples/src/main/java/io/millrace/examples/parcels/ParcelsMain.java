package io.millrace.examples.parcels;

import io.millrace.redis.FlowClient;
import io.millrace.redis.RedisFlows;
import io.millrace.redis.connect.RedisSettings;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/**
 * A program that sends three parcels through the flow; one cannot be weighed. The argument is a
 * Redis URI.
 */
public final class ParcelsMain {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private ParcelsMain() {}

  public static void main(String[] args) throws InterruptedException {
    run(args.length == 0 ? "redis://localhost" : args[0], System.out);
  }

  static void run(String uri, PrintStream out) throws InterruptedException {
    try (RedisFlows flows = RedisFlows.connect(RedisSettings.of(uri))) {
      FlowClient parcels = flows.register(Parcels.FLOW);
      parcels.workers("weigh", 4, Parcels::weigh);
      parcels.workers("label", 2, Parcels::label);
      flows.start();

      List<String> ids =
          parcels.createAll(
              List.of(
                  Parcels.parcel("Ann", "teapot", 2),
                  Parcels.parcel("Ann", "saucer", 6),
                  Parcels.parcel("Ben", "anvil", 1)));
      for (String id : ids) {
        parcels.await(id, PATIENCE);
        parcels.find(id).map(Parcels::describe).ifPresent(out::println);
      }
      out.println("Ann has " + parcels.findBy("customer", "Ann", false).size() + " parcels.");
    }
  }
}
