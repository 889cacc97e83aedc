package io.millrace.verification.kill;

import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.definition.StepInterceptor;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.instance.ActionType;
import io.millrace.sequence.TaskContext;
import io.millrace.store.Fence;
import io.millrace.store.OutboxStore;
import io.millrace.store.ScheduleStore;
import io.millrace.store.Store;
import io.millrace.verification.kill.Stop.Point;
import io.millrace.verification.support.Proxies;
import io.millrace.verification.support.StepFence;
import java.util.HashMap;
import java.util.Map;

/** Stops executions of a node where their workflows say, and tells of every attempt. */
final class Stops implements StepInterceptor, EngineListener {

  private final Gates gates;

  /** How many tasks of an execution are saved, as far as this node has saved them. */
  private final Map<Long, Integer> saved = new HashMap<>();

  private final Map<Long, Stop> stops = new HashMap<>();

  Stops(Gates gates) {
    this.gates = gates;
  }

  /** Stops at this point if this is where the workflow stops. */
  void at(Point point, String workflowId, int sequence) {
    Stop stop = new Stop(point, sequence);
    if (stop.equals(Stop.of(workflowId))) {
      reach(stop);
    }
  }

  private void reach(Stop stop) {
    Gates.say("AT " + stop.workflowId());
    gates.pass(Gates.POINTS);
  }

  /** What every task does: counts how many have run. */
  void handle(TaskContext task) {
    Stop stop = Stop.of(task.workflowId());
    if (stop.waits() && stop.waitsIn() == task.sequence()) {
      gates.pass(stop.point() == Point.BETWEEN ? Gates.BETWEEN : Gates.WAIT);
    }
    at(Point.HANDLER, task.workflowId(), task.sequence());
    task.pass("count", task.result("count", Integer.class).orElse(0) + 1);
  }

  @Override
  public Next intercept(StateContext ctx, Chain chain) throws Exception {
    String workflowId = String.valueOf(ctx.businessKey());
    Fence fence = StepFence.of(ctx);
    synchronized (gates) {
      stops.put(ctx.instanceId(), Stop.of(workflowId));
    }
    int sequence = Stop.TASKS.indexOf(ctx.state()) + 1;
    at(Point.TAKEN, workflowId, sequence);
    Gates.say(
        "BEGIN %d %s %d %d"
            .formatted(ctx.instanceId(), ctx.state(), ctx.seq(), fence.leaseVersion()));
    Next next = chain.proceed();
    at(Point.ANSWERED, workflowId, sequence);
    return next;
  }

  @Override
  public void onEvent(EngineEvent event) {
    if (event instanceof EngineEvent.StepSaved step
        && step.step().action() == ActionType.STATE_EXECUTION) {
      saved(step.instanceId());
    }
  }

  private void saved(long executionId) {
    synchronized (gates) {
      int sequence = saved.merge(executionId, 1, Integer::sum);
      Stop stop = stops.get(executionId);
      Gates.say("SAVED " + sequence + " " + (stop == null ? executionId : stop.workflowId()));
      if (new Stop(Point.BETWEEN, sequence).equals(stop)) {
        Gates.say("AT " + stop.workflowId());
      }
      gates.notifyAll();
    }
  }

  /** Holds back what becomes of a message whose execution stops when its task is saved. */
  void acknowledge(long executionId, String workflowId, int sequence) {
    if (!new Stop(Point.SAVED, sequence).equals(Stop.of(workflowId))) {
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
    reach(new Stop(Point.SAVED, sequence));
  }

  /** A store that stops what it fires, and looks for messages only when that is let through. */
  Store around(Store store) {
    OutboxStore outbox =
        Proxies.proxy(
            OutboxStore.class,
            (method, args) -> {
              if (method.getName().equals("take")) {
                gates.pass(Gates.NODE);
                gates.pass(Gates.SEND);
              }
              return Proxies.invoke(store.outbox(), method, args);
            });
    ScheduleStore schedules =
        Proxies.proxy(
            ScheduleStore.class,
            (method, args) -> {
              if (method.getName().equals("settle")) {
                gates.pass(Gates.NODE);
              }
              Object answer = Proxies.invoke(store.schedules(), method, args);
              if (answer instanceof ScheduleStore.Fired fired) {
                fired.executions().keySet().forEach(id -> at(Point.FIRED, id, 1));
              }
              return answer;
            });
    return Proxies.proxy(
        Store.class,
        (method, args) ->
            switch (method.getName()) {
              case "outbox" -> outbox;
              case "schedules" -> schedules;
              default -> Proxies.invoke(store, method, args);
            });
  }
}
