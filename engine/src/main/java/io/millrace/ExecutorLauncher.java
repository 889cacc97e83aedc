package io.millrace;

import io.millrace.dispatch.InstanceExecutor;
import io.millrace.dispatch.LocalExecutors;
import io.millrace.dispatch.NewInstanceFactory;
import io.millrace.event.EngineListener;
import io.millrace.extension.EngineServices;
import io.millrace.extension.ExecutorPart;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the executor of an engine with the parts of features, and its successor when it is
 * recycled in place: the old executor finishes the instances it holds while the new one already
 * works. Thread-safe.
 */
final class ExecutorLauncher {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorLauncher.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final InstanceExecutor.Config executorConfig;
  private final NewInstanceFactory instanceFactory;
  private final EngineServices services;
  private final LocalExecutors executors;
  private final Config config;
  private final List<LaunchedExecutor> launched = new CopyOnWriteArrayList<>();
  private final Lock changing = new ReentrantLock();
  private @Nullable LaunchedExecutor first;
  private boolean replaces = true;

  /**
   * The configuration of a launcher, for all executors that it starts.
   *
   * @param inPlace true if a recycle happens here, and not by the process
   * @param stopped called when the last executor has stopped on an order
   */
  record Config(
      EngineParts features, WarmUp.Config warmUp, boolean inPlace, Consumer<StopReason> stopped) {}

  ExecutorLauncher(
      InstanceExecutor.Config executorConfig,
      NewInstanceFactory instanceFactory,
      EngineServices services,
      LocalExecutors executors,
      Config config) {
    this.executorConfig = executorConfig;
    this.instanceFactory = instanceFactory;
    this.services = services;
    this.executors = executors;
    this.config = config;
  }

  /** An executor and the parts of features on it, from registration to stop. */
  private final class LaunchedExecutor {
    private final List<ExecutorPart> parts;
    private final InstanceExecutor executor;

    /** Registers a new executor in the group, which claims no work yet. */
    private LaunchedExecutor(EngineRuntime runtime) {
      parts = config.features.join(services.on(this::executor));
      List<EngineListener> listeners = new ArrayList<>(executorConfig.listeners());
      parts.forEach(part -> listeners.addAll(part.listeners()));
      executor =
          InstanceExecutor.start(
              new InstanceExecutor.Config(
                  executorConfig.store(),
                  runtime,
                  executorConfig.settings(),
                  executorConfig.definitions(),
                  executorConfig.values(),
                  listeners,
                  executorConfig.interceptors(),
                  executorConfig.features()),
              instanceFactory);
      executor.onMessage(config.features::messageWritten);
      executor.beforeStop(this::beforeStop);
      executor.onStopped(this::stopped);
    }

    private InstanceExecutor executor() {
      return executor;
    }

    /** Warms the executor up and lets it claim work. Returns true if it is warm. */
    private boolean open() {
      boolean warm =
          executor.executorId() == null
              || new WarmUp(executorConfig).run(config.warmUp, () -> executor.ready(true));
      executor.open();
      return warm;
    }

    /** Starts the parts of features and marks the executor as ready. */
    private void start(boolean warm) {
      if (executorConfig.settings().runsInstances()) {
        parts.forEach(ExecutorPart::start);
      }
      executor.ready(warm);
    }

    /** Stops the parts, of which two must never run, before a successor starts its own. */
    private void beforeStop(StopReason why) {
      stopParts(PATIENCE);
      if (config.inPlace && why == StopReason.RECYCLE) {
        replace();
      }
    }

    private void stopParts(Duration patience) {
      parts.reversed().forEach(part -> part.stop(patience));
    }

    private void stopped(StopReason why) {
      if (equals(launched.getLast())) {
        config.stopped.accept(why);
        return;
      }
      executors.remove(executor, executorConfig.runtime().runner().waiter());
      launched.remove(this);
      LOG.info("Executor {} has taken over in this process", executors.current().executorId());
    }
  }

  /** Registers the engine's first executor, which claims no work yet. */
  void register() {
    LaunchedExecutor registered = new LaunchedExecutor(executorConfig.runtime());
    first = registered;
    add(registered);
  }

  /**
   * Lets the first executor claim work, starts its parts after those of the engine, and marks it as
   * ready. A successor may have taken over meanwhile, which has started its own.
   *
   * @param parts starts the parts of the engine
   */
  void start(Runnable parts) {
    LaunchedExecutor registered = first;
    // Kept, it would hold the memory of an executor that was replaced.
    first = null;
    if (registered != null) {
      boolean warm = registered.open();
      parts.run();
      registered.start(warm);
    }
  }

  /** Returns what a feature offers to applications on the newest executor; null for nothing. */
  @Nullable Object find(Class<?> type) {
    return launched.getLast().parts.stream()
        .map(part -> part.clients().get(type))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private void add(LaunchedExecutor added) {
    launched.add(added);
    executors.add(added.executor);
  }

  /** Replaces the current executor, unless the engine is about to stop. */
  private void replace() {
    changing.lock();
    try {
      if (replaces) {
        add(successor());
      }
    } finally {
      changing.unlock();
    }
  }

  private LaunchedExecutor successor() {
    EngineRuntime all = executorConfig.runtime();
    LaunchedExecutor next =
        new LaunchedExecutor(
            new EngineRuntime(
                all.clock(), all.runner(), all.random(), all.process().withUptimeReset()));
    try {
      next.start(next.open());
      return next;
    } catch (Throwable e) {
      next.executor.stop(Duration.ZERO);
      throw e;
    }
  }

  /**
   * Stops replacing executors, and stops the parts of features. Waits for a replacement under way.
   */
  void stopReplacing(Duration patience) {
    changing.lock();
    try {
      replaces = false;
    } finally {
      changing.unlock();
    }
    launched.forEach(one -> one.stopParts(patience));
  }
}
