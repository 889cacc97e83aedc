package io.millrace.server;

import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.ShutdownHook;
import io.millrace.server.config.LoadedConfig;
import java.io.ObjectInputFilter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code millrace server}. */
@Command(
    name = "server",
    description = "Runs the server until SIGTERM, Ctrl-C, or a rollout that replaces it.")
public final class ServerCommand implements Callable<Integer> {

  /** Name of the log level that logback.xml reads; a level that an operator has set is kept. */
  private static final String LOG_LEVEL = "MILLRACE_LOG_LEVEL";

  @Mixin private ConfigOption option = new ConfigOption();

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  ServerCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    long began = EngineClock.system().nanoTime();
    if (System.getenv(LOG_LEVEL) == null && System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "INFO");
    }
    refuseSerialization();
    LoadedConfig loaded = option.read();
    MillraceServer server = MillraceServer.start(loaded, ServerExtensions.NONE);
    ShutdownHook.install("millrace-stop", () -> stop(server));
    Duration took = Duration.ofNanos(EngineClock.system().nanoTime() - began);
    spec.commandLine().getOut().print(StartupBanner.of(server, loaded.config(), took));
    spec.commandLine().getOut().flush();
    server.awaitReplaced();
    // The hook closes the server and ends the process.
    Runtime.getRuntime().exit(Main.OK);
    return Main.OK;
  }

  /**
   * Rejects all serialized objects. The server reads none, and no library may be made to read one.
   */
  private static void refuseSerialization() {
    if (ObjectInputFilter.Config.getSerialFilter() == null) {
      ObjectInputFilter.Config.setSerialFilter(ObjectInputFilter.Config.createFilter("!*"));
    }
  }

  /**
   * Stops the server and ends the JVM by itself, so that the exit code says whether everything was
   * stopped in good order. After a signal, it would be the signal's number either way.
   */
  static void stop(MillraceServer server) {
    stop(server, () -> {});
  }

  /**
   * Stops the server, runs an action and ends the JVM.
   *
   * @param afterwards run once the server is closed, before the process ends
   */
  public static void stop(MillraceServer server, Runnable afterwards) {
    int code = Main.FAILED;
    try {
      code = closeAndGetExitCode(server, () -> server.engine().leasedInstanceCount(), afterwards);
    } finally {
      Runtime.getRuntime().halt(code);
    }
  }

  /**
   * Closes the server, and runs the action even if closing fails.
   *
   * @return the exit code
   */
  static int closeAndGetExitCode(AutoCloseable server, IntSupplier held, Runnable afterwards) {
    // Not before: the first logger of the process reads the level, which this command sets.
    Logger log = LoggerFactory.getLogger(ServerCommand.class);
    try {
      server.close();
      int left = held.getAsInt();
      log.info("Stopped; {} instances are left to recovery", left);
      return left == 0 ? Main.OK : Main.FAILED;
    } catch (Exception e) {
      log.error("The server did not stop in good order", e);
      return Main.FAILED;
    } finally {
      afterwards.run();
    }
  }
}
