package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AuditStore;
import io.millrace.store.Hints;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The continuous workflows of one engine: their triggers, and the monitor that sees to it that they
 * run. Thread-safe.
 */
public final class ContinuousEngine {

  private final ContinuousHost host;
  private final Catalog catalog;
  private final Ends ends = new Ends();
  private final OpenTriggers triggers;
  private final Monitor monitor;
  private final ContinuousWorkflows workflows;
  private final Monitor.Holding holding;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private volatile Hints.@Nullable Subscription hints;

  /** The roles of the store that continuous workflows need. */
  public record Stores(AlwaysOnStore alwaysOn, AuditStore audit) {}

  /**
   * What runs here, and how. Two workflows of one name are refused with an {@link
   * io.millrace.instance.InvalidRequestException}.
   */
  public record Parts(ContinuousSettings settings, List<ContinuousWorkflow> workflows) {
    public Parts {
      Catalog.check(workflows);
      workflows = List.copyOf(workflows);
    }
  }

  /** Puts the parts together; nothing runs before {@link #start}. */
  public ContinuousEngine(Stores stores, Parts parts, Codec codec, ContinuousHost host) {
    AlwaysOnStore store = stores.alwaysOn;
    this.host = host;
    this.catalog = new Catalog(parts.workflows, parts.settings);
    Asking asking = new Asking(store, host, codec, ends, new Telling());
    this.triggers = new OpenTriggers(host, store, parts.settings, asking::open, asking::ask);
    Runs runs = new Runs(ends);
    Ownership ownership = new Ownership(store, catalog, host, runs, triggers);
    Monitor.Holding holding =
        new Monitor.Holding(runs, triggers, ownership, new Failures(store, host, runs), ends);
    this.monitor = new Monitor(store, catalog, host, parts.settings, codec, holding);
    this.holding = holding;
    this.workflows = new ContinuousWorkflows(stores, catalog, host, codec, monitor::wake);
  }

  /** The workflows of all nodes. */
  public ContinuousWorkflows workflows() {
    return workflows;
  }

  /** Begins to look and to wait; does nothing without a workflow. */
  public void start() {
    if (!catalog.isEmpty()) {
      triggers.start();
      monitor.start();
      hints = host.onHint(monitor::hint);
    }
  }

  /** An execution has ended here, or was left to a person. */
  public void ended(long executionId, String type) {
    if (hints == null || !catalog.hasType(type)) {
      return;
    }
    if (ends.ended(executionId)) {
      monitor.awake();
    }
  }

  /** The lease could not be renewed in time. */
  public void leaseLost() {
    if (hints != null) {
      monitor.leaseLost();
    }
  }

  /**
   * Closes all triggers and gives the workflows to other nodes, once; executions that run go on.
   */
  public void stop(Duration patience) {
    Hints.Subscription present = hints;
    if (present != null && stopped.compareAndSet(false, true)) {
      present.close();
      monitor.stop(patience);
      triggers.stop(patience);
    }
  }

  private final class Telling implements Asking.Judge {
    @Override
    public boolean mayFire() {
      return monitor.mayFire();
    }

    @Override
    public void failed(TriggerRun run, Throwable fault) {
      holding.failures().add(run, fault);
      monitor.wake();
    }

    @Override
    public void doubtful(TriggerRun run) {
      holding.ownership().doubt(run);
    }

    @Override
    public void uncertain(TriggerRun run) {
      holding.ownership().renew(run);
      monitor.suspect();
    }

    @Override
    public void rests(TriggerRun run, Poll.Rest rest) {
      triggers.rest(run, rest.rest());
    }

    @Override
    public void ended() {
      monitor.awake();
    }
  }
}
