package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace channels}. */
@Command(
    name = "channels",
    description = "The channels over which messages to tasks come.",
    subcommands = {
      ChannelsCommand.ListAll.class,
      ChannelsCommand.DeadLetters.class,
      ChannelsCommand.Requeue.class
    })
final class ChannelsCommand {

  private ChannelsCommand() {}

  @Command(name = "list", description = "Lists the channels of all tasks and their queues.")
  static final class ListAll extends ApiCommand {

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode answer = api.get("/channels");
      if (output.json()) {
        output.json(answer);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode c : answer.path("channels")) {
        List<String> tasks = new ArrayList<>();
        c.path("tasks").forEach(task -> tasks.add(task.asString()));
        rows.add(
            List.of(
                text(c, "channel"),
                text(c, "ready"),
                text(c, "consumers"),
                text(c, "deadLetters"),
                String.join(", ", tasks)));
      }
      output.line("Messages go by " + text(answer, "transport") + ".");
      if (answer.path("problem").isString()) {
        output.line(text(answer, "problem"));
      }
      output.table(List.of("CHANNEL", "READY", "CONSUMERS", "DEAD", "TASKS"), rows);
      return ExitCodes.OK;
    }
  }

  private static String path(String channel) {
    return "/channels/" + ApiPaths.segment(channel);
  }

  @Command(
      name = "dead-letters",
      description = "Shows the oldest messages that could not be used; they stay where they are.")
  static final class DeadLetters extends ApiCommand {

    @Parameters(paramLabel = "CHANNEL")
    String channel = "";

    @Option(names = "--limit", defaultValue = "50", description = "1 to 100. Default: 50.")
    int limit;

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode letters = api.get(path(channel) + "/dead-letters?limit=" + limit);
      if (output.json()) {
        output.json(letters);
        return ExitCodes.OK;
      }
      for (JsonNode letter : letters) {
        output.line(text(letter, "id") + "  " + text(letter, "reason"));
        output.line("    " + text(letter, "body").replace('\n', ' '));
      }
      if (letters.isEmpty()) {
        output.line("There are none.");
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "requeue",
      description = "Moves the oldest dead letters of a channel back into it.")
  static final class Requeue extends ApiCommand {

    @Parameters(paramLabel = "CHANNEL")
    String channel = "";

    @Option(
        names = "--limit",
        required = true,
        paramLabel = "N",
        description = "Most messages, 1 to 10000.")
    int limit;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Written into the audit.")
    @Nullable String reason;

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode body = ApiClient.JSON.createObjectNode().put("limit", limit);
      if (reason != null) {
        body.put("reason", reason);
      }
      JsonNode moved = api.post(path(channel) + "/requeue", body);
      if (output.json()) {
        output.json(moved);
      } else {
        output.line("Moved " + text(moved, "moved") + " messages back into " + channel + ".");
      }
      return ExitCodes.OK;
    }
  }
}
