package io.millrace.demo;

import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.ShutdownHook;
import io.millrace.server.Main;
import io.millrace.server.MillraceServer;
import io.millrace.server.ServerCommand;
import io.millrace.server.ServerExtensions;
import io.millrace.server.config.ConfigSources;
import io.millrace.server.config.LoadedConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code millrace demo}. */
@Command(
    name = "demo",
    description =
        "Runs a server with thirty days of a shop's history, on H2, for this machine only.")
public final class DemoCommand implements Callable<Integer> {

  private static final String NOTICE = "This is the demo: a made-up shop.";

  private static final int LINES_BETWEEN = 3;

  @Option(names = "--fresh", description = "Throws the history away and makes a new one.")
  private boolean fresh;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "7500",
      description = "The port to listen on; 0 for a free one. ${DEFAULT-VALUE} unless given.")
  private int port;

  @Option(
      names = "--no-trickle",
      negatable = false,
      description = "No new orders come in while it runs.")
  private boolean still;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data/demo",
      description = "Where the history is kept. ${DEFAULT-VALUE} unless given.")
  private Path data = Path.of("data/demo");

  @Option(
      names = "--repository",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "The git repository to report on. The working folder unless given.")
  private Path repository = Path.of(".");

  @Option(
      names = "--program",
      hidden = true,
      defaultValue = "millrace",
      description = "The name under which this program is shown in examples.")
  private String program = "millrace";

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  DemoCommand() {}

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    EngineRuntime runtime = EngineRuntime.system();
    try (Demo demo = Demo.open(data, repository, runtime);
        StartPage page = StartPage.open(port, runtime.runner())) {
      say(out, "http://" + StartPage.BIND + ":" + page.port() + "/ shows how far it is");
      demo.prepare(fresh, line -> say(out, line), progress(out, page));
      // Opened only now: a private Redis would survive a Ctrl-C during the preparation.
      try (DemoFlowSetup flows =
          DemoFlowSetup.open(data, repository, ConfigSources.ofProcess(null))) {
        serve(demo, flows, page, out);
      }
    }
    return Main.OK;
  }

  /** Returns a receiver that shows each line on the page, and some of them on the terminal. */
  private Consumer<String> progress(PrintWriter out, StartPage page) {
    AtomicInteger lines = new AtomicInteger();
    return line -> {
      page.say(line);
      if (lines.getAndIncrement() % LINES_BETWEEN == 0) {
        say(out, line);
      }
    };
  }

  private void serve(Demo demo, DemoFlowSetup flows, StartPage page, PrintWriter out)
      throws InterruptedException {
    say(out, flows.told());
    DemoCredentials access = demo.access();
    LoadedConfig config = config(demo, flows, page.port());
    page.close();
    MillraceServer server =
        MillraceServer.start(config, new ServerExtensions(demo::addTo, flows.works(), NOTICE));
    begin(demo, server);
    flows.start(server);
    LiveTraffic liveTraffic = still ? null : demo.trickle(server.engine().client());
    ShutdownHook.install("millrace-stop", () -> stop(server, liveTraffic, flows));
    say(out, welcome(server.address(), access, demo.inbox(), program));
    server.awaitReplaced();
    say(out, "A rollout ended this node. Start the demo again, and it goes on.");
    // The shutdown hook closes the server and ends the process.
    Runtime.getRuntime().exit(Main.OK);
  }

  private static void begin(Demo demo, MillraceServer server) {
    try {
      demo.startSequences(server.engine().sequences());
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  private static void say(PrintWriter out, String text) {
    out.println(text);
    out.flush();
  }

  /** Returns the configuration; the demo's own settings override files and environment. */
  private static LoadedConfig config(Demo demo, DemoFlowSetup flows, int port) {
    ConfigSources given = ConfigSources.ofProcess(null);
    Map<String, String> properties = new HashMap<>(given.properties());
    flows.settings().forEach((key, value) -> properties.put("millrace." + key, value));
    demo.settings().forEach((key, value) -> properties.put("millrace." + key, value));
    properties.put("millrace.http.port", String.valueOf(port));
    return LoadedConfig.read(new ConfigSources(properties, given.environment(), null));
  }

  static String welcome(String address, DemoCredentials access, Path inbox, String program) {
    return """

    The demo is at  %1$s
       log in once  %1$s#login=%2$s   (within ten minutes)
      or log in as  %3$s
          password  %4$s   (a new one at each start)

    From another terminal:
      export MILLRACE_URL=%5$s MILLRACE_API_KEY_FILE=%6$s
      %7$s failures

    Four things to try:
      1. Problems: retry the group GatewayTimeoutException, and watch its orders finish.
      2. Instances in state AWAIT_PAYMENT: send one the signal 'paid'.
      3. kill -9 this process, and start it again: it goes on where it was.
      4. Change a price in %8$s/prices.json: one price-change starts.

    Ctrl-C stops it in good order.\
    """
        .formatted(
            address,
            access.linkToken(),
            access.login().user(),
            access.login().password(),
            quoted(address),
            quoted(access.keyFile().toString()),
            quoted(program),
            inbox);
  }

  /** Returns a text quoted so that a shell reads it as one word. */
  private static String quoted(String text) {
    return text.matches("[\\w./:@%+,=-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private static void stop(
      MillraceServer server, @Nullable LiveTraffic liveTraffic, DemoFlowSetup flows) {
    try {
      if (liveTraffic != null) {
        liveTraffic.close();
      }
    } finally {
      ServerCommand.stop(server, flows::close);
    }
  }
}
