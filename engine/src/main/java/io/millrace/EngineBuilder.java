package io.millrace;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecDiscovery;
import io.millrace.codec.SecretCipher;
import io.millrace.codec.SecretKeys;
import io.millrace.continuous.Cluster;
import io.millrace.continuous.Continuous;
import io.millrace.continuous.ContinuousSettings;
import io.millrace.continuous.ContinuousWorkflow;
import io.millrace.continuous.RecycleSettings;
import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.dispatch.DefinitionRegistry;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.dispatch.LocalExecutors;
import io.millrace.dispatch.NewInstanceFactory;
import io.millrace.dispatch.ValueSerializer;
import io.millrace.event.EngineListener;
import io.millrace.extension.EngineExtension;
import io.millrace.extension.EngineServices;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.observe.Tracing;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.ComponentSource;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.Task;
import io.millrace.sequence.TaskHandler;
import io.millrace.sequence.TaskSequence;
import io.millrace.store.CallerTransactions;
import io.millrace.store.Store;
import io.millrace.store.sql.SchemaMode;
import io.millrace.store.sql.SqlStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
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
  private CallerTransactions transactions = CallerTransactions.NONE;
  private boolean stopWithJvm;
  private boolean recyclesInPlace;
  private WarmUp.Config warmUp = WarmUp.Config.DEFAULT;
  private Consumer<StopReason> executorStopped = reason -> {};
  private final FeatureSet features = new FeatureSet();
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

  /**
   * Sets the transactions of callers, in which the client starts, signals and controls instances;
   * for the module of a framework that binds transactions to threads.
   */
  public EngineBuilder transactions(CallerTransactions ofCallers) {
    transactions = ofCallers;
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

  /**
   * Adds features, and those that they need. An engine has only the features that were added in
   * this way or by other methods of this builder, and the core alone after a call without
   * arguments; without a call it has all. Features of one name are joined.
   */
  public EngineBuilder with(EngineExtension... extensions) {
    features.onlyAdded();
    List.of(extensions).forEach(features::add);
    return this;
  }

  private EngineBuilder add(EngineExtension extension) {
    features.add(extension);
    return this;
  }

  /** Lets this engine run task sequences and their schedules. */
  public EngineBuilder sequences(SequenceSettings newSettings) {
    return add(Sequences.of().settings(newSettings));
  }

  /** Registers a task and the handler that runs it on this engine; see {@link TaskHandler}. */
  public EngineBuilder task(Task task, TaskHandler handler) {
    return add(Sequences.of().task(task, handler));
  }

  /** Registers the handler that runs the tasks with this component on this engine. */
  public EngineBuilder handler(String component, TaskHandler handler) {
    return add(Sequences.of().handler(component, handler));
  }

  /** Registers a task that is run by a class. */
  public EngineBuilder task(Task task) {
    return add(Sequences.of().task(task));
  }

  /** Adds a task sequence, or updates the existing one to match. */
  public EngineBuilder sequence(TaskSequence sequence) {
    return add(Sequences.of(sequence));
  }

  /** Adds a source that is searched for task classes before the class path. */
  public EngineBuilder components(ComponentSource source) {
    return add(Sequences.idle().components(source));
  }

  /**
   * Sets the transport of messages to tasks with a channel. Without a transport such tasks run on
   * the executor that finds them due. The caller closes the transport after the engine.
   */
  public EngineBuilder channels(ChannelTransport channelTransport) {
    return add(Sequences.idle().channels(channelTransport));
  }

  /**
   * Adds {@link Cluster}: lets this engine carry out rollouts of its group, which drain one
   * executor after another. Enable it on every engine of the group; otherwise a rollout stops when
   * the last engine with it has stopped.
   */
  public EngineBuilder rollouts() {
    return add(Cluster.create());
  }

  /**
   * Recycles this node automatically. The settings hold until an operator changes those of the
   * group (see {@link Admin#recycles}); {@link #onExecutorStopped} ends the process.
   */
  public EngineBuilder recycle(RecycleSettings newSettings) {
    return add(Cluster.create().recycle(newSettings));
  }

  /**
   * Replaces the executor within this process when it is recycled, while the old executor finishes
   * the instances it holds. For environments in which no supervisor restarts the process.
   */
  public EngineBuilder recycleInPlace() {
    recyclesInPlace = true;
    return rollouts();
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
    return add(Continuous.of(more));
  }

  /** Sets how continuous workflows run on this engine. */
  public EngineBuilder continuous(ContinuousSettings newSettings) {
    return add(Continuous.of().settings(newSettings));
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
    Engine engine = open();
    engine.start();
    return engine;
  }

  /**
   * Creates or checks the tables and joins the group. The engine works from {@link Engine#start}
   * on; until then its client starts, controls and shows instances. For applications whose parts
   * need the client before the handlers may run.
   *
   * @throws io.millrace.store.StoreException if the database cannot be used
   * @throws io.millrace.instance.MillraceException if a definition cannot be used, or there is no
   *     codec
   */
  public Engine open() {
    Codec used = codec();
    List<EngineExtension> extensions = features.resolved();
    boolean ownsStore = store == null;
    Store opened = store != null ? store : open(extensions);
    try {
      PoolSizeCheck.warn(opened, settings);
      ValueSerializer values = new ValueSerializer(used, secretCipher);
      DefinitionRegistry registered =
          new DefinitionRegistry(definitions(extensions, opened), opened.definitions(), values);
      EngineSettings effective =
          extensions.stream().anyMatch(EngineExtension::handsOver)
              ? settings
              : settings.channelPatience(Duration.ZERO);
      NewInstanceFactory instanceFactory =
          new NewInstanceFactory(registered, opened.definitions(), values, effective, runtime);
      LocalExecutors executors = new LocalExecutors(runtime);
      EngineServices services =
          new EngineServices(
              new EngineServices.Parts(
                  opened, runtime, effective, used, registered, instanceFactory),
              executors);
      EngineParts parts =
          new EngineParts(extensions.stream().map(one -> one.part(services)).toList());
      InstanceExecutor.Config config =
          new InstanceExecutor.Config(
              opened,
              runtime,
              effective,
              registered,
              values,
              withListeners(parts),
              withTracing(),
              parts.loops());
      ExecutorLauncher launcher =
          new ExecutorLauncher(
              config,
              instanceFactory,
              services,
              executors,
              new ExecutorLauncher.Config(parts, warmUp, recyclesInPlace, executorStopped));
      try {
        launcher.register();
        WorkflowClient client =
            new WorkflowClient(
                services, transactions, executors, instanceFactory, registered, values, parts);
        return new Engine(
            config,
            executors,
            launcher,
            client,
            new Admin(opened, used, parts),
            parts,
            stopWithJvm);
      } catch (Throwable e) {
        stop(parts, launcher, executors, e);
        throw e;
      }
    } catch (Throwable e) {
      if (ownsStore) {
        opened.close();
      }
      throw e;
    }
  }

  /** Opens the database with the tables of the features. */
  private Store open(List<EngineExtension> extensions) {
    List<String> names = extensions.stream().map(EngineExtension::name).toList();
    return SqlStore.open(required(dataSource), effectiveOptions(), SqlStore.tables(names));
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

  /** Stops what was started. An executor that nothing can close would go on claiming due work. */
  private static void stop(
      EngineParts parts,
      ExecutorLauncher launcher,
      LocalExecutors executors,
      Throwable whyNotStarted) {
    EndSteps.runAfter(
        whyNotStarted,
        () -> parts.stop(PATIENCE),
        () -> launcher.stopReplacing(PATIENCE),
        () -> executors.stop(Duration.ZERO),
        () -> parts.close(PATIENCE));
  }

  /**
   * Returns all definitions once. Those that features bring may be among those of the application
   * as well.
   */
  private List<WorkflowDefinition> definitions(List<EngineExtension> extensions, Store opened) {
    List<WorkflowDefinition> all = new ArrayList<>(definitions);
    for (EngineExtension extension : extensions) {
      for (WorkflowDefinition definition : extension.definitions(settings, opened)) {
        if (!all.contains(definition)) {
          all.add(definition);
        }
      }
    }
    extensions.forEach(extension -> extension.check(all, opened));
    return all;
  }

  private List<EngineListener> withListeners(EngineParts parts) {
    List<EngineListener> all = new ArrayList<>(listeners);
    all.addAll(parts.listeners());
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
