package io.millrace.sequence;

import io.millrace.instance.ConflictException;
import io.millrace.schedule.Schedule;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.NextRun;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of stored sequences. A sequence that this node cannot read does not hide the others.
 * Thread-safe. Every method throws {@link io.millrace.store.StoreException} if the database does
 * not answer.
 */
public final class SequenceReader {

  private static final Logger LOG = LoggerFactory.getLogger(SequenceReader.class);
  private static final int MAX_NOTED = 20;
  private static final int MAX_NAMED = 10;
  private static final int MAX_LOOKED_AT = 100;

  private final SequenceStore store;
  private final TaskService tasks;
  private final SequenceMapper mapper;
  private final RunnabilityChecker checks;

  /** Ids of sequences found unreadable. */
  private final Set<String> noted = ConcurrentHashMap.newKeySet();

  SequenceReader(
      SequenceStore store, TaskService tasks, SequenceMapper mapper, RunnabilityChecker checks) {
    this.store = store;
    this.tasks = tasks;
    this.mapper = mapper;
    this.checks = checks;
  }

  /** Returns sequences by id; see {@link SequenceStore#list}. */
  public List<SequenceEntry> list(
      @Nullable String type, @Nullable String text, @Nullable String after, int limit) {
    return all(store.list(type, text, after, limit));
  }

  /** Returns sequences that have a task, by id; see {@link SequenceStore#withTask}. */
  public List<SequenceEntry> withTask(int taskId, @Nullable String after, int limit) {
    return all(store.withTask(taskId, after, limit));
  }

  /**
   * Returns the sequence as it is stored.
   *
   * @throws UnknownNameException if there is none
   */
  public SequenceEntry get(String sequenceId) {
    return find(sequenceId).orElseThrow(() -> SequenceService.unknown(sequenceId));
  }

  private Optional<SequenceEntry> find(String sequenceId) {
    return store.find(sequenceId).map(this::entry);
  }

  /**
   * Rejects another type of a task as {@link TaskService#update} does, and changes nothing.
   *
   * @throws ConflictException if a sequence has the task
   */
  public void checkType(RegisteredTask present, Task wanted) {
    if (present.task().type().equals(wanted.type())) {
      return;
    }
    List<String> users =
        store.withTask(present.id(), null, MAX_NAMED).stream()
            .map(StoredSequence::sequenceId)
            .toList();
    if (!users.isEmpty()) {
      throw TaskService.inUse("Task '" + wanted.name() + "'", users);
    }
  }

  private List<SequenceEntry> all(List<StoredSequence> found) {
    Map<Integer, String> names = tasks.names();
    return found.stream().map(row -> entry(row, names)).toList();
  }

  SequenceEntry entry(StoredSequence row) {
    return entry(row, tasks.names());
  }

  /** Converts a row. Must not throw, whatever a newer version or an SQL user has stored. */
  private SequenceEntry entry(StoredSequence row, Map<Integer, String> names) {
    List<String> taskNames =
        row.sequenceTasks().stream()
            .map(sequenceTask ->
                names.getOrDefault(sequenceTask.taskId(), "" + sequenceTask.taskId()))
            .toList();
    try {
      return new SequenceEntry(row, taskNames, view(row, names), checks.problem(row));
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      note(row.sequenceId());
      return new SequenceEntry(row, taskNames, null, problem(e));
    }
  }

  ScheduledSequence view(StoredSequence row, Map<Integer, String> names) {
    TaskSequence sequence = mapper.sequence(row, names);
    return new ScheduledSequence(
        sequence,
        SequenceStatus.of(row),
        row.flags(),
        row.times(),
        row.last(),
        row.executorGroup(),
        mapper.tag(sequence));
  }

  private static String problem(RuntimeException e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    return "This node cannot read how it is stored: "
        + message.replaceAll("\\.$", "")
        + ". Nothing of it is begun here. Bring Millrace and Java of this node up to date, or save"
        + " the sequence again.";
  }

  /** Returns upcoming runs, without unreadable sequences, which are noted. */
  List<UpcomingRun> upcoming(int limit) {
    List<UpcomingRun> runs = new ArrayList<>();
    for (NextRun next : store.nextRuns(limit)) {
      try {
        Schedule schedule = mapper.scheduleOf(next.schedule());
        Instant slot = next.slot().byCurrentRules(schedule);
        if (slot != null) {
          runs.add(new UpcomingRun(next.sequenceId(), schedule, slot));
        }
      } catch (RuntimeException e) {
        note(next.sequenceId());
      }
    }
    return List.copyOf(runs);
  }

  /** Logs a warning if a sequence cannot be run. */
  void warn(String sequenceId) {
    find(sequenceId)
        .filter(entry -> entry.problem() != null)
        .ifPresent(
            entry -> LOG.warn("Sequence '{}' cannot be run: {}", sequenceId, entry.problem()));
  }

  /** Notes a sequence that could not be used and may be unreadable. */
  void note(String sequenceId) {
    if (noted.size() < MAX_NOTED) {
      noted.add(sequenceId);
    }
  }

  /** Returns up to 20 sequences that this node found unreadable. */
  public List<SequenceEntry> unreadable() {
    List<SequenceEntry> unreadable = new ArrayList<>();
    for (String id : noted.stream().sorted().toList()) {
      Optional<SequenceEntry> found = find(id).filter(entry -> entry.sequence() == null);
      if (found.isEmpty()) {
        noted.remove(id);
      }
      found.ifPresent(unreadable::add);
    }
    return List.copyOf(unreadable);
  }

  /**
   * Returns the sequences whose tasks no live executor can run, as far as this node knows of them;
   * at most 20.
   */
  public List<SequenceEntry> unrunnable() {
    Map<String, SequenceEntry> unrunnable = new TreeMap<>();
    for (CompiledSequenceRegistry.UnrunnableSequence one : checks.unrunnable(MAX_NOTED)) {
      if (unrunnable.size() >= MAX_NOTED) {
        break;
      }
      for (SequenceEntry entry :
          withTask(one.compiledSequence().tasks().getFirst().taskId(), null, MAX_LOOKED_AT)) {
        if (entry.sequence() != null && entry.problem() != null && unrunnable.size() < MAX_NOTED) {
          unrunnable.put(entry.sequenceId(), entry);
        }
      }
    }
    return List.copyOf(unrunnable.values());
  }
}
