package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.TaskBook;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import java.io.IOException;

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
    RegisteredTask added = book.add(SequenceBodies.task(call.body(SequenceBodies.TASK)));
    trail.done(by(call), "addTask", added.task().name());
    return new Answer.Json(201, tasks.view(added));
  }

  Answer change(Call call) throws IOException {
    int revision = call.get(REVISION);
    int id = tasks.named(call).id();
    RegisteredTask changed =
        book.update(id, revision, SequenceBodies.task(call.body(SequenceBodies.TASK)));
    trail.done(by(call), "changeTask", changed.task().name());
    return Answer.json(tasks.view(changed));
  }

  Answer remove(Call call) {
    RegisteredTask task = tasks.named(call);
    book.remove(task.id());
    trail.done(by(call), "removeTask", task.task().name());
    return Answer.empty();
  }

  private static Deed by(Call call) {
    return Deed.by(call.caller().actor());
  }
}
