package io.millrace.sequence;

import io.millrace.codec.Codec;
import io.millrace.extension.EngineServices;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.SequenceStore.StoredSequenceTask;
import io.millrace.store.StoreException;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.StoredCompiledSequence;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compiled sequences of all nodes, and which of them this node can run. If a component of a
 * compiled sequence is missing here, its executions are left to other nodes, and it is tried again
 * at every refresh; this node still fires it. Thread-safe.
 */
final class CompiledSequenceRegistry {

  private static final Logger LOG = LoggerFactory.getLogger(CompiledSequenceRegistry.class);
  private static final int PAGE = 500;

  private record Key(String type, int version) {}

  /** A compiled sequence that this node cannot run, as a component is missing or unusable. */
  record UnrunnableSequence(CompiledSequence compiledSequence, int version) {}

  /** A compiled sequence that this node has yet to define. */
  private record Undefined(StoredCompiledSequence stored, CompiledSequence compiledSequence) {
    Key key() {
      return new Key(stored.type(), stored.version());
    }
  }

  private final TaskStore store;
  private final Codec codec;
  private final ComponentRegistry components;
  private final SequenceCompiler compiler;
  private final EngineServices services;

  /** Compiled sequences that this node has tried to define, and whose executions can be started. */
  private final Map<Key, CompiledSequence> compiledSequences = new ConcurrentHashMap<>();

  /** Compiled sequences that are tried again at the next refresh, by id. */
  private final Map<Integer, Undefined> undefined = new ConcurrentSkipListMap<>();

  /** Reasons why this node cannot run an entry of {@link #undefined}. */
  private final Map<Key, String> reasons = new ConcurrentHashMap<>();

  private final Set<Integer> storedDefinitions = ConcurrentHashMap.newKeySet();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();
  private final Set<String> channels = ConcurrentHashMap.newKeySet();

  /** Types of compiled sequences. */
  private final Set<String> types = ConcurrentHashMap.newKeySet();

  /** Types for which this engine has another workflow, which would run the executions. */
  private final Set<String> typesOfOtherWorkflows = ConcurrentHashMap.newKeySet();

  private int last;

  CompiledSequenceRegistry(
      TaskStore store,
      Codec codec,
      ComponentRegistry components,
      SequenceCompiler compiler,
      EngineServices services) {
    this.store = store;
    this.codec = codec;
    this.components = components;
    this.compiler = compiler;
    this.services = services;
  }

  /** Reads new compiled sequences, and retries those with missing components. */
  synchronized void refresh() {
    List<StoredCompiledSequence> page;
    do {
      page = store.compiledSequencesAfter(last, PAGE);
      for (StoredCompiledSequence stored : page) {
        CompiledSequence compiledSequence = codec.decode(stored.document(), CompiledSequence.class);
        undefined.put(stored.id(), new Undefined(stored, compiledSequence));
        types.add(stored.type());
        last = Math.max(last, stored.id());
      }
    } while (page.size() == PAGE);
    for (Undefined next : List.copyOf(undefined.values())) {
      if (tryDefine(next.stored, next.compiledSequence)) {
        undefined.remove(next.stored.id());
        reasons.remove(next.key());
      }
      compiledSequences.put(next.key(), next.compiledSequence);
    }
  }

  /** Defines the workflow of a compiled sequence. Returns true if it need not be tried again. */
  private boolean tryDefine(StoredCompiledSequence stored, CompiledSequence compiledSequence) {
    try {
      for (CompiledSequence.CompiledTask compiledTask : compiledSequence.tasks()) {
        components.find(compiledTask.task());
      }
      if (isTypeOfOtherWorkflow(compiledSequence.type())
          || !services.define(
              compiler.compile(compiledSequence, stored.version(), components::find))) {
        skipType(stored);
        return true;
      }
    } catch (InvalidRequestException e) {
      reasons.put(new Key(stored.type(), stored.version()), String.valueOf(e.getMessage()));
      storeDefinition(stored, compiledSequence);
      if (logged.add(e.getMessage())) {
        LOG.warn(
            "Sequences of type {} version {} are left to other nodes: {}",
            stored.type(),
            stored.version(),
            e.getMessage());
      }
      return false;
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException e) {
      // A sequence that cannot be compiled must not keep the engine or the others from running.
      reasons.put(new Key(stored.type(), stored.version()), "Its tasks cannot be compiled: " + e);
      if (logged.add(stored.type() + " " + stored.version() + " " + e)) {
        LOG.error(
            "Sequences of type {} version {} cannot be compiled here, and are left to other nodes",
            stored.type(),
            stored.version(),
            e);
      }
      return false;
    }
    for (CompiledSequence.CompiledTask compiledTask : compiledSequence.tasks()) {
      if (compiledTask.task().channel() != null) {
        channels.add(compiledTask.task().channel());
      }
    }
    return true;
  }

  /**
   * Skips the sequences of a type, which other nodes run, since this engine has another workflow of
   * that type, whose code would run the executions. No later refresh can change that.
   */
  private void skipType(StoredCompiledSequence stored) {
    typesOfOtherWorkflows.add(stored.type());
    LOG.error(
        "Sequences of type '{}' version {} are not run here, for this engine has another workflow of"
            + " this type and version; give that one, or the tasks, another type",
        stored.type(),
        stored.version());
  }

  private void storeDefinition(StoredCompiledSequence stored, CompiledSequence compiledSequence) {
    if (!storedDefinitions.contains(stored.id())) {
      services.storeDefinition(
          compiler.compile(
              compiledSequence, stored.version(), task -> CompiledSequenceRegistry::notRun));
      storedDefinitions.add(stored.id());
    }
  }

  private static TaskHandler notRun() {
    throw new IllegalStateException("a definition that is only stored is not run");
  }

  /** Returns the stored form of a compiled sequence, which this node runs from now on if it can. */
  StoredCompiledSequence register(CompiledSequence compiledSequence) {
    String document = compiledSequence.document(codec);
    StoredCompiledSequence stored =
        store.compiledSequence(
            compiledSequence.type(),
            CompiledSequence.fingerprint(document),
            document,
            compiledSequence.states());
    if (!compiledSequences.containsKey(new Key(stored.type(), stored.version()))) {
      refresh();
    }
    return stored;
  }

  /**
   * Returns true if instances of this compiled sequence can be created without reading the
   * database, also if this node cannot run them; inside of a transaction there may be no second
   * connection for that.
   */
  boolean knows(String type, @Nullable Integer version) {
    return version != null
        && !isTypeOfOtherWorkflow(type)
        && compiledSequences.containsKey(new Key(type, version));
  }

  /** Returns the compiled sequence of this version; null if there is none. */
  @Nullable CompiledSequence find(String type, int version) {
    Key key = new Key(type, version);
    CompiledSequence known = compiledSequences.get(key);
    if (known == null) {
      refresh();
      known = compiledSequences.get(key);
    }
    return known;
  }

  /** Returns true if the compiled sequence of this version has the current form of the task. */
  boolean has(String type, @Nullable Integer version, RegisteredTask task) {
    CompiledSequence compiledSequence = version == null ? null : find(type, version);
    return compiledSequence != null
        && compiledSequence.tasks().stream()
            .filter(compiledTask -> compiledTask.taskId() == task.id())
            .allMatch(compiledTask -> compiledTask.task().equals(task.task()));
  }

  /** Returns true if a sequence has the current form of all its tasks. */
  boolean isCurrent(StoredSequence row, List<RegisteredTask> tasks) {
    Set<Integer> taskIds =
        row.sequenceTasks().stream().map(StoredSequenceTask::taskId).collect(Collectors.toSet());
    return tasks.stream()
        .filter(task -> taskIds.contains(task.id()))
        .allMatch(task -> has(row.type(), row.definitionVersion(), task));
  }

  /** Returns true if there are sequences of this type, and no other workflow of it here. */
  boolean hasType(String type) {
    return types.contains(type) && !isTypeOfOtherWorkflow(type);
  }

  /** Returns true if this engine has a workflow of the type that is not made of tasks. */
  boolean isTypeOfOtherWorkflow(String type) {
    return typesOfOtherWorkflows.contains(type);
  }

  /**
   * Checks that no other workflow here has the type of sequences.
   *
   * @throws ConflictException if they would be run by the code of another workflow
   */
  void requireTypeOfSequences(String type) {
    if (isTypeOfOtherWorkflow(type)) {
      throw new ConflictException(
          "Sequences of tasks of the type '"
              + type
              + "' cannot be run here, for this engine has another workflow of that type. Give that"
              + " one, or the tasks, another type.");
    }
  }

  /** Returns why this node cannot run a definition; null if it can, or does not know it. */
  @Nullable String problem(String type, int version) {
    return reasons.get(new Key(type, version));
  }

  /** Returns the newest compiled sequences that this node cannot run. */
  List<UnrunnableSequence> unrunnable(int limit) {
    return undefined.values().stream()
        .sorted(Comparator.<Undefined>comparingInt(one -> one.stored.id()).reversed())
        .limit(limit)
        .map(one -> new UnrunnableSequence(one.compiledSequence, one.stored.version()))
        .toList();
  }

  /** Returns the channels of all tasks that this node runs. */
  Collection<String> channels() {
    return new TreeSet<>(channels);
  }
}
