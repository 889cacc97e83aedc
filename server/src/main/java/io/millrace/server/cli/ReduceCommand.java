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

/** {@code millrace reduce}. */
@Command(
    name = "reduce",
    description = "Groups of records of which only new and changed ones are passed on.",
    subcommands = {
      ReduceCommand.Groups.class,
      ReduceCommand.Why.class,
      ReduceCommand.Reset.class,
      ReduceCommand.Forget.class,
      ReduceCommand.ReduceDryRun.class
    })
final class ReduceCommand {

  private static final String PATH = "/reduce-groups";

  private ReduceCommand() {}

  @Command(name = "groups", description = "Lists groups of records by name.")
  static final class Groups extends ApiCommand {

    @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
    int limit = 50;

    @Option(
        names = "--after",
        paramLabel = "NAME",
        description = "The last name of the page before.")
    @Nullable String after;

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode groups =
          api.get(
              PATH
                  + "?limit="
                  + limit
                  + (after == null ? "" : "&after=" + ApiPaths.segment(after)));
      if (output.json()) {
        output.json(groups);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : groups) {
        rows.add(
            List.of(
                text(one, "name"),
                text(one, "committed"),
                text(one, "pending"),
                text(one, "generation"),
                time(one, "modified")));
      }
      output.table(List.of("GROUP", "COMMITTED", "PENDING", "GENERATION", "MODIFIED"), rows);
      if (rows.size() == limit) {
        output.line("There may be more: add --after " + rows.getLast().getFirst());
      }
      return ExitCodes.OK;
    }
  }

  /** A command on one group. */
  abstract static class GroupCommand extends ApiCommand {

    @Parameters(index = "0", paramLabel = "GROUP", description = "See 'millrace reduce groups'.")
    String group = "";

    final ObjectNode body() {
      return ApiClient.JSON.createObjectNode().put("group", group);
    }
  }

  @Command(name = "why", description = "Tells why a record is passed over, or is not.")
  static final class Why extends GroupCommand {

    @Parameters(index = "1", paramLabel = "KEY", description = "The record's key, or its token.")
    String name = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode record =
          api.get(
              PATH + "/record?group=" + ApiPaths.segment(group) + "&key=" + ApiPaths.segment(name));
      if (output.json()) {
        output.json(record);
        return ExitCodes.OK;
      }
      output.line(name + " is " + text(record, "state") + ". " + text(record, "why"));
      output.table(
          List.of("COMMITTED", "INSTANCE", "RESERVED BY", "RESERVED UNTIL", "GENERATION"),
          List.of(
              List.of(
                  time(record, "committed"),
                  text(record, "executionId"),
                  text(record, "reservedBy"),
                  time(record, "reservedUntil"),
                  text(record, "generation"))));
      return ExitCodes.OK;
    }
  }

  @Command(name = "reset", description = "Forgets all records, so that each counts as new.")
  static final class Reset extends GroupCommand {

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = body();
      JsonNode done = api.post(PATH + "/reset", reason == null ? body : body.put("reason", reason));
      if (output.json()) {
        output.json(done);
      } else {
        output.line(
            group + " is in generation " + text(done, "generation") + ": every record is new.");
      }
      return ExitCodes.OK;
    }
  }

  @Command(name = "forget", description = "Forgets some records, so that they count as new.")
  static final class Forget extends GroupCommand {

    @Parameters(
        index = "1..*",
        arity = "1..*",
        paramLabel = "KEY",
        description = "Keys of records, or their tokens.")
    List<String> keys = new ArrayList<>();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = body();
      keys.forEach(body.putArray("keys")::add);
      JsonNode done =
          api.post(PATH + "/forget", reason == null ? body : body.put("reason", reason));
      if (output.json()) {
        output.json(done);
      } else {
        output.line(text(done, "forgotten") + " of " + keys.size() + " are forgotten.");
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "dry-run",
      description = "Tells what would be passed on of records. Nothing is written.")
  static final class ReduceDryRun extends GroupCommand {

    @Parameters(
        index = "1",
        paramLabel = "FILE",
        description = "A JSON array of records; - for the standard input.")
    String file = "";

    @Option(
        names = "--id",
        paramLabel = "PATH",
        description = "Of a record's key, as in /id. Default: records are told apart by content.")
    @Nullable String path;

    @Option(names = "--ignore", paramLabel = "PATH", description = "Does not count; repeatable.")
    List<String> ignored = new ArrayList<>();

    @Option(names = "--only", paramLabel = "PATH", description = "Alone counts; repeatable.")
    List<String> only = new ArrayList<>();

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = body();
      if (path != null) {
        body.put("key", path);
      }
      ignored.forEach(body.putArray("ignore")::add);
      only.forEach(body.putArray("only")::add);
      body.set("document", JsonArguments.file(file));
      JsonNode seen = api.post(PATH + "/dry-run", body);
      if (output.json()) {
        output.json(seen);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (String kind : List.of("new", "changed", "unchanged", "reserved")) {
        JsonNode of = seen.path(kind);
        JsonNode first = of.path("first").path(0);
        rows.add(List.of(kind, text(of, "count"), first.isMissingNode() ? "-" : first.toString()));
      }
      output.table(List.of("WOULD BE", "RECORDS", "THE FIRST"), rows);
      for (JsonNode fault : seen.path("faults")) {
        output.line(text(fault, "message"));
      }
      return ExitCodes.OK;
    }
  }
}
