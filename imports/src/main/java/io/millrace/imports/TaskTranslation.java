package io.millrace.imports;

import io.millrace.instance.InvalidRequestException;
import io.millrace.sequence.Task;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translation of the tasks of the source. */
final class TaskTranslation {

  private final Set<String> shared = new HashSet<>();
  private final Map<String, Integer> firstOfName = new HashMap<>();

  /**
   * Creates a translation.
   *
   * @param tasks all tasks of the source, by id
   */
  TaskTranslation(List<SourceTask> tasks) {
    Set<String> seen = new HashSet<>();
    for (SourceTask task : tasks) {
      String channel = stripped(task.channel());
      if (channel != null && !seen.add(channel)) {
        shared.add(channel);
      }
      String name = stripped(task.description());
      if (name != null) {
        firstOfName.putIfAbsent(name, task.id());
      }
    }
  }

  /**
   * Returns the translated task.
   *
   * @param notes receives what differs here
   * @throws InvalidRequestException when there is no equivalent task
   */
  Task translate(SourceTask task, List<String> notes) {
    String name = stripped(task.description());
    if (name == null) {
      throw new InvalidRequestException("It has no description, which is its name here.");
    }
    Integer first = firstOfName.get(name);
    if (first != null && first != task.id()) {
      notes.add(
          "Task " + first + " has the same description '" + name + "'; names are unique here.");
      name += "_" + task.id();
    }
    String channel = stripped(task.channel());
    boolean shares = channel != null && shared.contains(channel);
    if (shares) {
      notes.add(
          "It shares the channel '" + channel + "' with other tasks, which is declared here.");
    }
    int dependency = task.dependency() == null ? 0 : task.dependency();
    return new Task(
        name,
        type(required(task.type(), "workflow type"), notes),
        channel,
        required(stripped(task.component()), "class in column componentname"),
        new Task.Options(null, null, null, shares, dependency, Map.of()));
  }

  /**
   * Returns the type of the source with '_' in place of blanks, because types here have no blanks.
   */
  static String type(String source, List<String> notes) {
    String type = source.strip().replaceAll("\\s+", "_");
    if (!type.equals(source)) {
      notes.add("Its type is '" + source + "' in the source, '" + type + "' here.");
    }
    return type;
  }

  private static String required(@Nullable String value, String what) {
    if (value == null) {
      throw new InvalidRequestException("It has no " + what + ".");
    }
    return value;
  }

  private static @Nullable String stripped(@Nullable String text) {
    return text == null || text.isBlank() ? null : text.strip();
  }

  /**
   * Returns the differences between a task here and the task of the source; settings made here do
   * not count.
   */
  static List<String> differences(Task here, Task source) {
    List<String> differences = new ArrayList<>();
    differ(differences, "type", here.type(), source.type());
    differ(differences, "channel", here.channel(), source.channel());
    differ(differences, "component", here.component(), source.component());
    differ(differences, "dependency", here.options().dependency(), source.options().dependency());
    if (source.options().sharesChannel() && !here.options().sharesChannel()) {
      differences.add("sharesChannel is false here, true in the source");
    }
    return differences;
  }

  static void differ(
      List<String> differences, String what, @Nullable Object here, @Nullable Object source) {
    if (!Objects.equals(here, source)) {
      differences.add(what + " is " + here + " here, " + source + " in the source");
    }
  }

  /** Returns the task here, changed to match the source; settings made here stay. */
  static Task merged(Task here, Task source) {
    Task.Options own = here.options();
    return new Task(
        here.name(),
        source.type(),
        source.channel(),
        source.component(),
        new Task.Options(
            own.maxRetries(),
            own.firstRetryDelay(),
            own.timeout(),
            own.sharesChannel() || source.options().sharesChannel(),
            source.options().dependency(),
            own.parameters()));
  }
}
