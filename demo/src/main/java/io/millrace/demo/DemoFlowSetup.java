package io.millrace.demo;

import io.millrace.demo.files.DemoRedis;
import io.millrace.demo.files.FileInventory;
import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.redis.ServedFlow;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerFlows;
import io.millrace.server.api.FlowServices;
import io.millrace.server.config.ConfigSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Redis flow of the demo, if there is a Redis server and a folder with files. */
final class DemoFlowSetup implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(DemoFlowSetup.class);
  private static final String KEY = "redis.uri";

  private final EngineRuntime runtime = EngineRuntime.system();
  private final @Nullable DemoRedis redis;
  private final @Nullable FileInventory inventory;

  private DemoFlowSetup(@Nullable DemoRedis redis, @Nullable FileInventory inventory) {
    this.redis = redis;
    this.inventory = inventory;
  }

  /** Finds a Redis server: the configured one, one on this machine, or a private one. */
  static DemoFlowSetup open(Path data, Path files, ConfigSources given) {
    String configured = given.properties().get("millrace." + KEY);
    if (configured == null) {
      configured = given.environment().get("MILLRACE_REDIS_URI");
    }
    String path = given.environment().get("PATH");
    DemoRedis redis = DemoRedis.find(configured, data, path, EngineRuntime.system()).orElse(null);
    boolean usable = redis != null && Files.isDirectory(files);
    return new DemoFlowSetup(redis, usable ? new FileInventory(files) : null);
  }

  /** Returns a status message for the screen. */
  String told() {
    if (redis == null) {
      return "no Redis here, so there is no flow "
          + FileInventory.NAME
          + ": set MILLRACE_REDIS_URI, or install redis-server";
    }
    return inventory == null
        ? "no files here, so there is no flow " + FileInventory.NAME
        : "the flow " + FileInventory.NAME + " runs on " + redis.shown();
  }

  List<ServedFlow> works() {
    return inventory == null ? List.of() : List.of(inventory.work());
  }

  /** Returns the settings as system properties without their prefix. */
  Map<String, String> settings() {
    return redis == null ? Map.of() : Map.of(KEY, redis.uri());
  }

  /** Creates a job for each file, in the background. */
  void start(MillraceServer server) {
    FileInventory files = inventory;
    ServerFlows flows = server.flows();
    if (files != null && flows != null) {
      runtime.runner().run("demo-file-inventory", () -> make(files, flows.services()));
    }
  }

  private static void make(FileInventory files, FlowServices flowServices) {
    try {
      int made = flowServices.jobs().createAll(FileInventory.flow(), files.jobs()).size();
      LOG.info("Flow {} has {} files to hash and measure", FileInventory.NAME, made);
    } catch (IOException | MillraceException e) {
      LOG.warn("Flow {} got no jobs", FileInventory.NAME, e);
    }
  }

  @Override
  public void close() {
    if (redis != null) {
      redis.close();
    }
  }
}
