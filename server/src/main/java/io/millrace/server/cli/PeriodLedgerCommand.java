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

/** {@code millrace ledger}. */
@Command(
    name = "ledger",
    description =
        "The period ledger: which periods were done, by which owner, and why others were not.",
    subcommands = {
      PeriodLedgerCommand.Schedules.class,
      PeriodLedgerCommand.ListAll.class,
      PeriodLedgerCommand.Explain.class
    })
final class PeriodLedgerCommand {

  private PeriodLedgerCommand() {}

  @Command(name = "schedules", description = "Lists what has entries in the ledger.")
  static final class Schedules extends NameListCommand {
    @Override
    String path() {
      return "/ledger/schedules";
    }
  }

  @Command(
      name = "list",
      description = "Lists the periods of a schedule that were claimed or missed, the last first.")
  static final class ListAll extends ApiCommand {

    @Parameters(paramLabel = "SCHEDULE", description = "See 'millrace ledger schedules'.")
    String schedule = "";

    @Option(names = "--from", paramLabel = "PERIOD", description = "The first, as in 2026-11-01.")
    @Nullable String from;

    @Option(names = "--to", paramLabel = "PERIOD", description = "The last.")
    @Nullable String to;

    @Option(
        names = "--state",
        paramLabel = "STATE",
        description = "claimed, running, succeeded, failed, released or missed; may be repeated.")
    List<String> states = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
    int limit = 50;

    @Option(names = "--cursor", paramLabel = "TEXT", description = "From the page before.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      StringBuilder path =
          new StringBuilder("/ledger?schedule=" + ApiPaths.segment(schedule) + "&limit=" + limit);
      append(path, "from", from);
      append(path, "to", to);
      states.forEach(one -> append(path, "state", one));
      append(path, "cursor", cursor);
      JsonNode page = api.get(path.toString());
      if (output.json()) {
        output.json(page);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : page.path("items")) {
        rows.add(
            List.of(
                text(one, "period"),
                text(one, "state"),
                text(one, "attempt"),
                text(one, "holder"),
                text(one, "executionId"),
                time(one, "ended")));
        if (one.path("reason").isString()) {
          rows.add(List.of(text(one, "reason")));
        }
      }
      output.table(List.of("PERIOD", "STATE", "ATTEMPT", "HOLDER", "INSTANCE", "ENDED"), rows);
      if (page.path("next").isString()) {
        output.line("There are more: add --cursor " + text(page, "next"));
      }
      return ExitCodes.OK;
    }

    private static void append(StringBuilder path, String name, @Nullable String value) {
      if (value != null) {
        path.append('&').append(name).append('=').append(ApiPaths.segment(value));
      }
    }
  }

  @Command(name = "explain", description = "Tells what has become of one period, and why.")
  static final class Explain extends ApiCommand {

    @Parameters(
        index = "0",
        paramLabel = "SCHEDULE",
        description = "See 'millrace ledger schedules'.")
    String schedule = "";

    @Parameters(index = "1", paramLabel = "PERIOD", description = "Its key, as in 2026-11-22.")
    String period = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode one =
          api.get(
              "/ledger/period?schedule="
                  + ApiPaths.segment(schedule)
                  + "&period="
                  + ApiPaths.segment(period));
      if (output.json()) {
        output.json(one);
      } else {
        output.line(schedule + " in " + period + " " + sentence(one));
      }
      return ExitCodes.OK;
    }

    private static String sentence(JsonNode one) {
      String ended = " at " + time(one, "ended");
      String reason = one.path("reason").isString() ? ": " + text(one, "reason") : "";
      return switch (text(one, "state")) {
            case "claimed" -> "is claimed since " + time(one, "claimed") + by(one) + free(one);
            case "running" -> "runs since " + time(one, "claimed") + by(one) + free(one);
            case "succeeded" -> "was done" + ended + by(one);
            case "failed" ->
                "has failed" + ended + by(one) + ", in attempt " + text(one, "attempt") + reason;
            case "released" ->
                "was released" + ended + by(one) + reason + "; the next claim gets it";
            case "missed" -> "was missed" + reason;
            default -> "is " + text(one, "state") + by(one) + reason;
          }
          + (reason.endsWith(".") ? "" : ".");
    }

    private static String by(JsonNode one) {
      return one.path("executionId").isNumber()
          ? " by instance " + text(one, "executionId")
          : " by " + text(one, "holder");
    }

    private static String free(JsonNode one) {
      return one.path("leaseUntil").isString()
          ? "; others may claim it at " + time(one, "leaseUntil")
          : "";
    }
  }
}
