package io.millrace.server.api;

import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.Task;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Json;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.SecretNames;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The tasks that sequences can be made of, and their types. */
final class Tasks {

  private final Sequences sequences;
  private final SecretNames secretNames;

  Tasks(Sources sources) {
    this.secretNames = sources.secretNames();
    this.sequences = sources.engine().sequences();
  }

  /** Schema RegisteredTask. */
  record TaskView(
      int id,
      int revision,
      String name,
      String type,
      @Nullable String channel,
      String component,
      @Nullable Integer maxRetries,
      @Nullable Long firstRetryDelayMs,
      @Nullable Long timeoutMs,
      boolean sharesChannel,
      int dependency,
      String parameters,
      boolean runnable,
      @Nullable String problem) {

    static TaskView of(
        RegisteredTask registered, @Nullable String problem, SecretNames secretNames) {
      Task task = registered.task();
      return new TaskView(
          registered.id(),
          registered.revision(),
          task.name(),
          task.type(),
          task.channel(),
          task.component(),
          task.options().maxRetries(),
          task.options().firstRetryDelay(),
          task.options().timeout(),
          task.options().sharesChannel(),
          task.options().dependency(),
          secretNames.mask(Json.write(task.options().parameters())),
          problem == null,
          problem);
    }
  }

  Answer types(Call call) {
    return Answer.json(sequences.tasks().types());
  }

  Answer list(Call call) {
    return Answer.json(
        sequences.tasks().list().stream()
            .map(this::view)
            .sorted(Comparator.comparingInt(TaskView::dependency).thenComparing(TaskView::name))
            .toList());
  }

  Answer get(Call call) {
    return Answer.json(view(named(call)));
  }

  /** The task whose name is in the path. */
  RegisteredTask named(Call call) {
    String name = call.path("name", Filters.NAME);
    return sequences
        .tasks()
        .find(name)
        .orElseThrow(() ->
            ProblemException.notFound(
                "There is no task '" + name + "'. Look at the list of tasks."));
  }

  TaskView view(RegisteredTask task) {
    return TaskView.of(task, sequences.problem(task.task()), secretNames);
  }
}
