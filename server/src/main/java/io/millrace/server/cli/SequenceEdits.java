package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.text;
import static io.millrace.server.cli.Screen.time;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Workflows made of tasks from files. */
final class SequenceEdits {

  private static final String FILE =
      "The workflow as JSON, schema Sequence of the HTTP interface; - for the standard input.";

  private SequenceEdits() {}

  @Command(name = "add", description = "Adds a workflow made of tasks.")
  static final class Add extends Connection {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, Screen screen) {
      tell(screen, api.post("/sequences", Values.object(file, "workflowId")), "added");
      return ExitCode.OK;
    }
  }

  @Command(
      name = "change",
      description = "Changes a workflow to be as in the file; a changed schedule begins anew.")
  static final class Change extends Connection {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, Screen screen) {
      ObjectNode sequence = Values.object(file, "workflowId");
      String path = Paths.sequence(text(sequence, "workflowId"));
      String tag = text(api.get(path), "tag");
      tell(screen, api.put(path + "?tag=" + Paths.segment(tag), sequence), "changed");
      return ExitCode.OK;
    }
  }

  private static void tell(Screen screen, JsonNode detail, String what) {
    if (screen.json()) {
      screen.json(detail);
      return;
    }
    screen.line(
        "Workflow "
            + text(detail, "workflowId")
            + " is "
            + what
            + ". Next run "
            + time(detail, "nextRun")
            + ".");
    if (detail.path("problem").isString()) {
      screen.line("Warning: " + text(detail, "problem"));
    }
    detail
        .path("explanation")
        .path("warnings")
        .forEach(warning -> screen.line("Warning: " + warning.asString()));
  }
}
