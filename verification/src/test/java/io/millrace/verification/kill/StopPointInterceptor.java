package io.millrace.verification.kill;

import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.fixtures.Proxies;
import io.millrace.instance.HistoryEntryType;
import io.millrace.sequence.TaskContext;
import io.millrace.store.Fence;
import io.millrace.store.OutboxStore;
import io.millrace.store.SequenceStore;
import io.millrace.store.Store;
import io.millrace.verification.kill.StopPoint.Point;
import io.millrace.verification.support.AttemptFence;
import java.util.HashMap;
import java.util.Map;

/**
 * An interceptor that stops the executions of a node where their sequences say, and reports every
 * attempt.
 */
final class StopPointInterceptor implements AttemptInterceptor, EngineListener {

  private final Gates gates;

  /** Number of saved tasks of each execution, as far as this node has saved them. */
  private final Map<Long, Integer> saved = new HashMap<>();

  private final Map<Long, StopPoint> stops = new HashMap<>();

  StopPointInterceptor(Gates gates) {
    this.gates = gates;
  }

  /** Stops the thread if the sequence stops at this point. */
  void at(Point point, String sequenceId, int sequence) {
    StopPoint stopPoint = new StopPoint(point, sequence);
    if (stopPoint.equals(StopPoint.of(sequenceId))) {
      reach(stopPoint);
    }
  }

  private void reach(StopPoint stopPoint) {
    Gates.say("AT " + stopPoint.sequenceId());
    gates.pass(Gates.POINTS);
  }

  /** Runs the body of every task, which counts the tasks that have run. */
  void handle(TaskContext task) {
    StopPoint stopPoint = StopPoint.of(task.sequenceId());
    if (stopPoint.waits() && stopPoint.waitsIn() == task.position()) {
      gates.pass(stopPoint.point() == Point.BETWEEN ? Gates.BETWEEN : Gates.WAIT);
    }
    at(Point.HANDLER, task.sequenceId(), task.position());
    task.setResult("count", task.result("count", Integer.class).orElse(0) + 1);
  }

  @Override
  public Next intercept(StateContext ctx, Chain chain) throws Exception {
    String sequenceId = String.valueOf(ctx.businessKey());
    Fence fence = AttemptFence.of(ctx);
    synchronized (gates) {
      stops.put(ctx.instanceId(), StopPoint.of(sequenceId));
    }
    int sequence = StopPoint.TASKS.indexOf(ctx.state()) + 1;
    at(Point.TAKEN, sequenceId, sequence);
    Gates.say(
        "BEGIN %s %s %s %s"
            .formatted(ctx.instanceId(), ctx.state(), ctx.seq(), fence.leaseVersion()));
    Next next = chain.proceed();
    at(Point.ANSWERED, sequenceId, sequence);
    return next;
  }

  @Override
  public void onEvent(EngineEvent event) {
    if (event instanceof EngineEvent.TransitionSaved saved
        && saved.transition().type() == HistoryEntryType.STATE_EXECUTION) {
      saved(saved.instanceId());
    }
  }

  private void saved(long executionId) {
    synchronized (gates) {
      int sequence = saved.merge(executionId, 1, Integer::sum);
      StopPoint stopPoint = stops.get(executionId);
      Gates.say(
          "SAVED " + sequence + " " + (stopPoint == null ? executionId : stopPoint.sequenceId()));
      if (new StopPoint(Point.BETWEEN, sequence).equals(stopPoint)) {
        Gates.say("AT " + stopPoint.sequenceId());
      }
      gates.notifyAll();
    }
  }

  /** Delays the acknowledgment of a message whose execution stops when its task is saved. */
  void acknowledge(long executionId, String sequenceId, int sequence) {
    if (!new StopPoint(Point.SAVED, sequence).equals(StopPoint.of(sequenceId))) {
      return;
    }
    synchronized (gates) {
      while (saved.getOrDefault(executionId, 0) < sequence && gates.isClosed(Gates.POINTS)) {
        try {
          gates.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
    reach(new StopPoint(Point.SAVED, sequence));
  }

  /**
   * Returns a store that stops executions when they are fired, and claims messages only when the
   * gates let it.
   */
  Store around(Store store) {
    OutboxStore outbox =
        Proxies.proxy(
            OutboxStore.class,
            (method, args) -> {
              if (method.getName().equals("claim")) {
                gates.pass(Gates.NODE);
                gates.pass(Gates.SEND);
              }
              return Proxies.invoke(store.role(OutboxStore.class), method, args);
            });
    SequenceStore schedules =
        Proxies.proxy(
            SequenceStore.class,
            (method, args) -> {
              if (method.getName().equals("recordEnds")) {
                gates.pass(Gates.NODE);
              }
              Object answer = Proxies.invoke(store.role(SequenceStore.class), method, args);
              if (answer instanceof SequenceStore.FireBatchResult fireBatchResult) {
                fireBatchResult.executions().keySet().forEach(id -> at(Point.FIRED, id, 1));
              }
              return answer;
            });
    return Proxies.withRole(
        Proxies.withRole(store, OutboxStore.class, outbox), SequenceStore.class, schedules);
  }
}
