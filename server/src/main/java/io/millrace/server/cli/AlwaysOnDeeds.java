package io.millrace.server.cli;

import static io.millrace.server.cli.AlwaysOnCommand.path;
import static io.millrace.server.cli.Screen.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the commands below {@code millrace always-on} do. */
final class AlwaysOnDeeds {

  private AlwaysOnDeeds() {}

  /** One of a name, with a reason. */
  abstract static class Deed extends Connection {

    @Parameters(index = "0", paramLabel = "NAME", description = "See 'millrace always-on list'.")
    String name = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    final ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      return reason == null ? body : body.put("reason", reason);
    }
  }

  @Command(name = "on", description = "Has it run from now on.")
  static final class On extends Deed {
    @Override
    int run(ApiClient api, Screen screen) {
      api.put(path(name) + "/desired", body().put("desired", "on"));
      screen.done(name + " is switched on.");
      return ExitCode.OK;
    }
  }

  @Command(name = "off", description = "Has it wait for nothing any more; what runs goes on.")
  static final class Off extends Deed {
    @Override
    int run(ApiClient api, Screen screen) {
      api.put(path(name) + "/desired", body().put("desired", "off"));
      screen.done(name + " is switched off.");
      return ExitCode.OK;
    }
  }

  @Command(name = "restart", description = "Has its trigger closed and opened again.")
  static final class Restart extends Deed {
    @Override
    int run(ApiClient api, Screen screen) {
      api.post(path(name) + "/restart", body());
      screen.done(name + " will be restarted.");
      return ExitCode.OK;
    }
  }

  @Command(name = "continue", description = "Has its next generation begin on the same node.")
  static final class Continue extends Deed {
    @Override
    int run(ApiClient api, Screen screen) {
      api.post(path(name) + "/continue", body());
      screen.done(name + " will be continued.");
      return ExitCode.OK;
    }
  }

  @Command(name = "move", description = "Has another executor take it.")
  static final class Move extends Deed {

    @Option(
        names = "--to",
        paramLabel = "EXECUTOR",
        required = true,
        description = "See 'millrace executors'.")
    long executor;

    @Override
    int run(ApiClient api, Screen screen) {
      api.post(path(name) + "/move", body().put("executor", executor));
      screen.done(name + " will move to executor " + executor + ".");
      return ExitCode.OK;
    }
  }

  @Command(name = "run", description = "Starts one execution without the trigger.")
  static final class Run extends Deed {

    @Option(
        names = "--payload",
        paramLabel = "JSON",
        required = true,
        description = "What an event would bring; @FILE reads a file.")
    String payload = "";

    @Override
    int run(ApiClient api, Screen screen) {
      ObjectNode body = body();
      body.set("payload", Values.json("--payload", payload));
      JsonNode started = api.post(path(name) + "/run", body);
      if (screen.json()) {
        screen.json(started);
      } else {
        screen.line("Instance " + text(started, "id") + " is started.");
      }
      return ExitCode.OK;
    }
  }

  @Command(
      name = "offer",
      description = "Brings an event to it; it waits until the trigger takes it.")
  static final class Offer extends Connection {

    @Parameters(paramLabel = "NAME", description = "See 'millrace always-on list'.")
    String name = "";

    @Option(
        names = "--payload",
        paramLabel = "JSON",
        required = true,
        description = "The event; @FILE reads a file.")
    String payload = "";

    @Option(names = "--key-of-event", paramLabel = "KEY", description = "Makes repeating harmless.")
    @Nullable String eventKey;

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode answer =
          api.post("/triggers/" + Paths.segment(name), Values.json("--payload", payload), eventKey);
      if (screen.json()) {
        screen.json(answer);
      } else {
        screen.line("The event is " + text(answer, "result") + " as " + text(answer, "key") + ".");
      }
      return ExitCode.OK;
    }
  }
}
