package io.millrace.server.migrate;

import io.millrace.instance.MillraceException;
import io.millrace.sequence.RegisteredTask;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskBook;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.migrate.Entry.Kind;
import io.millrace.server.migrate.Entry.Outcome;
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
 * Adds what a source has: types, then tasks, then workflows, each on its own, so that one that is
 * refused does not stop the others. A second import finds what is there.
 */
public final class InsightsImport {

  private static final String BY_HAND =
      "Correct it in the source and import again, or add it by hand: millrace sequences add,"
          + " millrace tasks add.";
  private static final String REPLACE =
      "Nothing was changed; with --replace it becomes as in the source.";

  /**
   * What is asked for.
   *
   * @param dryRun true to change nothing
   * @param replace true to change what is there to be as the source has it
   */
  public record Options(boolean dryRun, boolean replace) {}

  /**
   * What things are added to.
   *
   * @param problem why the server cannot run a task, in words for people; empty when it can
   */
  public record Target(Sequences sequences, Function<Task, Optional<String>> problem) {}

  private final InsightsSource source;
  private final Target destination;
  private final Sequences target;
  private final Options options;
  private final Instant now;
  private final List<Entry> entries = new ArrayList<>();

  /** The tasks here, by name; in a dry run with those that would be. */
  private final Map<String, Task> here = new HashMap<>();

  private InsightsImport(InsightsSource source, Target target, Options options, Instant now) {
    this.source = source;
    this.destination = target;
    this.target = target.sequences;
    this.options = options;
    this.now = now;
  }

  /**
   * Imports, or tells what an import would do.
   *
   * @param now the time by which runs are overdue
   * @throws MillraceException when a database does not answer; what was added until then stays
   */
  public static ImportReport run(
      InsightsSource source, Target target, Options options, Instant now) {
    return new InsightsImport(source, target, options, now).run();
  }

  private ImportReport run() {
    types();
    WorkflowTranslation.Tasks tasks = tasks();
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
              return new Entry(Kind.TYPE, type, Outcome.EQUAL, "", notes, null);
            }
            if (!options.dryRun) {
              target.tasks().addType(here);
            }
            return new Entry(Kind.TYPE, type, Outcome.ADDED, "", notes, null);
          });
    }
  }

  private WorkflowTranslation.Tasks tasks() {
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
            Entry entry = task(id, translated, notes);
            taken.put(task.id(), here.getOrDefault(translated.name(), translated));
            return entry;
          });
    }
    return new WorkflowTranslation.Tasks(ids, taken);
  }

  private Entry task(String id, Task task, List<String> notes) {
    destination
        .problem
        .apply(task)
        .ifPresent(problem -> notes.add("This server cannot run it yet. " + problem));
    String words = task.component() + (task.channel() == null ? "" : ", channel " + task.channel());
    Task present = here.get(task.name());
    if (present == null) {
      TaskBook.checkChannel(task, here.values());
      if (!options.dryRun) {
        target.tasks().add(task);
      }
      here.put(task.name(), task);
      return new Entry(Kind.TASK, id, Outcome.ADDED, words, notes, null);
    }
    List<String> differences = TaskTranslation.differences(present, task);
    if (differences.isEmpty()) {
      return new Entry(Kind.TASK, id, Outcome.EQUAL, words, notes, null);
    }
    String said = String.join("; ", differences);
    if (!options.replace) {
      return new Entry(Kind.TASK, id, Outcome.DIFFERENT, said, notes, REPLACE);
    }
    Task merged = TaskTranslation.merged(present, task);
    TaskBook.checkChannel(merged, here.values());
    target
        .tasks()
        .find(merged.name())
        .ifPresent(registered -> target.stored().checkType(registered, merged));
    if (!options.dryRun) {
      target.tasks().save(merged);
    }
    here.put(merged.name(), merged);
    return new Entry(Kind.TASK, id, Outcome.REPLACED, said, notes, null);
  }

  private void workflow(SourceWorkflow workflow, WorkflowTranslation.Tasks tasks) {
    guarded(
        Kind.WORKFLOW,
        workflow.id(),
        unused -> {
          WorkflowTranslation wanted = WorkflowTranslation.of(workflow, tasks, now);
          Optional<ScheduledSequence> present = target.find(workflow.id());
          return present.isEmpty() ? added(wanted) : compared(present.get(), wanted);
        });
  }

  private Entry added(WorkflowTranslation wanted) {
    if (!options.dryRun) {
      target.adopt(wanted.sequence(), wanted.standing());
    }
    return entry(wanted, Outcome.ADDED, wanted.words(), wanted.notes());
  }

  private Entry compared(ScheduledSequence present, WorkflowTranslation wanted) {
    List<String> differences = wanted.differences(present.sequence());
    if (differences.isEmpty()) {
      return entry(wanted, Outcome.EQUAL, "", List.of());
    }
    String said = String.join("; ", differences);
    if (!options.replace) {
      return new Entry(
          Kind.WORKFLOW,
          wanted.sequence().workflowId(),
          Outcome.DIFFERENT,
          said,
          List.of(),
          REPLACE);
    }
    TaskSequence merged = wanted.merged(present);
    String anew = WorkflowTranslation.begunAnew(present, merged);
    if (!options.dryRun) {
      target.update(merged, present.tag());
    }
    return entry(wanted, Outcome.REPLACED, said, anew == null ? List.of() : List.of(anew));
  }

  private static Entry entry(
      WorkflowTranslation wanted, Outcome outcome, String what, List<String> notes) {
    return new Entry(Kind.WORKFLOW, wanted.sequence().workflowId(), outcome, what, notes, null);
  }

  /** One that cannot be had is told about; a database that does not answer ends the import. */
  private void guarded(Kind kind, String id, Function<List<String>, Entry> one) {
    List<String> notes = new ArrayList<>();
    try {
      entries.add(one.apply(notes));
    } catch (StoreException e) {
      if (!e.refused()) {
        throw e;
      }
      entries.add(refused(kind, id, e, notes));
    } catch (MillraceException e) {
      entries.add(refused(kind, id, e, notes));
    }
  }

  private static Entry refused(Kind kind, String id, MillraceException why, List<String> notes) {
    return new Entry(kind, id, Outcome.REFUSED, String.valueOf(why.getMessage()), notes, BY_HAND);
  }
}
