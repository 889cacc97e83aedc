package io.millrace.server.cli;

import static io.millrace.server.cli.Screen.text;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code millrace tasks}. */
@Command(
    name = "tasks",
    description = "The tasks that workflows can be made of.",
    subcommands = {
      TasksCommand.All.class,
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
    return "/tasks/" + Paths.segment(name);
  }

  @Command(name = "list", description = "Lists all tasks.")
  static final class All extends Connection {

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode tasks = api.get("/tasks");
      if (screen.json()) {
        screen.json(tasks);
        return ExitCode.OK;
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
      screen.table(List.of("NAME", "TYPE", "RUNNABLE", "CHANNEL"), rows);
      return ExitCode.OK;
    }
  }

  @Command(name = "show", description = "Shows one task.")
  static final class Show extends Connection {

    @Parameters(paramLabel = "NAME", description = "The task.")
    String name = "";

    @Override
    int run(ApiClient api, Screen screen) {
      JsonNode task = api.get(path(name));
      if (screen.json()) {
        screen.json(task);
        return ExitCode.OK;
      }
      screen.line(
          text(task, "name") + " of type " + text(task, "type") + ", number " + text(task, "id"));
      if (task.path("problem").isString()) {
        screen.line("This server cannot run it. " + text(task, "problem"));
      }
      screen.line("Component  " + text(task, "component"));
      screen.line(
          "Channel    "
              + text(task, "channel")
              + (task.path("sharesChannel").asBoolean() ? ", shared" : ""));
      screen.line(
          "Retries    "
              + given(task, "maxRetries", "as the server is set")
              + ", first after "
              + given(task, "firstRetryDelayMs", "the server's delay"));
      screen.line("Timeout    " + given(task, "timeoutMs", "none"));
      screen.line("Parameters " + text(task, "parameters"));
      return ExitCode.OK;
    }

    private static String given(JsonNode task, String field, String otherwise) {
      return task.path(field).isNumber()
          ? text(task, field) + (field.endsWith("Ms") ? " ms" : "")
          : otherwise;
    }
  }

  @Command(name = "add", description = "Registers a task.")
  static final class Add extends Connection {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, Screen screen) {
      tell(screen, api.post("/tasks", Values.object(file, "name")), "added");
      return ExitCode.OK;
    }
  }

  @Command(
      name = "change",
      description =
          "Changes a task to be as in the file, from the next execution of each workflow.")
  static final class Change extends Connection {

    @Parameters(paramLabel = "FILE", description = FILE)
    String file = "";

    @Override
    int run(ApiClient api, Screen screen) {
      ObjectNode task = Values.object(file, "name");
      String path = path(text(task, "name"));
      String revision = text(api.get(path), "revision");
      tell(screen, api.put(path + "?revision=" + Paths.segment(revision), task), "changed");
      return ExitCode.OK;
    }
  }

  private static void tell(Screen screen, JsonNode task, String what) {
    if (screen.json()) {
      screen.json(task);
      return;
    }
    screen.line(
        "Task " + text(task, "name") + " is " + what + ", number " + text(task, "id") + ".");
    if (task.path("problem").isString()) {
      screen.line("This server cannot run it. " + text(task, "problem"));
    }
  }

  @Command(name = "remove", description = "Removes a task that no workflow has.")
  static final class Remove extends Connection {

    @Parameters(paramLabel = "NAME", description = "The task.")
    String name = "";

    @Override
    int run(ApiClient api, Screen screen) {
      api.delete(path(name));
      screen.done("Task " + name + " is removed.");
      return ExitCode.OK;
    }
  }
}
