package io.millrace;

import io.millrace.continuous.ContinuousWorkflowService;
import io.millrace.data.KeyValues;
import io.millrace.data.Reduce;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.dispatch.LocalExecutors;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EndSteps;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.ShutdownHook;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.SequenceService;
import io.millrace.store.KeyValueService;
import io.millrace.store.KeyValueStore;
import io.millrace.store.PeriodLedgerStore;
import io.millrace.store.ReduceService;
import io.millrace.store.ReduceStore;
import io.millrace.store.Store;
import io.millrace.store.StoreCaller;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An engine, which runs the instances of its definitions in this process, together with all other
 * engines of its group. Thread-safe. Close it to stop in good order. If the process dies instead,
 * other engines recover its work.
 */
public final class Engine implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final InstanceExecutor.Config config;
  private final Store store;
  private final LocalExecutors executors;
  private final ExecutorLauncher launcher;
  private final WorkflowClient client;
  private final Admin admin;
  private final EngineParts features;
  private final boolean stopWithJvm;
  private final AtomicLong reducers = new AtomicLong();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable ShutdownHook hook;

  Engine(
      InstanceExecutor.Config config,
      LocalExecutors executors,
      ExecutorLauncher launcher,
      WorkflowClient client,
      Admin admin,
      EngineParts features,
      boolean stopWithJvm) {
    this.config = config;
    this.store = config.store();
    this.executors = executors;
    this.launcher = launcher;
    this.client = client;
    this.admin = admin;
    this.features = features;
    this.stopWithJvm = stopWithJvm;
  }

  public static EngineBuilder builder() {
    return new EngineBuilder();
  }

  /** Returns the client that starts, controls and shows instances. */
  public WorkflowClient client() {
    return client;
  }

  /**
   * Returns the statistics, the audit trail, and the executors with their rollouts and recycles.
   */
  public Admin admin() {
    return admin;
  }

  /**
   * Returns what a feature offers to applications, such as the {@link SequenceService}.
   *
   * @throws IllegalStateException if the engine has no feature that offers it
   */
  public <T> T get(Class<T> type) {
    Object ofEngine = features.find(type);
    Object client = ofEngine == null ? launcher.find(type) : ofEngine;
    if (client == null) {
      throw EngineParts.missing(type);
    }
    return type.cast(client);
  }

  /** Returns the task sequences and their schedules. */
  public SequenceService sequences() {
    return get(SequenceService.class);
  }

  /** Returns the continuous workflows of all nodes. */
  public ContinuousWorkflowService continuous() {
    return get(ContinuousWorkflowService.class);
  }

  /** Returns the transport of messages to the tasks of sequences; empty without one. */
  public Optional<ChannelTransport> channels() {
    return Optional.ofNullable((ChannelTransport) features.find(ChannelTransport.class));
  }

  /**
   * Returns this engine's number among the executors, which changes with a recycle in place; null
   * if it runs no instances.
   */
  public @Nullable Long executorId() {
    return executors.current().executorId();
  }

  /** Returns the state of this engine, whose executor an operator may have ordered to drain. */
  public EngineState state() {
    return executors.current().state();
  }

  /** Returns why the executor stops or has stopped; empty while it works. */
  public Optional<StopReason> stopReason() {
    return executors.current().stopReason();
  }

  /** Returns the number of instances that this engine holds now. */
  public int leasedInstanceCount() {
    return executors.current().leasedCount();
  }

  /**
   * Looks for due work now instead of at the next poll; useful after a start in the caller's own
   * transaction.
   */
  public void poll() {
    executors.current().pollEverywhere();
  }

  /** Returns the values by group and key, for use outside of handlers. */
  public KeyValues keyValues() {
    return new KeyValueService(store.role(KeyValueStore.class), StoreCaller.DIRECT);
  }

  /** Returns the ledger of the periods that were done, for use outside of handlers. */
  public PeriodLedgerClient periodLedger() {
    return new PeriodLedgerClient(store.role(PeriodLedgerStore.class));
  }

  /**
   * Returns a comparison of a source's records with those committed before, for use outside of
   * handlers: commits happen at once. Records that one result of this method has reserved are not
   * in another result.
   *
   * @param group 1 to 200 characters
   */
  public Reduce reduce(String group) {
    String owner =
        "executor %s engine %s user %s"
            .formatted(executorId(), executors.engineId(), reducers.incrementAndGet());
    return new ReduceService(
        new ReduceService.Context(
            store.role(ReduceStore.class),
            StoreCaller.DIRECT,
            config.values().codec()::encode,
            null,
            owner,
            null),
        group);
  }

  /** Returns the archiving and deletion of ended instances. */
  public RetentionClient retention() {
    return new RetentionClient(store.retention());
  }

  /**
   * Starts to work, for an engine that was only {@link EngineBuilder#open opened}. If that fails,
   * the engine is closed.
   *
   * @throws IllegalStateException if the engine was started before
   */
  public void start() {
    if (!started.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "The engine was started before, and can be started once only. Build another one.");
    }
    try {
      launcher.start(features::start);
      if (stopWithJvm) {
        hook = ShutdownHook.install("millrace-shutdown", this::close);
      }
    } catch (Throwable e) {
      EndSteps.runAfter(e, () -> drain(Duration.ZERO));
      throw e;
    }
  }

  /**
   * Stops to work: claims nothing more, releases instances whose handler has not started, lets
   * handlers finish and saves their results. Blocks until done. The client starts, controls and
   * shows instances until the engine is closed. A stopped engine cannot be started again.
   *
   * @param grace how long handlers may go on before they are cancelled
   */
  public void stop(Duration grace) {
    InstanceExecutor.checkStop();
    EndSteps.run(
        () -> features.stop(PATIENCE),
        () -> launcher.stopReplacing(PATIENCE),
        () -> executors.drain(grace));
  }

  /** Stops within the drain grace of the settings. */
  @Override
  public void close() {
    drain(config.settings().drainGrace());
  }

  /**
   * Stops the engine: claims nothing more, releases instances whose handler has not started, lets
   * handlers finish and saves their results. Blocks until done.
   *
   * @param grace how long handlers may go on before they are cancelled
   */
  public void drain(Duration grace) {
    InstanceExecutor.checkStop();
    if (!closed.compareAndSet(false, true)) {
      awaitEnd();
      return;
    }
    EndSteps.run(
        () -> features.stop(PATIENCE),
        () -> launcher.stopReplacing(PATIENCE),
        () -> executors.stop(grace),
        () -> features.close(PATIENCE),
        store::close,
        () -> {
          ShutdownHook installed = hook;
          if (installed != null) {
            installed.close();
          }
        },
        ended::countDown);
  }

  /**
   * Waits for the first caller. A second caller, such as a shutdown hook, must not go on before the
   * first has stopped everything.
   */
  private void awaitEnd() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
