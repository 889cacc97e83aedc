package io.millrace.sequence;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TooLargeException;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.DayWindow;
import io.millrace.schedule.InvalidScheduleException;
import io.millrace.schedule.Recurrence;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.ScheduleMapper;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.StoredTask;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A mapper of tasks and sequences to their stored form, and back. */
final class SequenceMapper {

  private static final int MAX_KEPT = 10_000;

  /** A time whose text is as long as that of any slot. */
  private static final Instant LATEST_INSTANT = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final Codec codec;

  /** Schedules by their text, since parsing a cron takes longer than finding its next fire. */
  private final Map<String, Schedule> schedules = new ConcurrentHashMap<>();

  SequenceMapper(Codec codec) {
    this.codec = codec;
  }

  StoredTask stored(int id, int revision, Task task) {
    return new StoredTask(
        id,
        task.name(),
        task.type(),
        new TaskStore.HandlerReference(task.channel(), task.component()),
        task.options().dependency(),
        codec.encode(task.options()),
        revision);
  }

  RegisteredTask task(StoredTask row) {
    return new RegisteredTask(
        row.id(),
        row.revision(),
        new Task(
            row.name(),
            row.type(),
            row.work().channel(),
            row.work().component(),
            codec.decode(row.options(), Task.Options.class)));
  }

  /**
   * Returns the tasks of a sequence as stored rows; {@code ids} are the ids of the tasks, in order.
   */
  List<SequenceStore.StoredSequenceTask> sequenceTasks(TaskSequence sequence, List<Integer> ids) {
    List<SequenceStore.StoredSequenceTask> sequenceTasks = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      int next = i + 1 < ids.size() ? ids.get(i + 1) : TaskMessage.NO_TASK;
      Map<String, Object> parameters = sequence.tasks().get(i).parameters();
      sequenceTasks.add(
          new SequenceStore.StoredSequenceTask(
              i + 1, ids.get(i), next, parameters.isEmpty() ? null : codec.encode(parameters)));
    }
    return sequenceTasks;
  }

  /** Returns the sequence of a row, with the names of its tasks. */
  TaskSequence sequence(StoredSequence row, Map<Integer, String> names) {
    List<TaskSequence.SequenceTask> sequenceTasks = new ArrayList<>();
    for (SequenceStore.StoredSequenceTask sequenceTask : row.sequenceTasks()) {
      String name =
          Objects.requireNonNullElse(names.get(sequenceTask.taskId()), "" + sequenceTask.taskId());
      sequenceTasks.add(new TaskSequence.SequenceTask(name, map(sequenceTask.parameters())));
    }
    return new TaskSequence(
        row.sequenceId(),
        row.type(),
        sequenceTasks,
        schedule(row),
        row.flags().active(),
        map(row.spec().parameters()));
  }

  Schedule schedule(StoredSequence row) {
    return scheduleOf(row.spec().schedule());
  }

  /** Returns the schedule of a text that {@link #schedule(Schedule)} has written. */
  Schedule scheduleOf(String json) {
    if (schedules.size() > MAX_KEPT) {
      schedules.clear();
    }
    try {
      return schedules.computeIfAbsent(json, text -> ScheduleMapper.read(map(text)));
    } catch (InvalidScheduleException e) {
      throw new InvalidRequestException(String.valueOf(e.getMessage()));
    }
  }

  String schedule(Schedule schedule) {
    return codec.encode(ScheduleMapper.write(schedule));
  }

  static String scheduleType(Schedule schedule) {
    return switch (schedule.recurrence()) {
      case Recurrence.Calendar calendar -> calendar.frequency().name();
      case Recurrence.Cron cron -> "CRON";
      case Recurrence.Interval interval -> "INTERVAL";
      case DayWindow window -> "WINDOW";
    };
  }

  /** Returns a tag that is equal for equal sequences. */
  String tag(TaskSequence sequence) {
    return CompiledSequence.fingerprint(
        codec.encode(
            List.of(
                sequence.sequenceId(),
                sequence.type(),
                sequence.tasks(),
                sequence.active(),
                sequence.parameters(),
                ScheduleMapper.write(sequence.schedule()))));
  }

  /**
   * Rejects a sequence whose executions could not be created, because their input is over the limit
   * of a value.
   */
  void requireStorable(TaskSequence sequence) {
    Map<String, Map<String, Object>> taskParameters = new HashMap<>();
    for (int i = 0; i < sequence.tasks().size(); i++) {
      Map<String, Object> parameters = sequence.tasks().get(i).parameters();
      if (!parameters.isEmpty()) {
        taskParameters.put("" + (i + 1), parameters);
      }
    }
    ExecutionInput longest =
        new ExecutionInput(
            sequence.sequenceId(),
            sequence.type(),
            new DataWindow(LATEST_INSTANT.minusSeconds(1), LATEST_INSTANT),
            new ExecutionInput.Fire(
                LATEST_INSTANT, FireCause.longest().code(), scheduleType(sequence.schedule())),
            sequence.parameters(),
            taskParameters);
    try {
      codec.encode(longest);
      tag(sequence);
    } catch (CodecException e) {
      String message =
          "The input of an execution of sequence '"
              + sequence.sequenceId()
              + "', with the parameters of the sequence and of all its tasks: "
              + e.getMessage();
      throw e.isTooLarge() ? new TooLargeException(message) : new InvalidRequestException(message);
    }
  }

  @Nullable String json(Map<String, Object> values) {
    return values.isEmpty() ? null : codec.encode(values);
  }

  Map<String, Object> map(@Nullable String json) {
    Map<String, Object> values = new HashMap<>();
    if (json != null) {
      Map<?, ?> decoded = codec.decode(json, Map.class);
      decoded.forEach((name, value) -> values.put(String.valueOf(name), value));
    }
    return values;
  }

  /**
   * Returns when the scheduler checks a sequence; null for never.
   *
   * @param databaseTime read only for a run at once, since the node's own clock may be ahead
   */
  static @Nullable Instant dueOf(
      Flags flags, @Nullable Instant nextRun, Supplier<Instant> databaseTime) {
    if (!flags.active() || flags.pausedBy() != null) {
      return null;
    }
    return flags.runRequested() || flags.restart() ? databaseTime.get() : nextRun;
  }

  static StoredSequence with(StoredSequence row, Flags flags, Supplier<Instant> databaseTime) {
    SequenceTimes times = row.times();
    return new StoredSequence(
        row.sequenceId(),
        row.type(),
        row.spec(),
        flags,
        new SequenceTimes(
            times.nextRun(),
            times.nextRunOffset(),
            dueOf(flags, times.nextRun(), databaseTime),
            times.lastEnded()),
        row.last(),
        row.revision());
  }
}
