package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The actions on one task sequence. */
final class SequenceActionCommands {

  private SequenceActionCommands() {}

  /** An action on one sequence, with a reason. */
  abstract static class ReasonedAction extends ApiCommand {

    @Parameters(paramLabel = "ID", description = "The sequence.")
    String id = "";

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      if (reason != null) {
        body.put("reason", reason);
      }
      return body;
    }
  }

  /** An action that needs only a reason. */
  abstract static class SimpleAction extends ReasonedAction {
    private final String action;
    private final String done;

    /**
     * @param action the last part of the path
     * @param done the end of the confirmation, after the name of the sequence
     */
    SimpleAction(String action, String done) {
      this.action = action;
      this.done = done;
    }

    @Override
    int run(ApiClient api, CommandOutput output) {
      api.post(ApiPaths.sequence(id) + "/" + action, body());
      output.printConfirmation("Sequence " + id + " " + done);
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "activate",
      description = "Lets the schedule of a sequence run; missed slots go by its misfire policy.")
  static final class Activate extends SimpleAction {
    Activate() {
      super("activate", "is active.");
    }
  }

  @Command(name = "deactivate", description = "Lets only manual runs start executions.")
  static final class Deactivate extends SimpleAction {
    Deactivate() {
      super("deactivate", "is not active; it runs only when an operator runs it.");
    }
  }

  @Command(
      name = "pause",
      description = "Keeps a schedule from running until it is resumed; what runs goes on.")
  static final class Pause extends SimpleAction {
    Pause() {
      super("pause", "is paused.");
    }
  }

  @Command(name = "resume", description = "Ends a pause.")
  static final class Resume extends SimpleAction {
    Resume() {
      super("resume", "is not paused any more.");
    }
  }

  @Command(
      name = "request-run",
      description =
          "Requests a run before the next slot, after what runs now; also activates the sequence and"
              + " ends a pause of any user.")
  static final class RequestRun extends SimpleAction {
    RequestRun() {
      super("request-run", "will run at once.");
    }
  }

  @Command(
      name = "restart",
      description =
          "Runs an aborted sequence again from its first task, for the same window; also activates"
              + " it and ends a pause of any user.")
  static final class Restart extends SimpleAction {
    Restart() {
      super("restart", "will run again from its first task.");
    }
  }

  @Command(name = "remove", description = "Removes a sequence; refused while it runs.")
  static final class Remove extends ApiCommand {

    @Parameters(paramLabel = "ID", description = "The sequence.")
    String id = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      api.delete(ApiPaths.sequence(id));
      output.printConfirmation("Sequence " + id + " is removed.");
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "run",
      description =
          "Starts a manual run of a sequence for its last complete window, active or not; of an aborted one it"
              + " cancels the execution that was aborted.")
  static final class Run extends ReasonedAction {

    @Option(
        names = "--parameters",
        paramLabel = "JSON",
        description = "For this execution; @FILE reads them from a file.")
    @Nullable String parameters;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = body();
      if (parameters != null) {
        body.set("parameters", JsonArguments.json("--parameters", parameters));
      }
      JsonNode started = api.post(ApiPaths.sequence(id) + "/run", body);
      if (output.json()) {
        output.json(started);
      } else {
        String execution = text(started, "id");
        output.line("Started execution " + execution + ". Follow it: millrace watch " + execution);
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "backfill",
      description = "Runs the slots of a past time that were not run, one after another.")
  static final class Backfill extends ReasonedAction {

    @Option(
        names = "--from",
        required = true,
        paramLabel = "TIME",
        description = "As 2026-11-21T00:00:00Z.")
    String from = "";

    @Option(names = "--to", required = true, paramLabel = "TIME", description = "Not after now.")
    String to = "";

    @Option(names = "--dry-run", description = "Only lists the slots.")
    boolean dryRun;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = body().put("from", from).put("to", to).put("dryRun", dryRun);
      JsonNode backfill = api.post(ApiPaths.sequence(id) + "/backfill", body);
      if (output.json()) {
        output.json(backfill);
        return ExitCodes.OK;
      }
      SequenceTables.backfill(output, backfill);
      if (dryRun) {
        output.line("Dry run: nothing was begun.");
      } else if (backfill.path("instanceId").isNumber()) {
        output.line("Follow it: millrace watch " + text(backfill, "instanceId"));
      } else {
        output.line("There is nothing to run.");
      }
      return ExitCodes.OK;
    }
  }
}
