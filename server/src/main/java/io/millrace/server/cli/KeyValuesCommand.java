package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace key-values}. */
@Command(
    name = "key-values",
    description = "Texts by group and key, which workflows and others share.",
    subcommands = {
      KeyValuesCommand.Groups.class,
      KeyValuesCommand.ListAll.class,
      KeyValuesCommand.Get.class,
      KeyValuesCommand.Put.class,
      KeyValuesCommand.Delete.class
    })
final class KeyValuesCommand {

  private KeyValuesCommand() {}

  /** A command on one value. */
  abstract static class ValueCommand extends ApiCommand {

    @Parameters(
        index = "0",
        paramLabel = "GROUP",
        description = "See 'millrace key-values groups'.")
    String group = "";

    @Parameters(index = "1", paramLabel = "KEY", description = "The value's key.")
    String name = "";

    final String path() {
      return "/key-values/value?group="
          + ApiPaths.segment(group)
          + "&key="
          + ApiPaths.segment(name);
    }

    final String shown() {
      return "Key '" + name + "' in group '" + group + "'";
    }
  }

  private static Map<String, String> ifVersion(@Nullable Long version) {
    return version == null ? Map.of() : Map.of("If-Match", "\"" + version + "\"");
  }

  @Command(name = "groups", description = "Lists groups that have values.")
  static final class Groups extends NameListCommand {
    @Override
    String path() {
      return "/key-values/groups";
    }
  }

  @Command(name = "list", description = "Lists the values of a group, the last modified first.")
  static final class ListAll extends ApiCommand {

    @Parameters(paramLabel = "GROUP", description = "See 'millrace key-values groups'.")
    String group = "";

    @Option(
        names = "--status",
        paramLabel = "STATUS",
        description = "Unknown, InProgress, Warning, Error or Success; may be repeated.")
    List<String> statuses = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", description = "Default: 50.")
    int limit = 50;

    @Option(names = "--cursor", paramLabel = "TEXT", description = "From the page before.")
    @Nullable String cursor;

    @Override
    int run(ApiClient api, CommandOutput output) {
      StringBuilder path =
          new StringBuilder("/key-values?group=" + ApiPaths.segment(group) + "&limit=" + limit);
      statuses.forEach(one -> path.append("&status=").append(ApiPaths.segment(one)));
      if (cursor != null) {
        path.append("&cursor=").append(ApiPaths.segment(cursor));
      }
      JsonNode page = api.get(path.toString());
      if (output.json()) {
        output.json(page);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode one : page.path("items")) {
        rows.add(
            List.of(
                text(one, "key"),
                text(one, "value"),
                text(one, "status"),
                text(one, "version"),
                time(one, "modified"),
                time(one, "expires")));
      }
      output.table(List.of("KEY", "VALUE", "STATUS", "VERSION", "MODIFIED", "EXPIRES"), rows);
      if (page.path("next").isString()) {
        output.line("There are more: add --cursor " + text(page, "next"));
      }
      return ExitCodes.OK;
    }
  }

  @Command(name = "get", description = "Prints a value; with --json its version and times as well.")
  static final class Get extends ValueCommand {
    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode one = api.get(path());
      if (output.json()) {
        output.json(one);
      } else {
        output.line(text(one, "value"));
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "set",
      description = "Writes a value, over the one that is there unless told not.")
  static final class Put extends ValueCommand {

    @Parameters(index = "2", paramLabel = "VALUE", description = "The text; @FILE reads a file.")
    String value = "";

    @ArgGroup @Nullable Condition condition;

    @Option(
        names = "--status",
        paramLabel = "STATUS",
        description = "Unknown, InProgress, Warning, Error or Success; for people only.")
    @Nullable String status;

    @Option(
        names = "--expires-after",
        paramLabel = "SECONDS",
        description = "Default: it stays for ever.")
    @Nullable Long seconds;

    /** The condition of a change; at most one of the two. */
    static final class Condition {
      @Option(names = "--if-absent", description = "Only when there is none.")
      boolean absent;

      @Option(
          names = "--if-version",
          paramLabel = "N",
          description = "Only while it has this version; see --json.")
      @Nullable Long version;
    }

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = ApiClient.JSON.createObjectNode();
      body.put("value", JsonArguments.text("VALUE", value));
      if (status != null) {
        body.put("status", status);
      }
      if (seconds != null) {
        body.put("expiresAfterSeconds", seconds);
      }
      JsonNode written = api.put(path(), body, headers());
      if (output.json()) {
        output.json(written);
      } else {
        output.line(shown() + " has version " + text(written, "version") + " now.");
      }
      return ExitCodes.OK;
    }

    private Map<String, String> headers() {
      if (condition == null) {
        return Map.of();
      }
      return condition.absent ? Map.of("If-None-Match", "*") : ifVersion(condition.version);
    }
  }

  @Command(name = "delete", description = "Deletes a value.")
  static final class Delete extends ValueCommand {

    @Option(
        names = "--if-version",
        paramLabel = "N",
        description = "Only while it has this version.")
    @Nullable Long version;

    @Override
    int run(ApiClient api, CommandOutput output) {
      api.delete(path(), ifVersion(version));
      output.printConfirmation(shown() + " is deleted.");
      return ExitCodes.OK;
    }
  }
}
