package io.millrace.server.api;

import io.millrace.instance.OperatorAction;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskService;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.StrictJson;
import io.millrace.server.security.SecretNames;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The operations that register, change and remove tasks and their types. */
final class TaskEditResource {

  static final Param<Integer> REVISION = Param.number("revision", 1, Integer.MAX_VALUE);

  private final TaskService taskService;
  private final TaskResource taskResource;
  private final AuditRecorder auditRecorder;

  TaskEditResource(ApiContext context, TaskResource taskResource) {
    this.taskService = context.engine().sequences().tasks();
    this.taskResource = taskResource;
    this.auditRecorder = new AuditRecorder(context);
  }

  ApiResponse addType(ApiRequest request) throws IOException {
    String type = request.body("name").text("name", 1, SequenceJsonParser.NAME);
    taskService.addType(type);
    auditRecorder.record(by(request), "addTaskType", type);
    return ApiResponse.empty();
  }

  ApiResponse removeType(ApiRequest request) {
    String type = request.path("type", InstanceFilterReader.NAME);
    taskService.removeType(type);
    auditRecorder.record(by(request), "removeTaskType", type);
    return ApiResponse.empty();
  }

  ApiResponse add(ApiRequest request) throws IOException {
    Task sent = SequenceJsonParser.task(request.body(SequenceJsonParser.TASK));
    SecretNames.refuseMasks(sent.options().parameters());
    RegisteredTask added = taskService.add(sent);
    told(request, "addTask", added, Map.of("is", facts(added.task())));
    return new ApiResponse.Json(201, taskResource.view(added));
  }

  ApiResponse change(ApiRequest request) throws IOException {
    int revision = request.get(REVISION);
    RegisteredTask before = taskResource.named(request);
    Task sent = SequenceJsonParser.task(request.body(SequenceJsonParser.TASK));
    RegisteredTask changed =
        taskService.update(before.id(), revision, withSecretsOf(before.task(), sent));
    told(
        request,
        "changeTask",
        changed,
        Map.of("was", facts(before.task()), "is", facts(changed.task())));
    return ApiResponse.json(taskResource.view(changed));
  }

  /**
   * Returns the task with the stored secrets in place of masks. Responses show masks, so a client
   * that sends one back keeps the stored value.
   */
  private static Task withSecretsOf(Task before, Task sent) {
    Task.Options options = sent.options();
    return new Task(
        sent.name(),
        sent.type(),
        sent.channel(),
        sent.component(),
        new Task.Options(
            options.maxRetries(),
            options.firstRetryDelay(),
            options.timeout(),
            options.sharesChannel(),
            options.dependency(),
            SecretNames.restored(options.parameters(), before.options().parameters())));
  }

  ApiResponse remove(ApiRequest request) {
    RegisteredTask task = taskResource.named(request);
    taskService.remove(task.id());
    auditRecorder.record(by(request), "removeTask", task.task().name());
    return ApiResponse.empty();
  }

  private void told(
      ApiRequest request, String action, RegisteredTask task, Map<String, Object> detail) {
    auditRecorder.record(by(request), action, task.task().name(), null, StrictJson.write(detail));
  }

  /**
   * Returns the code and settings of a task for the audit, with only the names of parameters, since
   * viewers read the audit.
   */
  private static Map<String, Object> facts(Task task) {
    Map<String, Object> facts = new TreeMap<>();
    facts.put("type", task.type());
    facts.put("component", task.component());
    put(facts, "channel", task.channel());
    put(facts, "maxRetries", task.options().maxRetries());
    put(facts, "firstRetryDelay", task.options().firstRetryDelay());
    put(facts, "timeout", task.options().timeout());
    facts.put("sharesChannel", task.options().sharesChannel());
    facts.put("parameters", task.options().parameters().keySet().stream().sorted().toList());
    return facts;
  }

  private static void put(Map<String, Object> facts, String name, @Nullable Object value) {
    if (value != null) {
      facts.put(name, value);
    }
  }

  private static OperatorAction by(ApiRequest request) {
    return OperatorAction.by(request.caller().actor());
  }
}
