package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace recycle}. */
@Command(
    name = "recycle",
    description = "Shows and controls the automatic restarts of nodes.",
    subcommands = {
      RecycleCommand.Policy.class,
      RecycleCommand.Change.class,
      RecycleCommand.Now.class
    })
final class RecycleCommand {

  private RecycleCommand() {}

  @Command(name = "policy", description = "Shows the restart policy, and the next restarts.")
  static final class Policy extends ApiCommand {

    @Override
    int run(ApiClient api, CommandOutput output) {
      show(output, api.get("/recycle-policy"));
      return ExitCodes.OK;
    }
  }

  private static void show(CommandOutput output, JsonNode policy) {
    if (output.json()) {
      output.json(policy);
      return;
    }
    output.line(
        "Recycles are %s; %s."
            .formatted(
                policy.path("enabled").asBoolean() ? "on" : "off",
                policy.path("changed").isNull()
                    ? "as the configuration says"
                    : "set at " + time(policy, "changed")));
    output.line(
        "  daily from %s %s, spread over %s seconds"
            .formatted(text(policy, "at"), text(policy, "zone"), text(policy, "windowSeconds")));
    output.line("  at an age of " + text(policy, "maxAgeSeconds") + " seconds");
    output.line("  when " + text(policy, "memoryPercent") + " percent of the heap stay full");
    output.line(
        "  next: %s, that is %s".formatted(text(policy, "nextLocal"), time(policy, "nextUtc")));
  }

  @Command(
      name = "set",
      description = "Changes what is given, for all nodes of the group, and leaves the rest.")
  static final class Change extends ApiCommand {

    @Option(names = "--on", description = "Nodes restart automatically.")
    boolean on;

    @Option(names = "--off", description = "They do not.")
    boolean off;

    @Option(names = "--at", paramLabel = "TIME", description = "From when on, such as 04:30.")
    @Nullable String at;

    @Option(names = "--zone", paramLabel = "ZONE", description = "Such as Europe/Berlin.")
    @Nullable String zone;

    @Option(
        names = "--window",
        paramLabel = "SECONDS",
        description = "Over which the nodes are spread.")
    @Nullable Integer window;

    @Option(
        names = "--max-age",
        paramLabel = "SECONDS",
        description = "An older process restarts at any time; 0 for never.")
    @Nullable Integer maxAge;

    @Option(
        names = "--memory",
        paramLabel = "PERCENT",
        description = "So does one whose heap stays as full; 0 for never.")
    @Nullable Integer memory;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, CommandOutput output) {
      if (on && off) {
        throw new CliException(ExitCodes.USAGE, "Give --on or --off, not both.");
      }
      ObjectNode body = (ObjectNode) api.get("/recycle-policy");
      body.remove(List.of("changed", "nextUtc", "nextLocal"));
      if (on || off) {
        body.put("enabled", on);
      }
      if (at != null) {
        body.put("at", at);
      }
      if (zone != null) {
        body.put("zone", zone);
      }
      if (window != null) {
        body.put("windowSeconds", window);
      }
      putOrNever(body, "maxAgeSeconds", maxAge);
      putOrNever(body, "memoryPercent", memory);
      if (reason != null) {
        body.put("reason", reason);
      }
      show(output, api.put("/recycle-policy", body));
      return ExitCodes.OK;
    }

    private static void putOrNever(ObjectNode body, String name, @Nullable Integer value) {
      if (value != null && value == 0) {
        body.putNull(name);
      } else if (value != null) {
        body.put(name, value);
      }
    }
  }

  @Command(name = "now", description = "Restarts nodes now, one after another.")
  static final class Now extends ApiCommand {

    @Parameters(
        paramLabel = "NODE",
        arity = "0..*",
        description = "Names of nodes. Default: all that are at work.")
    List<String> nodes = List.of();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = ApiClient.JSON.createObjectNode().put("recycle", true);
      nodes.forEach(body.putArray("nodes")::add);
      return RolloutCommand.begin(api, output, reason == null ? body : body.put("reason", reason));
    }
  }
}
