package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.reason;
import static io.millrace.server.cli.Screen.text;
import static io.millrace.server.cli.Screen.time;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace always-on}. */
@Command(
    name = "always-on",
    description = "Continuous workflows: what they do, and what they shall do.",
    subcommands = {
      AlwaysOnCommand.All.class,
      AlwaysOnCommand.Show.class,
      AlwaysOnDeeds.On.class,
      AlwaysOnDeeds.Off.class,
      AlwaysOnDeeds.Restart.class,
      AlwaysOnDeeds.Continue.class,
      AlwaysOnDeeds.Move.class,
      AlwaysOnDeeds.Run.class,
      AlwaysOnDeeds.Offer.class
    })
final class AlwaysOnCommand {

  private AlwaysOnCommand() {}

  static String path(String name) {
    return "/always-on/" + Paths.segment(name);
  }

  @Command(name = "list", description = "Lists continuous workflows by name.")
  static final class All extends Connection {

    @Option(names = "--text", paramLabel = "TEXT", description = "Part of the name.")
    @Nullable String text;

    @Option(names = "--troubled", description = "Only those that shall run and do not, or fail.")
    boolean troubled;

    @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
    int limit = 50;

    @Option(
        names = "--after",
        paramLabel = "NAME",
        description = "The last name of the page before.")
    @Nullable String after;

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode page =
          api.get(
              "/always-on?limit="
                  + limit
                  + (text == null ? "" : "&text=" + Paths.segment(text))
                  + (troubled ? "&troubled=true" : "")
                  + (after == null ? "" : "&after=" + Paths.segment(after)));
      if (screen.json()) {
        screen.json(page);
        return ExitCode.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : page.path("items")) {
        rows.add(row(one));
        if (one.path("trouble").path("error").isString()) {
          rows.add(List.of(text(one.path("trouble"), "error")));
        }
      }
      screen.table(List.of("NAME", "STATE", "EXECUTOR", "RUN", "FIRES", "LAST FIRE"), rows);
      if (page.path("next").isString()) {
        screen.line("There are more: add --after " + text(page, "next"));
      }
      return ExitCode.OK;
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
  static final class Show extends Connection {

    @Parameters(paramLabel = "NAME", description = "See 'millrace always-on list'.")
    String name = "";

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode detail = api.get(path(name));
      JsonNode events = api.get(path(name) + "/events?limit=20");
      if (screen.json()) {
        ObjectNode both = ApiClient.JSON.createObjectNode();
        both.set("detail", detail);
        both.set("events", events);
        screen.json(both);
        return ExitCode.OK;
      }
      JsonNode one = detail.path("workflow");
      screen.line(text(one, "name") + " is " + text(one, "state") + ".");
      JsonNode run = one.path("run");
      if (run.isObject()) {
        screen.line(
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
        screen.line("It is not continued now: " + unmet.asString() + ".");
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
      screen.table(List.of("AT", "WHAT", "REASON", "EXECUTOR", "DETAIL"), rows);
      return ExitCode.OK;
    }
  }
}
