package io.millrace;

import io.millrace.continuous.ContinuousWorkflows;
import io.millrace.data.KeyValues;
import io.millrace.data.Reduce;
import io.millrace.dispatch.Dispatch;
import io.millrace.instance.StopReason;
import io.millrace.lifecycle.EngineSettings;
import io.millrace.lifecycle.EngineState;
import io.millrace.lifecycle.ShutdownHook;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.SequenceEngine;
import io.millrace.sequence.Sequences;
import io.millrace.store.Caller;
import io.millrace.store.FireStore;
import io.millrace.store.KeyBook;
import io.millrace.store.ReduceBook;
import io.millrace.store.ReduceStore;
import io.millrace.store.RetentionStore;
import io.millrace.store.Store;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A running engine: runs the instances of its definitions on this process, together with all other
 * engines of its group. Thread-safe. Close it to stop in good order; when the process dies instead,
 * other engines take its work over.
 */
public final class Engine implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Store store;
  private final Seat seat;
  private final WorkflowClient client;
  private final Operations operations;
  private final Nodes nodes;
  private final SequenceEngine sequences;
  private final EngineSettings settings;
  private final AtomicLong reducers = new AtomicLong();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable ShutdownHook hook;

  Engine(
      Store store,
      Seat seat,
      WorkflowClient client,
      Operations operations,
      Nodes nodes,
      SequenceEngine sequences,
      EngineSettings settings) {
    this.store = store;
    this.seat = seat;
    this.client = client;
    this.operations = operations;
    this.nodes = nodes;
    this.sequences = sequences;
    this.settings = settings;
  }

  void stopWithJvm() {
    hook = ShutdownHook.install("millrace-shutdown", this::close);
  }

  public static EngineBuilder builder() {
    return new EngineBuilder();
  }

  /** Starts, steers and shows instances. */
  public WorkflowClient client() {
    return client;
  }

  /** Numbers, groups of failures, executors, and the audit trail. */
  public Operations operations() {
    return operations;
  }

  /** The executors as nodes of a cluster: cordon, drain, and replace one after another. */
  public Nodes nodes() {
    return nodes;
  }

  /** Workflows of tasks, and their schedules. */
  public Sequences sequences() {
    return sequences.sequences();
  }

  /** Workflows that wait for events for ever, of all nodes. */
  public ContinuousWorkflows continuous() {
    return seat.current().continuous().workflows();
  }

  /** What carries messages to the tasks of sequences; empty without one. */
  public Optional<ChannelTransport> channels() {
    return sequences.transport();
  }

  /**
   * This engine's number among the executors, another one after a recycle in place; null when it
   * runs no instances.
   */
  public @Nullable Long executorId() {
    return seat.dispatch().executorId();
  }

  /** How far this engine is on its way to the end; others may ask it to stop working. */
  public EngineState state() {
    return seat.dispatch().state();
  }

  /** Why its executor stops, or has stopped; empty while it has not begun to. */
  public Optional<StopReason> stopReason() {
    return seat.dispatch().stopReason();
  }

  /** Instances this engine holds now. */
  public int held() {
    return seat.dispatch().held();
  }

  /**
   * Looks for due work now instead of at the end of its rest; of use after a start in the caller's
   * own transaction.
   */
  public void wake() {
    seat.dispatch().wakeAll();
  }

  /** Values by group and key, for use outside of handlers. */
  public KeyValues keyValues() {
    return new KeyBook(store.keyValues(), Caller.DIRECT);
  }

  /** Which periods of which schedules were done, for use outside of handlers. */
  public FireStore fires() {
    return store.fires();
  }

  /**
   * Passes on those records of a source that are new or have changed, for use outside of handlers:
   * commits happen at once. What one answer of this method has reserved, another does not get.
   *
   * @param group 1 to 200 characters
   */
  public Reduce reduce(String group) {
    String owner =
        "executor %s engine %s user %d"
            .formatted(executorId(), seat.id(), reducers.incrementAndGet());
    return new ReduceBook(
        new ReduceBook.Desk(
            store.reductions(), Caller.DIRECT, operations.codec()::encode, null, owner, null),
        group);
  }

  /** Hashes of records that were seen before, for use outside of handlers. */
  public ReduceStore reductions() {
    return store.reductions();
  }

  /** Takes ended instances out of the way. */
  public RetentionStore retention() {
    return store.retention();
  }

  /** Stops within the drain grace of the settings. */
  @Override
  public void close() {
    drain(settings.drainGrace());
  }

  /**
   * Stops: nothing more is claimed, what was not begun is given back, handlers may end, results are
   * saved. Blocks until done.
   *
   * @param grace how long handlers may go on before they are cancelled
   */
  public void drain(Duration grace) {
    Dispatch.checkStop();
    if (!closed.compareAndSet(false, true)) {
      awaitEnd();
      return;
    }
    try {
      nodes.stop(PATIENCE);
      seat.close(PATIENCE);
      sequences.stop(PATIENCE);
      seat.stop(grace);
      sequences.close(PATIENCE);
    } finally {
      store.close();
      ShutdownHook installed = hook;
      if (installed != null) {
        installed.close();
      }
      ended.countDown();
    }
  }

  /**
   * A second caller, such as a shutdown hook, must not go on before the first has stopped
   * everything.
   */
  private void awaitEnd() {
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
