package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;
import static io.millrace.server.cli.CommandOutput.time;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The commands that create and change task sequences from files. */
final class SequenceEditCommands {

  private static final String FILE =
      "The sequence as JSON, schema Sequence of the HTTP interface; - for the standard input.";

  private SequenceEditCommands() {}

  @Command(name = "add", description = "Adds a task sequence.")
  static final class Add extends ApiCommand {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      tell(output, api.post("/sequences", JsonArguments.object(file, "sequenceId")), "added");
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "change",
      description = "Changes a sequence to be as in the file; a changed schedule restarts.")
  static final class Change extends ApiCommand {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode sequence = JsonArguments.object(file, "sequenceId");
      String path = ApiPaths.sequence(text(sequence, "sequenceId"));
      String tag = text(api.get(path), "tag");
      tell(output, api.put(path + "?tag=" + ApiPaths.segment(tag), sequence), "changed");
      return ExitCodes.OK;
    }
  }

  private static void tell(CommandOutput output, JsonNode detail, String what) {
    if (output.json()) {
      output.json(detail);
      return;
    }
    output.line(
        "Sequence "
            + text(detail, "sequenceId")
            + " is "
            + what
            + ". Next run "
            + time(detail, "nextRun")
            + ".");
    if (detail.path("problem").isString()) {
      output.line("Warning: " + text(detail, "problem"));
    }
    detail
        .path("explanation")
        .path("warnings")
        .forEach(warning -> output.line("Warning: " + warning.asString()));
  }
}
