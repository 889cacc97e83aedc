package io.millrace.server.api;

import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.Task;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.StrictJson;
import io.millrace.server.security.SecretNames;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** The tasks for sequences, and their types. */
final class TaskResource {

  private final SequenceService sequenceService;
  private final SecretNames secretNames;

  TaskResource(ApiContext context) {
    this.secretNames = context.secretNames();
    this.sequenceService = context.engine().sequences();
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
          secretNames.mask(StrictJson.write(task.options().parameters())),
          problem == null,
          problem);
    }
  }

  ApiResponse types(ApiRequest request) {
    return ApiResponse.json(sequenceService.tasks().types());
  }

  ApiResponse list(ApiRequest request) {
    return ApiResponse.json(
        sequenceService.tasks().list().stream()
            .map(this::view)
            .sorted(Comparator.comparingInt(TaskView::dependency).thenComparing(TaskView::name))
            .toList());
  }

  ApiResponse get(ApiRequest request) {
    return ApiResponse.json(view(named(request)));
  }

  /** Returns the task with the name in the path. */
  RegisteredTask named(ApiRequest request) {
    String name = request.path("name", InstanceFilterReader.NAME);
    return sequenceService
        .tasks()
        .find(name)
        .orElseThrow(() ->
            ProblemException.notFound(
                "There is no task '" + name + "'. Look at the list of tasks."));
  }

  TaskView view(RegisteredTask task) {
    return TaskView.of(task, sequenceService.problem(task.task()), secretNames);
  }
}
