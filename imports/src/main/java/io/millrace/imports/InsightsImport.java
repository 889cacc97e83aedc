package io.millrace.imports;

import io.millrace.imports.ImportEntry.Kind;
import io.millrace.imports.ImportEntry.Outcome;
import io.millrace.instance.MillraceException;
import io.millrace.schedule.InvalidScheduleException;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskSequence;
import io.millrace.sequence.TaskService;
import io.millrace.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Import of a source: types, then tasks, then workflows. Each is imported on its own, so that a
 * refused one does not stop the others. A second import finds the results of the first.
 */
public final class InsightsImport {

  private static final String BY_HAND =
      "Correct it in the source and import again, or add it by hand: millrace sequences add,"
          + " millrace tasks add.";
  private static final String REPLACE =
      "Nothing was changed; with --replace it becomes as in the source.";

  /**
   * Options of an import.
   *
   * @param dryRun true to change nothing
   * @param replace true to change existing tasks and workflows to match the source
   */
  public record Options(boolean dryRun, boolean replace) {}

  /**
   * Target of an import.
   *
   * @param problem why the server cannot run a task, as a sentence; empty when it can
   */
  public record Target(SequenceService sequences, Function<Task, Optional<String>> problem) {}

  private final InsightsSource source;
  private final Target destination;
  private final SequenceService target;
  private final Options options;
  private final Instant now;
  private final List<ImportEntry> entries = new ArrayList<>();

  /** The tasks of the target by name; in a dry run also those that it would add. */
  private final Map<String, Task> here = new HashMap<>();

  private InsightsImport(InsightsSource source, Target target, Options options, Instant now) {
    this.source = source;
    this.destination = target;
    this.target = target.sequences;
    this.options = options;
    this.now = now;
  }

  /**
   * Imports the source, or reports what an import would do.
   *
   * @param now the time that decides which runs are overdue
   * @throws MillraceException when a database does not answer; what was added until then stays
   */
  public static ImportReport run(
      InsightsSource source, Target target, Options options, Instant now) {
    return new InsightsImport(source, target, options, now).run();
  }

  private ImportReport run() {
    types();
    SequenceTranslation.Tasks tasks = tasks();
    source.workflows(workflow -> workflow(workflow, tasks));
    return new ImportReport(source.schema(), now, options.dryRun, entries, source.history());
  }

  private void types() {
    Set<String> present = new HashSet<>(target.tasks().types());
    for (String type : source.types()) {
      guarded(
          Kind.TYPE,
          type,
          notes -> {
            String here = TaskTranslation.type(type, notes);
            Task.of("x", here);
            if (present.contains(here)) {
              return new ImportEntry(Kind.TYPE, type, Outcome.EQUAL, "", notes, null);
            }
            if (!options.dryRun) {
              target.tasks().addType(here);
            }
            return new ImportEntry(Kind.TYPE, type, Outcome.ADDED, "", notes, null);
          });
    }
  }

  private SequenceTranslation.Tasks tasks() {
    for (RegisteredTask task : target.tasks().list()) {
      here.put(task.task().name(), task.task());
    }
    List<SourceTask> all = source.tasks();
    TaskTranslation translation = new TaskTranslation(all);
    Map<Integer, Task> taken = new HashMap<>();
    Set<Integer> ids = new HashSet<>();
    for (SourceTask task : all) {
      ids.add(task.id());
      String id = task.id() + (task.description() == null ? "" : " " + task.description());
      guarded(
          Kind.TASK,
          id,
          notes -> {
            Task translated = translation.translate(task, notes);
            ImportEntry entry = task(id, translated, notes);
            taken.put(task.id(), here.getOrDefault(translated.name(), translated));
            return entry;
          });
    }
    return new SequenceTranslation.Tasks(ids, taken);
  }

  private ImportEntry task(String id, Task task, List<String> notes) {
    destination
        .problem
        .apply(task)
        .ifPresent(problem -> notes.add("This server cannot run it yet. " + problem));
    String words = task.component() + (task.channel() == null ? "" : ", channel " + task.channel());
    Task present = here.get(task.name());
    if (present == null) {
      TaskService.checkChannel(task, here.values());
      if (!options.dryRun) {
        target.tasks().add(task);
      }
      here.put(task.name(), task);
      return new ImportEntry(Kind.TASK, id, Outcome.ADDED, words, notes, null);
    }
    List<String> differences = TaskTranslation.differences(present, task);
    if (differences.isEmpty()) {
      return new ImportEntry(Kind.TASK, id, Outcome.EQUAL, words, notes, null);
    }
    String said = String.join("; ", differences);
    if (!options.replace) {
      return new ImportEntry(Kind.TASK, id, Outcome.DIFFERENT, said, notes, REPLACE);
    }
    Task merged = TaskTranslation.merged(present, task);
    TaskService.checkChannel(merged, here.values());
    target
        .tasks()
        .find(merged.name())
        .ifPresent(registered -> target.reader().checkType(registered, merged));
    if (!options.dryRun) {
      target.tasks().save(merged);
    }
    here.put(merged.name(), merged);
    return new ImportEntry(Kind.TASK, id, Outcome.REPLACED, said, notes, null);
  }

  private void workflow(SourceSequence workflow, SequenceTranslation.Tasks tasks) {
    guarded(
        Kind.WORKFLOW,
        workflow.id(),
        unused -> {
          SequenceTranslation wanted = SequenceTranslation.of(workflow, tasks, now);
          Optional<ScheduledSequence> present = target.find(workflow.id());
          return present.isEmpty() ? added(wanted) : compared(present.get(), wanted);
        });
  }

  private ImportEntry added(SequenceTranslation wanted) {
    if (!options.dryRun) {
      target.importSequence(wanted.sequence(), wanted.importedState());
    }
    return entry(wanted, Outcome.ADDED, wanted.words(), wanted.notes());
  }

  private ImportEntry compared(ScheduledSequence present, SequenceTranslation wanted) {
    List<String> differences = wanted.differences(present.sequence());
    if (differences.isEmpty()) {
      return entry(wanted, Outcome.EQUAL, "", List.of());
    }
    String said = String.join("; ", differences);
    if (!options.replace) {
      return new ImportEntry(
          Kind.WORKFLOW,
          wanted.sequence().sequenceId(),
          Outcome.DIFFERENT,
          said,
          List.of(),
          REPLACE);
    }
    TaskSequence merged = wanted.merged(present);
    String note = SequenceTranslation.scheduleChangeNote(present, merged);
    if (!options.dryRun) {
      target.update(merged, present.tag());
    }
    return entry(wanted, Outcome.REPLACED, said, note == null ? List.of() : List.of(note));
  }

  private static ImportEntry entry(
      SequenceTranslation wanted, Outcome outcome, String what, List<String> notes) {
    return new ImportEntry(
        Kind.WORKFLOW, wanted.sequence().sequenceId(), outcome, what, notes, null);
  }

  /** Records a refusal and continues; a database that does not answer ends the import. */
  private void guarded(Kind kind, String id, Function<List<String>, ImportEntry> one) {
    List<String> notes = new ArrayList<>();
    try {
      entries.add(one.apply(notes));
    } catch (StoreException e) {
      if (!e.rejected()) {
        throw e;
      }
      entries.add(refused(kind, id, e, notes));
    } catch (MillraceException | InvalidScheduleException e) {
      entries.add(refused(kind, id, e, notes));
    }
  }

  private static ImportEntry refused(
      Kind kind, String id, RuntimeException why, List<String> notes) {
    return new ImportEntry(
        kind, id, Outcome.REFUSED, String.valueOf(why.getMessage()), notes, BY_HAND);
  }
}
