package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.ContinuousCommand.path;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The actions below {@code millrace continuous}. */
final class ContinuousActionCommands {

  private ContinuousActionCommands() {}

  /** An action on one continuous workflow, with a reason. */
  abstract static class Action extends ApiCommand {

    @Parameters(index = "0", paramLabel = "NAME", description = "See 'millrace continuous list'.")
    String name = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    final ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      return reason == null ? body : body.put("reason", reason);
    }
  }

  @Command(name = "on", description = "Has it run from now on.")
  static final class On extends Action {
    @Override
    int run(ApiClient api, CommandOutput output) {
      api.put(path(name) + "/desired", body().put("desired", "on"));
      output.printConfirmation(name + " is switched on.");
      return ExitCodes.OK;
    }
  }

  @Command(name = "off", description = "Has it wait for nothing any more; what runs goes on.")
  static final class Off extends Action {
    @Override
    int run(ApiClient api, CommandOutput output) {
      api.put(path(name) + "/desired", body().put("desired", "off"));
      output.printConfirmation(name + " is switched off.");
      return ExitCodes.OK;
    }
  }

  @Command(name = "restart", description = "Has its trigger closed and opened again.")
  static final class Restart extends Action {
    @Override
    int run(ApiClient api, CommandOutput output) {
      api.post(path(name) + "/restart", body());
      output.printConfirmation(name + " will be restarted.");
      return ExitCodes.OK;
    }
  }

  @Command(name = "continue", description = "Has its next generation begin on the same node.")
  static final class Continue extends Action {
    @Override
    int run(ApiClient api, CommandOutput output) {
      api.post(path(name) + "/continue", body());
      output.printConfirmation(name + " will be continued.");
      return ExitCodes.OK;
    }
  }

  @Command(name = "move", description = "Has another executor take it.")
  static final class Move extends Action {

    @Option(
        names = "--to",
        paramLabel = "EXECUTOR",
        required = true,
        description = "See 'millrace executors'.")
    long executor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      api.post(path(name) + "/move", body().put("executor", executor));
      output.printConfirmation(name + " will move to executor " + executor + ".");
      return ExitCodes.OK;
    }
  }

  @Command(name = "run", description = "Starts one execution without the trigger.")
  static final class Run extends Action {

    @Option(
        names = "--payload",
        paramLabel = "JSON",
        required = true,
        description = "What an event would bring; @FILE reads a file.")
    String payload = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = body();
      body.set("payload", JsonArguments.json("--payload", payload));
      JsonNode started = api.post(path(name) + "/run", body);
      if (output.json()) {
        output.json(started);
      } else {
        output.line("Instance " + text(started, "id") + " is started.");
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "offer",
      description = "Brings an event to it; it waits until the trigger takes it.")
  static final class Offer extends ApiCommand {

    @Parameters(paramLabel = "NAME", description = "See 'millrace continuous list'.")
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
    int run(ApiClient api, CommandOutput output) {
      JsonNode answer =
          api.post(
              "/triggers/" + ApiPaths.segment(name),
              JsonArguments.json("--payload", payload),
              eventKey);
      if (output.json()) {
        output.json(answer);
      } else {
        output.line("The event is " + text(answer, "result") + " as " + text(answer, "key") + ".");
      }
      return ExitCodes.OK;
    }
  }
}
