package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace rollout}. */
@Command(
    name = "rollout",
    description = "Replaces nodes, one after another.",
    subcommands = {
      RolloutCommand.Start.class,
      RolloutCommand.ListAll.class,
      RolloutCommand.Show.class,
      RolloutCommand.Pause.class,
      RolloutCommand.Resume.class,
      RolloutCommand.Abort.class
    })
final class RolloutCommand {

  private RolloutCommand() {}

  @Command(name = "start", description = "Begins a rollout, behind one that is under way.")
  static final class Start extends ApiCommand {

    @Parameters(
        paramLabel = "NODE",
        arity = "0..*",
        description = "Names of nodes. Default: all that are at work.")
    List<String> nodes = List.of();

    @Option(
        names = "--grace",
        paramLabel = "SECONDS",
        description = "How long handlers may go on. Default: each executor's own.")
    @Nullable Integer grace;

    @Option(
        names = "--min-ready",
        paramLabel = "SECONDS",
        description = "How long a node has to be ready before the next one leaves. Default: 30.")
    @Nullable Integer minReady;

    @Option(
        names = "--patience",
        paramLabel = "SECONDS",
        description = "How long a node may stay away before the rollout pauses. Default: 600.")
    @Nullable Integer patience;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, CommandOutput output) {
      return begin(api, output, body());
    }

    private ObjectNode body() {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      nodes.forEach(body.putArray("nodes")::add);
      put(body, "graceSeconds", grace);
      put(body, "minReadySeconds", minReady);
      put(body, "patienceSeconds", patience);
      return reason == null ? body : body.put("reason", reason);
    }

    private static void put(ObjectNode body, String name, @Nullable Integer value) {
      if (value != null) {
        body.put(name, value);
      }
    }
  }

  static int begin(ApiClient api, CommandOutput output, ObjectNode body) {
    JsonNode begun = api.post("/rollouts", body);
    if (output.json()) {
      output.json(begun);
    } else {
      String id = text(begun, "id");
      output.line("Rollout " + id + " has begun. Look: millrace rollout show " + id);
    }
    return ExitCodes.OK;
  }

  @Command(name = "list", description = "Lists the newest rollouts and recycles.")
  static final class ListAll extends ApiCommand {

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode all = api.get("/rollouts");
      if (output.json()) {
        output.json(all);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : all) {
        rows.add(
            List.of(
                text(one, "id"),
                text(one, "reason"),
                text(one, "phase"),
                text(one, "done") + "/" + one.path("nodes").size(),
                time(one, "started"),
                text(one, "why")));
      }
      output.table(List.of("ID", "REASON", "PHASE", "BACK", "STARTED", "WHY"), rows);
      return ExitCodes.OK;
    }
  }

  @Command(name = "show", description = "Shows how far a rollout is, and what holds it.")
  static final class Show extends ApiCommand {

    @Parameters(paramLabel = "ID", description = "See 'millrace rollout list'.")
    long id;

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode one = api.get("/rollouts/" + id);
      if (output.json()) {
        output.json(one);
        return ExitCodes.OK;
      }
      List<String> nodes = one.path("nodes").valueStream().map(JsonNode::asString).toList();
      output.line(
          "Rollout %s (%s) is %s: %s"
              .formatted(id, text(one, "reason"), text(one, "phase"), text(one, "why")));
      output.line("  asked for by %s at %s".formatted(text(one, "by"), time(one, "started")));
      output.line(
          "  %s of %s nodes are back: %s"
              .formatted(text(one, "done"), nodes.size(), String.join(", ", nodes)));
      if (one.path("current").isObject()) {
        current(api, output, one.path("current"));
      }
      return ExitCodes.OK;
    }

    private static void current(ApiClient api, CommandOutput output, JsonNode current) {
      boolean leaving = text(current, "stage").equals("leaving");
      String executor = text(current, "executorId");
      output.line(
          "  node %s: executor %s %s since %s"
              .formatted(
                  text(current, "node"),
                  executor,
                  leaving ? "leaves" : "is away",
                  time(current, "since")));
      if (leaving) {
        output.line(
            "  it holds %s instances, and ends them by %s"
                .formatted(text(current, "held"), time(current, "deadline")));
        for (JsonNode held : api.get("/executors/" + executor + "/holding?limit=10")) {
          output.line(
              "    %s  %s  %s  since %s"
                  .formatted(
                      text(held, "instanceId"),
                      text(held, "type"),
                      text(held, "state"),
                      time(held, "since")));
        }
      }
    }
  }

  /** An action on one rollout. */
  abstract static class RolloutAction extends ApiCommand {

    @Parameters(paramLabel = "ID", description = "See 'millrace rollout list'.")
    long id;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    private final String verb;
    private final String outcome;

    RolloutAction(String verb, String outcome) {
      this.verb = verb;
      this.outcome = outcome;
    }

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      api.post("/rollouts/" + id + "/" + verb, reason == null ? body : body.put("reason", reason));
      output.printConfirmation("Rollout " + id + " " + outcome);
      return ExitCodes.OK;
    }
  }

  @Command(name = "pause", description = "Has it drain no further node.")
  static final class Pause extends RolloutAction {
    Pause() {
      super("pause", "drains no further node; one that is being replaced still is.");
    }
  }

  @Command(name = "resume", description = "Has a paused rollout go on.")
  static final class Resume extends RolloutAction {
    Resume() {
      super("resume", "goes on.");
    }
  }

  @Command(name = "abort", description = "Ends a rollout.")
  static final class Abort extends RolloutAction {
    Abort() {
      super("abort", "ends; a node that is being replaced still is.");
    }
  }
}
