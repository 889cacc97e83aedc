package io.millrace;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecDiscovery;
import io.millrace.codec.SecretCipher;
import io.millrace.codec.SecretKeys;
import io.millrace.continuous.ContinuousEngine;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.RecycleSettings;
import io.millrace.continuous.RecycleSettingsService;
import io.millrace.continuous.Recycler;
import io.millrace.continuous.RolloutService;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.dispatch.DefinitionRegistry;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.dispatch.LocalExecutors;
import io.millrace.dispatch.NewInstanceFactory;
import io.millrace.dispatch.ValueSerializer;
import io.millrace.event.EngineListener;
import io.millrace.extension.EngineServices;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.observe.Tracing;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.ComponentSource;
import io.millrace.sequence.SequenceEngine;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import io.millrace.sequence.TaskTypeRules;
import io.millrace.store.ContinuousStore;
import io.millrace.store.OutboxStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.RetentionSweep;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.store.TaskStore;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builds and starts an {@link Engine}. Not thread-safe. */
public final class EngineBuilder {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final List<WorkflowDefinition> definitions = new ArrayList<>();
  private final List<EngineListener> listeners = new ArrayList<>();
  private final List<AttemptInterceptor> interceptors = new ArrayList<>();
  private EngineSettings settings = EngineSettings.defaults();
  private EngineRuntime runtime = EngineRuntime.system();
  private @Nullable Codec codec;
  private SecretCipher secretCipher = SecretCipher.NONE;
  private SqlStore.Options options = SqlStore.Options.DEFAULT;
  private @Nullable SchemaMode schema;
  private boolean stopWithJvm;
  private boolean maintenance;
  private boolean recyclesInPlace;
  private WarmUp.Config warmUp = WarmUp.Config.DEFAULT;
  private @Nullable RecycleSettings recycling;
  private Consumer<StopReason> executorStopped = reason -> {};
  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, TaskHandler> handlers = new HashMap<>();
  private final List<TaskSequence> taskSequences = new ArrayList<>();
  private final List<ComponentSource> componentSources = new ArrayList<>();
  private final List<ContinuousWorkflow> continuous = new ArrayList<>();
  private ContinuousSettings continuousSettings = ContinuousSettings.defaults();
  private @Nullable SequenceSettings sequenceSettings;
  private @Nullable ChannelTransport transport;
  private @Nullable DataSource dataSource;
  private @Nullable Store store;

  EngineBuilder() {}

  /**
   * Sets the database: PostgreSQL 15 or newer, or H2. The data source must be a pool with at least
   * four connections for the engine. The caller closes it.
   */
  public EngineBuilder dataSource(DataSource pool) {
    dataSource = pool;
    return this;
  }

  /** Sets how the database is used. */
  public EngineBuilder database(SqlStore.Options databaseOptions) {
    options = databaseOptions;
    return this;
  }

  /**
   * Sets how the tables are treated at the start; {@link SchemaMode#CREATE} by default. Overrides
   * the treatment of {@link #database}.
   */
  public EngineBuilder schema(SchemaMode mode) {
    schema = mode;
    return this;
  }

  /** Sets a store of another kind instead of a database. The engine closes it. */
  public EngineBuilder store(Store ownStore) {
    store = ownStore;
    return this;
  }

  /** Adds definitions whose instances this engine runs. */
  public EngineBuilder workflows(WorkflowDefinition... more) {
    return workflows(List.of(more));
  }

  /** Adds definitions whose instances this engine runs. */
  public EngineBuilder workflows(Collection<WorkflowDefinition> more) {
    definitions.addAll(more);
    return this;
  }

  public EngineBuilder settings(EngineSettings newSettings) {
    settings = newSettings;
    return this;
  }

  /** Changes the settings, for example {@code settings(s -> s.concurrency(8))}. */
  public EngineBuilder settings(UnaryOperator<EngineSettings> change) {
    settings = change.apply(settings);
    return this;
  }

  /** Adds a listener for the events of the engine. */
  public EngineBuilder listener(EngineListener listener) {
    listeners.add(listener);
    return this;
  }

  /** Adds an interceptor, which wraps every handler call. */
  public EngineBuilder interceptor(AttemptInterceptor interceptor) {
    interceptors.add(interceptor);
    return this;
  }

  /**
   * Sets the codec that writes the values of users. Without it, the engine takes the one of the
   * artifact millrace-jackson3 or millrace-jackson2 that is on the class path.
   */
  public EngineBuilder codec(Codec newCodec) {
    codec = newCodec;
    return this;
  }

  /**
   * Sets the keys under which secret variables and inputs are stored. Every engine that runs,
   * starts or reads their instances needs the same keys.
   */
  public EngineBuilder secretKey(SecretKeys keys) {
    secretCipher = new SecretCipher(keys);
    return this;
  }

  /** Lets this engine run task sequences and their schedules. */
  public EngineBuilder sequences(SequenceSettings newSettings) {
    sequenceSettings = newSettings;
    return this;
  }

  /** Registers a task and the handler that runs it on this engine; see {@link TaskHandler}. */
  public EngineBuilder task(Task task, TaskHandler handler) {
    return handler(task.component(), handler).task(task);
  }

  /** Registers the handler that runs the tasks with this component on this engine. */
  public EngineBuilder handler(String component, TaskHandler handler) {
    handlers.put(component, handler);
    return withSequences();
  }

  /** Registers a task that is run by a class. */
  public EngineBuilder task(Task task) {
    tasks.add(task);
    return withSequences();
  }

  /** Adds a task sequence, or updates the existing one to match. */
  public EngineBuilder sequence(TaskSequence sequence) {
    taskSequences.add(sequence);
    return withSequences();
  }

  /** Adds a source that is searched for task classes before the class path. */
  public EngineBuilder components(ComponentSource source) {
    componentSources.add(source);
    return this;
  }

  private EngineBuilder withSequences() {
    if (sequenceSettings == null) {
      sequenceSettings = SequenceSettings.defaults();
    }
    return this;
  }

  /**
   * Sets the transport of messages to tasks with a channel. Without a transport such tasks run on
   * the executor that finds them due. The caller closes the transport after the engine.
   */
  public EngineBuilder channels(ChannelTransport channelTransport) {
    transport = channelTransport;
    return this;
  }

  /**
   * Lets this engine carry out rollouts of its group, which drain one executor after another.
   * Enable it on every engine of the group; otherwise a rollout stops when the last engine with it
   * has stopped.
   */
  public EngineBuilder maintenance() {
    maintenance = true;
    return this;
  }

  /**
   * Recycles this node automatically. The settings hold until an operator changes those of the
   * group (see {@link Admin#recycles}); {@link #onExecutorStopped} ends the process.
   */
  public EngineBuilder recycle(RecycleSettings newSettings) {
    recycling = newSettings;
    return maintenance();
  }

  /**
   * Replaces the executor within this process when it is recycled, while the old executor finishes
   * the instances it holds. For environments in which no supervisor restarts the process.
   */
  public EngineBuilder recycleInPlace() {
    recyclesInPlace = true;
    return maintenance();
  }

  /**
   * Sets the listener that is called on a thread of its own when the executor has stopped on an
   * order. It may close the engine and end the process for a supervisor to restart, or start
   * another engine.
   */
  public EngineBuilder onExecutorStopped(Consumer<StopReason> listener) {
    executorStopped = listener;
    return this;
  }

  /**
   * Sets the time in which an executor may warm up before it claims work and counts as ready; 60
   * seconds by default. Rollouts wait for a warm executor.
   *
   * @param limit zero for no warm-up
   */
  public EngineBuilder warmUp(Duration limit) {
    if (limit.isNegative()) {
      throw new InvalidRequestException(
          "The time to warm up is " + limit + ", expected zero or more.");
    }
    warmUp = warmUp.within(limit);
    return this;
  }

  /**
   * Adds a hook that is called on a thread of its own before an executor claims work, for example
   * to fill caches of the application. If it throws or takes too long, the executor still claims
   * work but counts as cold.
   */
  public EngineBuilder onWarmUp(Runnable hook) {
    warmUp = warmUp.and(hook);
    return this;
  }

  /** Adds continuous workflows and the definitions that their events run through. */
  public EngineBuilder continuous(ContinuousWorkflow... more) {
    continuous.addAll(List.of(more));
    return this;
  }

  /** Sets how continuous workflows run on this engine. */
  public EngineBuilder continuous(ContinuousSettings newSettings) {
    continuousSettings = newSettings;
    return this;
  }

  /** Sets the source of time, threads and random numbers; for tests and simulations. */
  public EngineBuilder runtime(EngineRuntime newRuntime) {
    runtime = newRuntime;
    return this;
  }

  /**
   * Closes the engine when the JVM is asked to terminate, for example by SIGTERM, so that nothing
   * waits for recovery.
   */
  public EngineBuilder stopWithJvm() {
    stopWithJvm = true;
    return this;
  }

  /**
   * Creates or checks the tables, joins the group and starts to work.
   *
   * @throws io.millrace.store.StoreException if the database cannot be used
   * @throws io.millrace.instance.MillraceException if a definition cannot be used, or there is no
   *     codec
   */
  public Engine start() {
    Codec used = codec();
    boolean ownsStore = store == null;
    Store opened = store != null ? store : SqlStore.open(required(dataSource), effectiveOptions());
    try {
      PoolSizeCheck.warn(opened, settings);
      ValueSerializer values = new ValueSerializer(used, secretCipher);
      ContinuousEngine.Config continuousConfig =
          new ContinuousEngine.Config(continuousSettings, continuous);
      List<WorkflowDefinition> all = withOwn(opened);
      TaskTypeRules.checkDefinitions(all, opened.role(TaskStore.class));
      DefinitionRegistry registered = new DefinitionRegistry(all, opened.definitions(), values);
      EngineSettings effective =
          transport == null ? settings.channelPatience(Duration.ZERO) : settings;
      NewInstanceFactory instanceFactory =
          new NewInstanceFactory(registered, opened.definitions(), values, effective, runtime);
      LocalExecutors executors = new LocalExecutors(runtime);
      EngineServices services =
          new EngineServices(
              new EngineServices.Parts(opened, runtime, effective, registered, instanceFactory),
              executors);
      SequenceEngine sequences = sequencesOf(opened, services);
      InstanceExecutor.Config config =
          new InstanceExecutor.Config(
              opened,
              runtime,
              effective,
              registered,
              values,
              with(sequences),
              withTracing(),
              loops(opened, sequences));
      ExecutorLauncher launcher =
          new ExecutorLauncher(
              config,
              instanceFactory,
              services,
              executors,
              new ExecutorLauncher.Config(
                  continuousConfig,
                  warmUp,
                  recyclesInPlace,
                  sequences::wakePublisher,
                  executorStopped));
      Recycler recycler = null;
      try {
        boolean warm = launcher.open();
        start(sequences);
        WorkflowClient client =
            new WorkflowClient(opened, services, executors, instanceFactory, registered, values);
        Admin admin =
            new Admin(opened, used, new RolloutService(opened, used, services), recycles(opened));
        recycler = recycler(opened, executors, admin);
        Engine engine = new Engine(config, executors, launcher, client, admin, recycler, sequences);
        launcher.start(warm);
        if (stopWithJvm) {
          engine.stopWithJvm();
        }
        return engine;
      } catch (Throwable e) {
        stop(recycler, sequences, launcher, executors, e);
        throw e;
      }
    } catch (Throwable e) {
      if (ownsStore) {
        opened.close();
      }
      throw e;
    }
  }

  private SqlStore.Options effectiveOptions() {
    return schema == null ? options : options.schema(schema);
  }

  private Codec codec() {
    Codec given = codec;
    if (given == null) {
      given = CodecDiscovery.find();
      codec = given;
    }
    return given;
  }

  private SequenceEngine sequencesOf(Store opened, EngineServices services) {
    return new SequenceEngine(
        new SequenceEngine.Stores(
            opened.role(TaskStore.class),
            opened.role(SequenceStore.class),
            opened.role(OutboxStore.class),
            opened.queries(),
            opened.definitions()),
        new SequenceEngine.Config(
            sequenceSettings == null ? SequenceSettings.defaults() : sequenceSettings,
            handlers,
            componentSources,
            transport,
            settings.dispatching().concurrency()),
        codec(),
        services);
  }

  /** Returns the work of the features in the executor's loops. */
  private InstanceExecutor.Features loops(Store opened, SequenceEngine sequences) {
    List<RetentionSweep> sweeps = new ArrayList<>();
    sweeps.addAll(DataLoops.sweeps(opened, settings.retention()));
    sweeps.addAll(sequences.sweeps(settings.retention()));
    sweeps.addAll(ContinuousEngine.sweeps(opened.role(ContinuousStore.class)));
    PeriodLedgerStore ledger = opened.role(PeriodLedgerStore.class);
    return new InstanceExecutor.Features(
        List.copyOf(sweeps), List.of(() -> DataLoops.closePeriods(ledger)));
  }

  private void start(SequenceEngine sequences) {
    tasks.forEach(sequences.sequences().tasks()::save);
    taskSequences.forEach(sequences.sequences()::save);
    if (sequenceSettings != null && settings.autostart()) {
      sequences.start();
    }
  }

  /** Stops what was started. An executor that nothing can close would go on claiming due work. */
  private static void stop(
      @Nullable Recycler recycler,
      SequenceEngine sequences,
      ExecutorLauncher launcher,
      LocalExecutors executors,
      Throwable whyNotStarted) {
    try {
      EndSteps.run(
          () -> {
            if (recycler != null) {
              recycler.stop(PATIENCE);
            }
          },
          () -> launcher.stopReplacing(PATIENCE),
          () -> sequences.stop(PATIENCE),
          () -> executors.stop(Duration.ZERO),
          () -> sequences.close(PATIENCE));
    } catch (Throwable e) {
      whyNotStarted.addSuppressed(e);
    }
  }

  /**
   * Returns all definitions once. Several continuous workflows may share a definition, which may be
   * registered as well.
   */
  private List<WorkflowDefinition> withOwn(Store opened) {
    List<WorkflowDefinition> all = new ArrayList<>(definitions);
    if (maintenance) {
      all.add(RolloutService.definition(settings.executorGroup(), opened));
    }
    for (ContinuousWorkflow workflow : continuous) {
      if (!all.contains(workflow.events())) {
        all.add(workflow.events());
      }
    }
    return all;
  }

  private RecycleSettingsService recycles(Store opened) {
    RecycleSettings usual =
        recycling == null ? RecycleSettings.daily(ZoneOffset.UTC).enabled(false) : recycling;
    return new RecycleSettingsService(settings.executorGroup(), opened, codec(), usual);
  }

  /** Starts to recycle this node automatically; null if it does not. */
  private @Nullable Recycler recycler(Store opened, LocalExecutors executors, Admin admin) {
    if (recycling == null || executors.current().executorId() == null) {
      return null;
    }
    Recycler recycler =
        new Recycler(
            settings.executorGroup(),
            opened,
            admin.rollouts(),
            admin.recycles(),
            () -> Objects.requireNonNull(executors.current().executorId()));
    recycler.start(runtime.runner());
    return recycler;
  }

  private List<EngineListener> with(SequenceEngine sequences) {
    List<EngineListener> all = new ArrayList<>(listeners);
    if (sequenceSettings != null) {
      all.add(sequences);
    }
    return List.copyOf(all);
  }

  /** Returns the interceptors with the tracing span first, so that the span covers all others. */
  private List<AttemptInterceptor> withTracing() {
    List<AttemptInterceptor> all = new ArrayList<>(interceptors);
    Tracing.ifOnClassPath().ifPresent(all::addFirst);
    return List.copyOf(all);
  }

  private static DataSource required(@Nullable DataSource given) {
    if (given == null) {
      throw new InvalidRequestException(
          "The engine has no database: call dataSource(...) with a pool for PostgreSQL or H2 before"
              + " start().");
    }
    return given;
  }
}
