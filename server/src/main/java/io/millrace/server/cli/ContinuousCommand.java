package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.reason;
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

/** {@code millrace continuous}. */
@Command(
    name = "continuous",
    description = "Shows and controls continuous workflows.",
    subcommands = {
      ContinuousCommand.ListAll.class,
      ContinuousCommand.Show.class,
      ContinuousActionCommands.On.class,
      ContinuousActionCommands.Off.class,
      ContinuousActionCommands.Restart.class,
      ContinuousActionCommands.Continue.class,
      ContinuousActionCommands.Move.class,
      ContinuousActionCommands.Run.class,
      ContinuousActionCommands.Offer.class
    })
final class ContinuousCommand {

  private ContinuousCommand() {}

  static String path(String name) {
    return "/continuous-workflows/" + ApiPaths.segment(name);
  }

  @Command(name = "list", description = "Lists continuous workflows by name.")
  static final class ListAll extends ApiCommand {

    @Option(names = "--text", paramLabel = "TEXT", description = "Part of the name.")
    @Nullable String text;

    @Option(names = "--troubled", description = "Only enabled ones that do not run, or fail.")
    boolean troubled;

    @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
    int limit = 50;

    @Option(
        names = "--after",
        paramLabel = "NAME",
        description = "The last name of the page before.")
    @Nullable String after;

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode page =
          api.get(
              "/continuous-workflows?limit="
                  + limit
                  + (text == null ? "" : "&text=" + ApiPaths.segment(text))
                  + (troubled ? "&troubled=true" : "")
                  + (after == null ? "" : "&after=" + ApiPaths.segment(after)));
      if (output.json()) {
        output.json(page);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : page.path("items")) {
        rows.add(row(one));
        if (one.path("trouble").path("error").isString()) {
          rows.add(List.of(text(one.path("trouble"), "error")));
        }
      }
      output.table(List.of("NAME", "STATE", "EXECUTOR", "RUN", "FIRES", "LAST FIRE"), rows);
      if (page.path("next").isString()) {
        output.line("There are more: add --after " + text(page, "next"));
      }
      return ExitCodes.OK;
    }

    private static List<String> row(JsonNode one) {
      JsonNode run = one.path("run");
      return List.of(
          text(one, "name"),
          text(one, "state"),
          text(one, "executorId"),
          run.isObject() ? text(run, "chain") + "/" + text(run, "generation") : "-",
          text(one.path("work"), "fires"),
          text(one.path("work"), "lastFire"));
    }
  }

  @Command(
      name = "show",
      description = "Shows what a continuous workflow does, and what has happened to it.")
  static final class Show extends ApiCommand {

    @Parameters(paramLabel = "NAME", description = "See 'millrace continuous list'.")
    String name = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode detail = api.get(path(name));
      JsonNode events = api.get(path(name) + "/events?limit=20");
      if (output.json()) {
        ObjectNode both = ApiClient.JSON.createObjectNode();
        both.set("detail", detail);
        both.set("events", events);
        output.json(both);
        return ExitCodes.OK;
      }
      JsonNode one = detail.path("workflow");
      output.line(text(one, "name") + " is " + text(one, "state") + ".");
      JsonNode run = one.path("run");
      if (run.isObject()) {
        output.line(
            "Run "
                + text(run, "chain")
                + "/"
                + text(run, "generation")
                + " began at "
                + time(run, "started")
                + ": "
                + text(run, "mode")
                + ", "
                + text(run, "reason")
                + ".");
      }
      for (JsonNode unmet : detail.path("unmet")) {
        output.line("It is not continued now: " + unmet.asString() + ".");
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode event : events) {
        rows.add(
            List.of(
                time(event, "at"),
                text(event, "type"),
                reason(event, "reason"),
                text(event, "executorId"),
                text(event, "detail")));
      }
      output.table(List.of("AT", "WHAT", "REASON", "EXECUTOR", "DETAIL"), rows);
      return ExitCodes.OK;
    }
  }
}
