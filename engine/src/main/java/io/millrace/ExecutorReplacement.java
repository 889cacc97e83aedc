package io.millrace;

import io.millrace.continuous.ContinuousEngine;
import io.millrace.dispatch.InstanceExecutor;
import io.millrace.dispatch.NewInstanceFactory;
import io.millrace.event.EngineListener;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the executor of an engine, and its successor when it is recycled in place: the old
 * executor finishes the instances it holds while the new one already works. Thread-safe.
 */
final class ExecutorReplacement {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutorReplacement.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final EngineSequenceHost host;
  private final Config config;

  /**
   * The configuration of each executor of the engine.
   *
   * @param inPlace true if a recycle happens here, and not by the process
   * @param retired called when the last executor has stopped on request
   */
  record Config(
      InstanceExecutor.Config dispatch,
      NewInstanceFactory starts,
      ContinuousEngine.Config continuousConfig,
      WarmUp.Config warmUp,
      boolean inPlace,
      Consumer<StopReason> retired) {}

  ExecutorReplacement(EngineSequenceHost host, Config config) {
    this.host = host;
    this.config = config;
  }

  /** Creates the engine's first executor, which claims no work yet. */
  ExecutorSession first() {
    ExecutorSession first = join(host.runtime());
    host.executorSlot().install(first);
    return first;
  }

  /** Registers a new executor in the group. */
  private ExecutorSession join(EngineRuntime runtime) {
    InstanceExecutor.Config all = config.dispatch;
    ContinuousEngineNotifier events = new ContinuousEngineNotifier();
    List<EngineListener> listeners = new ArrayList<>(all.listeners());
    listeners.add(events);
    InstanceExecutor instanceExecutor =
        InstanceExecutor.start(
            new InstanceExecutor.Config(
                all.store(),
                runtime,
                all.settings(),
                all.definitions(),
                all.values(),
                listeners,
                all.interceptors()),
            config.starts);
    Store store = all.store();
    ContinuousEngine continuous =
        new ContinuousEngine(
            new ContinuousEngine.Stores(store.continuous(), store.audit()),
            config.continuousConfig,
            all.values().codec(),
            new EngineContinuousHost(host, instanceExecutor));
    events.tell(continuous);
    ExecutorSession session = new ExecutorSession(instanceExecutor, continuous);
    instanceExecutor.beforeStop(why -> leaving(session, why));
    instanceExecutor.onStopped(why -> retired(session, why));
    return session;
  }

  /** Warms an executor up and lets it claim work. Returns true if it is warm. */
  boolean activate(ExecutorSession session) {
    InstanceExecutor instanceExecutor = session.executor();
    boolean warm =
        instanceExecutor.executorId() == null
            || new WarmUp(host).run(config.warmUp, () -> instanceExecutor.ready(true));
    instanceExecutor.open();
    return warm;
  }

  /** Starts triggers and marks the executor as ready. */
  void start(ExecutorSession session, boolean warm) {
    if (host.settings().autostart()) {
      session.continuous().start();
    }
    session.executor().ready(warm);
  }

  /**
   * Closes the triggers of an executor that claims nothing more, before its successor opens them.
   */
  private void leaving(ExecutorSession session, StopReason why) {
    session.continuous().stop(PATIENCE);
    if (config.inPlace && why == StopReason.RECYCLE) {
      host.executorSlot().replace(this::successor);
    }
  }

  private ExecutorSession successor() {
    EngineRuntime all = host.runtime();
    ExecutorSession next =
        join(
            new EngineRuntime(
                all.clock(), all.runner(), all.random(), all.process().withUptimeReset()));
    try {
      start(next, activate(next));
      return next;
    } catch (RuntimeException e) {
      next.executor().stop(Duration.ZERO);
      throw e;
    }
  }

  private void retired(ExecutorSession session, StopReason why) {
    if (session.equals(host.executorSlot().current())) {
      config.retired.accept(why);
      return;
    }
    session.close(host.runtime().runner().waiter());
    host.executorSlot().remove(session);
    LOG.info(
        "Executor {} has taken over in this process", host.executorSlot().executor().executorId());
  }
}
