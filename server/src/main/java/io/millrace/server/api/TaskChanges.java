package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskBook;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Json;
import io.millrace.server.http.Param;
import io.millrace.server.security.SecretNames;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Registers, changes and removes tasks and their types. */
final class TaskChanges {

  static final Param<Integer> REVISION = Param.number("revision", 1, Integer.MAX_VALUE);

  private final TaskBook book;
  private final Tasks tasks;
  private final Trail trail;

  TaskChanges(Sources sources, Tasks tasks) {
    this.book = sources.engine().sequences().tasks();
    this.tasks = tasks;
    this.trail = new Trail(sources);
  }

  Answer addType(Call call) throws IOException {
    String type = call.body("name").text("name", 1, SequenceBodies.NAME);
    book.addType(type);
    trail.done(by(call), "addTaskType", type);
    return Answer.empty();
  }

  Answer removeType(Call call) {
    String type = call.path("type", Filters.NAME);
    book.removeType(type);
    trail.done(by(call), "removeTaskType", type);
    return Answer.empty();
  }

  Answer add(Call call) throws IOException {
    Task sent = SequenceBodies.task(call.body(SequenceBodies.TASK));
    SecretNames.refuseMasks(sent.options().parameters());
    RegisteredTask added = book.add(sent);
    told(call, "addTask", added, Map.of("is", facts(added.task())));
    return new Answer.Json(201, tasks.view(added));
  }

  Answer change(Call call) throws IOException {
    int revision = call.get(REVISION);
    RegisteredTask before = tasks.named(call);
    Task sent = SequenceBodies.task(call.body(SequenceBodies.TASK));
    RegisteredTask changed = book.update(before.id(), revision, withSecretsOf(before.task(), sent));
    told(
        call,
        "changeTask",
        changed,
        Map.of("was", facts(before.task()), "is", facts(changed.task())));
    return Answer.json(tasks.view(changed));
  }

  /** Answers show masks in place of secrets; a mask that comes back keeps what is stored. */
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

  Answer remove(Call call) {
    RegisteredTask task = tasks.named(call);
    book.remove(task.id());
    trail.done(by(call), "removeTask", task.task().name());
    return Answer.empty();
  }

  private void told(Call call, String action, RegisteredTask task, Map<String, Object> detail) {
    trail.done(by(call), action, task.task().name(), null, Json.write(detail));
  }

  /** Which code runs, how and where. Of parameters the names only: viewers read the audit. */
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

  private static Deed by(Call call) {
    return Deed.by(call.caller().actor());
  }
}
