package io.millrace.server.api;

import io.millrace.instance.InvalidRequestException;
import io.millrace.schedule.InvalidScheduleException;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.ScheduleMapper;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.ProblemException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A parser of tasks, sequences and schedules in request bodies. */
final class SequenceJsonParser {

  /** Upper limit of the characters in the id of a sequence. */
  static final int ID = 150;

  /** Upper limit of the characters in the name of a task or a sequence type. */
  static final int NAME = 80;

  static final int CHANNEL = 200;

  /** Upper limit of the members of parameters. */
  static final int PARAMETERS = 100;

  static final Set<String> TASK =
      Set.of(
          "name",
          "type",
          "channel",
          "component",
          "maxRetries",
          "firstRetryDelayMs",
          "timeoutMs",
          "sharesChannel",
          "dependency",
          "parameters");

  static final Set<String> SEQUENCE =
      Set.of("sequenceId", "type", "tasks", "schedule", "active", "parameters");

  private static final Set<String> SEQUENCE_TASK = Set.of("task", "position", "parameters");
  private static final int COMPONENT = 500;
  private static final int RETRIES = 1000;

  /** Upper limit of the members of a schedule, enough for one with many holidays. */
  private static final int SCHEDULE_KEYS = 100;

  private SequenceJsonParser() {}

  /** Reads the schema Task. */
  static Task task(JsonFields body) {
    Long retries = body.optionalNumber("maxRetries", 0, RETRIES);
    Long dependency = body.optionalNumber("dependency", Integer.MIN_VALUE, Integer.MAX_VALUE);
    return new Task(
        body.text("name", 1, NAME),
        body.text("type", 1, NAME),
        body.optionalText("channel", CHANNEL),
        body.text("component", 1, COMPONENT),
        new Task.Options(
            retries == null ? null : retries.intValue(),
            body.optionalNumber("firstRetryDelayMs", 0, Task.Options.MAX_MILLIS),
            body.optionalNumber("timeoutMs", 1, Task.Options.MAX_MILLIS),
            body.flag("sharesChannel"),
            dependency == null ? 0 : dependency.intValue(),
            body.values("parameters", PARAMETERS)));
  }

  /** Reads the schema Sequence. */
  static TaskSequence sequence(JsonFields body) {
    String sequenceId = body.text("sequenceId", 1, ID);
    String type = body.text("type", 1, NAME);
    List<JsonFields> items = body.objects("tasks", TaskSequence.MAX_TASKS, SEQUENCE_TASK);
    if (items.isEmpty()) {
      throw ProblemException.invalid("tasks", "is missing or empty; expected at least one task.");
    }
    List<TaskSequence.SequenceTask> sequenceTasks = new ArrayList<>();
    Map<Integer, TaskSequence.SequenceTask> byPosition = new TreeMap<>();
    for (JsonFields item : items) {
      TaskSequence.SequenceTask sequenceTask =
          new TaskSequence.SequenceTask(
              item.text("task", 1, NAME), item.values("parameters", PARAMETERS));
      Long position = item.optionalNumber("position", 1, TaskSequence.MAX_TASKS);
      if (position != null && byPosition.put(position.intValue(), sequenceTask) != null) {
        throw ProblemException.invalid(
            "tasks[" + sequenceTasks.size() + "].position",
            "is " + position + ", as that of a task before it; expected each position once.");
      }
      sequenceTasks.add(sequenceTask);
    }
    TaskSequence sequence =
        new TaskSequence(
            sequenceId,
            type,
            sequenceTasks,
            schedule(body),
            body.flag("active", true),
            body.values("parameters", PARAMETERS));
    return byPosition.isEmpty() ? sequence : atPositions(sequence, byPosition);
  }

  private static TaskSequence atPositions(
      TaskSequence sequence, Map<Integer, TaskSequence.SequenceTask> byPosition) {
    if (byPosition.size() < sequence.tasks().size()) {
      throw ProblemException.invalid(
          "tasks",
          "has "
              + byPosition.size()
              + " tasks with 'position' and "
              + (sequence.tasks().size() - byPosition.size())
              + " without; expected all of them to have it, or none.");
    }
    try {
      return sequence.tasks(byPosition);
    } catch (InvalidRequestException e) {
      throw ProblemException.invalid("tasks", "has gaps: " + e.getMessage());
    }
  }

  /** Reads the member {@code schedule} of a body. */
  static Schedule schedule(JsonFields body) {
    Map<String, Object> spec = body.values("schedule", SCHEDULE_KEYS);
    if (spec.isEmpty()) {
      throw ProblemException.invalid(
          "schedule",
          "is missing or empty; expected one of 'frequency', 'cron' and 'every' in it.");
    }
    try {
      return ScheduleMapper.read(spec);
    } catch (InvalidScheduleException e) {
      throw ProblemException.invalid("schedule", "cannot be used: " + e.getMessage());
    }
  }
}
