package io.millrace.testing;

import io.millrace.store.TaskStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Types, tasks and compiled sequences in memory. */
final class MemoryTaskStore implements TaskStore {

  private static final int MAX_NAMED = 10;

  private final MemoryTables tables;
  private final MemorySequenceTables sequences;

  MemoryTaskStore(MemoryTables tables, MemorySequenceTables sequences) {
    this.tables = tables;
    this.sequences = sequences;
  }

  @Override
  public void addType(String type) {
    tables.transaction(now -> sequences.types.add(type));
  }

  @Override
  public ChangeResult removeType(String type) {
    return tables.transaction(now -> {
      List<String> users =
          Stream.concat(
                  sequences.tasks.values().stream()
                      .filter(task -> task.type().equals(type))
                      .map(StoredTask::name),
                  sequences.sequences.values().stream()
                      .filter(sequence -> sequence.type().equals(type))
                      .map(sequence -> sequence.sequenceId()))
              .limit(MAX_NAMED)
              .toList();
      if (!users.isEmpty()) {
        return new ChangeResult.InUse(users);
      }
      return sequences.types.remove(type)
          ? new ChangeResult.Done(0, 1)
          : new ChangeResult.Missing();
    });
  }

  @Override
  public List<String> types() {
    return tables.transaction(now -> List.copyOf(sequences.types));
  }

  @Override
  public ChangeResult add(StoredTask task) {
    return tables.transaction(now -> {
      StoredTask taken = named(task.name());
      if (taken != null) {
        return new ChangeResult.NameTaken(taken.id());
      }
      sequences.types.add(task.type());
      int id = sequences.nextTask();
      sequences.tasks.put(id, with(task, id, 1));
      sequences.recompiled.put(id, 1);
      return new ChangeResult.Done(id, 1);
    });
  }

  @Override
  public ChangeResult update(StoredTask task) {
    return tables.transaction(now -> {
      StoredTask stored = sequences.tasks.get(task.id());
      if (stored == null) {
        return new ChangeResult.Missing();
      }
      if (stored.revision() != task.revision()) {
        return new ChangeResult.Stale(stored.revision());
      }
      StoredTask taken = named(task.name());
      if (taken != null && taken.id() != task.id()) {
        return new ChangeResult.NameTaken(taken.id());
      }
      List<String> users = usersOf(task.id());
      if (!stored.type().equals(task.type()) && !users.isEmpty()) {
        return new ChangeResult.InUse(users);
      }
      sequences.types.add(task.type());
      sequences.tasks.put(task.id(), with(task, task.id(), task.revision() + 1));
      return new ChangeResult.Done(task.id(), task.revision() + 1);
    });
  }

  @Override
  public ChangeResult remove(int taskId) {
    return tables.transaction(now -> {
      StoredTask stored = sequences.tasks.get(taskId);
      if (stored == null) {
        return new ChangeResult.Missing();
      }
      List<String> users = usersOf(taskId);
      if (!users.isEmpty()) {
        return new ChangeResult.InUse(users);
      }
      sequences.tasks.remove(taskId);
      sequences.recompiled.remove(taskId);
      return new ChangeResult.Done(taskId, stored.revision());
    });
  }

  private @Nullable StoredTask named(String name) {
    return sequences.tasks.values().stream()
        .filter(task -> task.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  private List<String> usersOf(int taskId) {
    return sequences.sequences.values().stream()
        .filter(sequence ->
            sequence.sequenceTasks().stream()
                .anyMatch(sequenceTask -> sequenceTask.taskId() == taskId))
        .map(sequence -> sequence.sequenceId())
        .limit(MAX_NAMED)
        .toList();
  }

  private static StoredTask with(StoredTask task, int id, int revision) {
    return new StoredTask(
        id, task.name(), task.type(), task.work(), task.dependency(), task.options(), revision);
  }

  @Override
  public Optional<StoredTask> find(int taskId) {
    return tables.transaction(now -> Optional.ofNullable(sequences.tasks.get(taskId)));
  }

  @Override
  public List<StoredTask> tasks() {
    return tables.transaction(now -> List.copyOf(sequences.tasks.values()));
  }

  @Override
  public int appliedRevision(int taskId) {
    return tables.transaction(now -> sequences.recompiled.getOrDefault(taskId, 0));
  }

  @Override
  public void recordAppliedRevision(int taskId, int revision) {
    tables.transaction(now ->
        sequences.recompiled.computeIfPresent(taskId, (id, before) -> Math.max(before, revision)));
  }

  @Override
  public StoredCompiledSequence compiledSequence(
      String type, String fingerprint, String document, List<CompiledState> states) {
    return tables.transaction(now -> {
      List<StoredCompiledSequence> ofType =
          sequences.compiledSequences.stream()
              .map(MemorySequenceTables.StoredCompilation::stored)
              .filter(compiledSequence -> compiledSequence.type().equals(type))
              .toList();
      Optional<StoredCompiledSequence> known =
          ofType.stream()
              .filter(compiledSequence -> compiledSequence.fingerprint().equals(fingerprint))
              .findFirst();
      return known.orElseGet(() -> {
        StoredCompiledSequence compiledSequence =
            new StoredCompiledSequence(
                sequences.compiledSequences.size() + 1,
                type,
                ofType.size() + 1,
                fingerprint,
                document);
        Map<String, CompiledState> byName =
            states.stream().collect(Collectors.toMap(CompiledState::state, state -> state));
        sequences.compiledSequences.add(
            new MemorySequenceTables.StoredCompilation(compiledSequence, byName));
        return compiledSequence;
      });
    });
  }

  @Override
  public List<StoredCompiledSequence> compiledSequencesAfter(int id, int limit) {
    return tables.transaction(now ->
        sequences.compiledSequences.stream()
            .map(MemorySequenceTables.StoredCompilation::stored)
            .filter(compiledSequence -> compiledSequence.id() > id)
            .limit(limit)
            .toList());
  }
}
