package io.millrace.server.cli;

import static io.millrace.server.cli.CommandOutput.text;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace tasks}. */
@Command(
    name = "tasks",
    description = "The tasks that sequences can be made of.",
    subcommands = {
      TasksCommand.ListAll.class,
      TasksCommand.Show.class,
      TasksCommand.Add.class,
      TasksCommand.Change.class,
      TasksCommand.Remove.class
    })
final class TasksCommand {

  private static final String FILE =
      "The task as JSON, schema Task of the HTTP interface; - for the standard input.";

  private TasksCommand() {}

  private static String path(String name) {
    return "/tasks/" + ApiPaths.segment(name);
  }

  @Command(name = "list", description = "Lists all tasks.")
  static final class ListAll extends ApiCommand {

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode tasks = api.get("/tasks");
      if (output.json()) {
        output.json(tasks);
        return ExitCodes.OK;
      }
      List<List<String>> rows = new ArrayList<>();
      for (JsonNode t : tasks) {
        rows.add(
            List.of(
                text(t, "name"),
                text(t, "type"),
                t.path("runnable").asBoolean() ? "yes" : "no",
                text(t, "channel")));
      }
      output.table(List.of("NAME", "TYPE", "RUNNABLE", "CHANNEL"), rows);
      return ExitCodes.OK;
    }
  }

  @Command(name = "show", description = "Shows one task.")
  static final class Show extends ApiCommand {

    @Parameters(paramLabel = "NAME", description = "The task.")
    String name = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      JsonNode task = api.get(path(name));
      if (output.json()) {
        output.json(task);
        return ExitCodes.OK;
      }
      output.line(
          text(task, "name") + " of type " + text(task, "type") + ", number " + text(task, "id"));
      if (task.path("problem").isString()) {
        output.line("This server cannot run it. " + text(task, "problem"));
      }
      output.line("Component  " + text(task, "component"));
      output.line(
          "Channel    "
              + text(task, "channel")
              + (task.path("sharesChannel").asBoolean() ? ", shared" : ""));
      output.line(
          "Retries    "
              + given(task, "maxRetries", "as the server is set")
              + ", first after "
              + given(task, "firstRetryDelayMs", "the server's delay"));
      output.line("Timeout    " + given(task, "timeoutMs", "none"));
      output.line("Parameters " + text(task, "parameters"));
      return ExitCodes.OK;
    }

    private static String given(JsonNode task, String field, String otherwise) {
      return task.path(field).isNumber()
          ? text(task, field) + (field.endsWith("Ms") ? " ms" : "")
          : otherwise;
    }
  }

  @Command(name = "add", description = "Registers a task.")
  static final class Add extends ApiCommand {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      tell(output, api.post("/tasks", JsonArguments.object(file, "name")), "added");
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "change",
      description =
          "Changes a task to be as in the file, from the next execution of each sequence.")
  static final class Change extends ApiCommand {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      ObjectNode task = JsonArguments.object(file, "name");
      String path = path(text(task, "name"));
      String revision = text(api.get(path), "revision");
      tell(output, api.put(path + "?revision=" + ApiPaths.segment(revision), task), "changed");
      return ExitCodes.OK;
    }
  }

  private static void tell(CommandOutput output, JsonNode task, String what) {
    if (output.json()) {
      output.json(task);
      return;
    }
    output.line(
        "Task " + text(task, "name") + " is " + what + ", number " + text(task, "id") + ".");
    if (task.path("problem").isString()) {
      output.line("This server cannot run it. " + text(task, "problem"));
    }
  }

  @Command(name = "remove", description = "Removes a task that no sequence has.")
  static final class Remove extends ApiCommand {

    @Parameters(paramLabel = "NAME", description = "The task.")
    String name = "";

    @Override
    int run(ApiClient api, CommandOutput output) {
      api.delete(path(name));
      output.printConfirmation("Task " + name + " is removed.");
      return ExitCodes.OK;
    }
  }
}
