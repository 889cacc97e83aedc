package io.millrace;

import io.millrace.continuous.ContinuousEngine;
import io.millrace.dispatch.Dispatch;
import io.millrace.dispatch.Starts;
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
 * Brings an engine its executor, and another one when that is to be recycled in place: the old one
 * ends what it holds while the new one works already. Thread-safe.
 */
final class Succession {

  private static final Logger LOG = LoggerFactory.getLogger(Succession.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Hosting host;
  private final Parts parts;

  /**
   * What each executor of the engine is made of.
   *
   * @param inPlace whether a recycle is done here, and not by the process
   * @param retired told when the last executor has left because somebody asked it to
   */
  record Parts(
      Dispatch.Parts dispatch,
      Starts starts,
      ContinuousEngine.Parts endless,
      WarmUp.Plan warmUp,
      boolean inPlace,
      Consumer<StopReason> retired) {}

  Succession(Hosting host, Parts parts) {
    this.host = host;
    this.parts = parts;
  }

  /** The engine's first executor, which takes no work yet. */
  Tenure first() {
    Tenure first = join(host.runtime());
    host.seat().take(first);
    return first;
  }

  /** Joins the group. */
  private Tenure join(EngineRuntime runtime) {
    Dispatch.Parts all = parts.dispatch;
    ContinuousEnds events = new ContinuousEnds();
    List<EngineListener> listeners = new ArrayList<>(all.listeners());
    listeners.add(events);
    Dispatch dispatch =
        Dispatch.start(
            new Dispatch.Parts(
                all.store(),
                runtime,
                all.settings(),
                all.definitions(),
                all.values(),
                listeners,
                all.interceptors()),
            parts.starts);
    Store store = all.store();
    ContinuousEngine continuous =
        new ContinuousEngine(
            new ContinuousEngine.Stores(store.alwaysOn(), store.audit()),
            parts.endless,
            all.values().codec(),
            new ContinuousHosting(host, dispatch));
    events.tell(continuous);
    Tenure tenure = new Tenure(dispatch, continuous);
    dispatch.onLeaving(why -> leaving(tenure, why));
    dispatch.onRetired(why -> retired(tenure, why));
    return tenure;
  }

  /** Warms an executor up and has it take work; answers with whether it is warm. */
  boolean open(Tenure tenure) {
    Dispatch dispatch = tenure.dispatch();
    boolean warm =
        dispatch.executorId() == null
            || new WarmUp(host).run(parts.warmUp, () -> dispatch.ready(true));
    dispatch.open();
    return warm;
  }

  /** From now on events start executions here, and the executor counts as ready. */
  void begin(Tenure tenure, boolean warm) {
    if (host.settings().autostart()) {
      tenure.continuous().start();
    }
    tenure.dispatch().ready(warm);
  }

  /** It claims nothing more: its triggers are closed before its successor may open them. */
  private void leaving(Tenure tenure, StopReason why) {
    tenure.continuous().stop(PATIENCE);
    if (parts.inPlace && why == StopReason.RECYCLE) {
      host.seat().replace(this::successor);
    }
  }

  private Tenure successor() {
    EngineRuntime all = host.runtime();
    Tenure next =
        join(new EngineRuntime(all.clock(), all.runner(), all.random(), all.process().begunAnew()));
    try {
      begin(next, open(next));
      return next;
    } catch (RuntimeException e) {
      next.dispatch().stop(Duration.ZERO);
      throw e;
    }
  }

  private void retired(Tenure tenure, StopReason why) {
    if (tenure.equals(host.seat().current())) {
      parts.retired.accept(why);
      return;
    }
    tenure.end(host.runtime().runner().waiter());
    host.seat().remove(tenure);
    LOG.info("Executor {} has taken over in this process", host.seat().dispatch().executorId());
  }
}
