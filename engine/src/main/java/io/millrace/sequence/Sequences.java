package io.millrace.sequence;

import io.millrace.definition.WorkflowDefinition;
import io.millrace.event.EngineListener;
import io.millrace.extension.EngineExtension;
import io.millrace.extension.EnginePart;
import io.millrace.extension.EngineServices;
import io.millrace.instance.StatusReason;
import io.millrace.instance.WorkflowInstance;
import io.millrace.store.OutboxStore;
import io.millrace.store.RetentionSweep;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The feature of task sequences, their schedules and their channels. Immutable: each method returns
 * another object.
 */
public final class Sequences implements EngineExtension {

  private final boolean runs;
  private final List<Task> tasks;
  private final List<TaskSequence> taskSequences;
  private final Map<String, TaskHandler> handlers;
  private final List<ComponentSource> sources;
  private final @Nullable SequenceSettings settings;
  private final @Nullable ChannelTransport transport;

  private Sequences(
      boolean runs,
      List<Task> tasks,
      List<TaskSequence> taskSequences,
      Map<String, TaskHandler> handlers,
      List<ComponentSource> sources,
      @Nullable SequenceSettings settings,
      @Nullable ChannelTransport transport) {
    this.runs = runs;
    this.tasks = List.copyOf(tasks);
    this.taskSequences = List.copyOf(taskSequences);
    this.handlers = Map.copyOf(handlers);
    this.sources = List.copyOf(sources);
    this.settings = settings;
    this.transport = transport;
  }

  /**
   * Returns the feature for an engine that runs the sequences of its group.
   *
   * @param sequences added when the engine starts, or updated to match
   */
  public static Sequences of(TaskSequence... sequences) {
    return new Sequences(true, List.of(), List.of(sequences), Map.of(), List.of(), null, null);
  }

  /** Returns the feature for an engine that shows and changes sequences, but runs none. */
  public static Sequences idle() {
    return new Sequences(false, List.of(), List.of(), Map.of(), List.of(), null, null);
  }

  /** Adds a task and the handler that runs it on this engine; see {@link TaskHandler}. */
  public Sequences task(Task task, TaskHandler handler) {
    return handler(task.component(), handler).task(task);
  }

  /** Adds a task that is run by a class. */
  public Sequences task(Task task) {
    return joined(new Sequences(true, List.of(task), List.of(), Map.of(), List.of(), null, null));
  }

  /** Sets the handler that runs the tasks with this component on this engine. */
  public Sequences handler(String component, TaskHandler handler) {
    return joined(
        new Sequences(
            true, List.of(), List.of(), Map.of(component, handler), List.of(), null, null));
  }

  /** Adds a source that is searched for task classes before the class path. */
  public Sequences components(ComponentSource source) {
    return joined(new Sequences(runs, List.of(), List.of(), Map.of(), List.of(source), null, null));
  }

  /** Sets how sequences run on this engine. */
  public Sequences settings(SequenceSettings newSettings) {
    return joined(
        new Sequences(true, List.of(), List.of(), Map.of(), List.of(), newSettings, null));
  }

  /**
   * Sets the transport of messages to tasks with a channel. Without a transport such tasks run on
   * the executor that finds them due. The caller closes the transport after the engine.
   */
  public Sequences channels(ChannelTransport channelTransport) {
    return joined(
        new Sequences(runs, List.of(), List.of(), Map.of(), List.of(), null, channelTransport));
  }

  @Override
  public String name() {
    return "sequences";
  }

  @Override
  public EngineExtension plus(EngineExtension same) {
    return joined((Sequences) same);
  }

  private Sequences joined(Sequences other) {
    Map<String, TaskHandler> all = new HashMap<>(handlers);
    all.putAll(other.handlers);
    return new Sequences(
        runs || other.runs,
        joined(tasks, other.tasks),
        joined(taskSequences, other.taskSequences),
        all,
        joined(sources, other.sources),
        other.settings == null ? settings : other.settings,
        other.transport == null ? transport : other.transport);
  }

  private static <T> List<T> joined(List<T> some, List<T> more) {
    List<T> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  @Override
  public void check(List<WorkflowDefinition> definitions, Store store) {
    TaskTypeRules.checkDefinitions(definitions, store.role(TaskStore.class));
  }

  @Override
  public boolean handsOver() {
    return transport != null;
  }

  @Override
  public EnginePart part(EngineServices engine) {
    return new Part(engine);
  }

  private final class Part implements EnginePart {
    private final EngineServices engine;
    private final OutboxStore outbox;
    private final SequenceEngine sequenceEngine;

    private Part(EngineServices engine) {
      Store store = engine.store();
      this.engine = engine;
      this.outbox = store.role(OutboxStore.class);
      this.sequenceEngine =
          new SequenceEngine(
              new SequenceEngine.Stores(
                  store.role(TaskStore.class),
                  store.role(SequenceStore.class),
                  outbox,
                  store.queries(),
                  store.definitions()),
              new SequenceEngine.Config(
                  settings == null ? SequenceSettings.defaults() : settings,
                  handlers,
                  sources,
                  transport,
                  engine.settings().dispatching().concurrency()),
              engine.codec(),
              engine);
    }

    @Override
    public Map<Class<?>, Object> clients() {
      Map<Class<?>, Object> clients = new HashMap<>();
      clients.put(SequenceService.class, sequenceEngine.sequences());
      if (transport != null) {
        clients.put(ChannelTransport.class, transport);
      }
      return clients;
    }

    @Override
    public List<EngineListener> listeners() {
      return runs ? List.of(sequenceEngine) : List.of();
    }

    @Override
    public List<RetentionSweep> sweeps() {
      return sequenceEngine.sweeps(engine.settings().retention());
    }

    @Override
    public void messageWritten() {
      sequenceEngine.wakePublisher();
    }

    /** Returns that a message to a task has yet to be sent, for an instance that waits for it. */
    @Override
    public StatusReason explain(WorkflowInstance instance, StatusReason reason) {
      return reason instanceof StatusReason.WaitingForTimer(Instant due)
          ? outbox
              .unsent(new OutboxStore.Key(instance.id(), instance.seq()))
              .<StatusReason>map(message ->
                  new StatusReason.WaitingForChannel(message.channel(), due, message.error()))
              .orElse(reason)
          : reason;
    }

    @Override
    public void start() {
      tasks.forEach(sequenceEngine.sequences().tasks()::save);
      taskSequences.forEach(sequenceEngine.sequences()::save);
      if (runs && engine.settings().runsInstances()) {
        sequenceEngine.start();
      }
    }

    @Override
    public void stop(Duration patience) {
      sequenceEngine.stop(patience);
    }

    @Override
    public void close(Duration patience) {
      sequenceEngine.close(patience);
    }
  }
}
