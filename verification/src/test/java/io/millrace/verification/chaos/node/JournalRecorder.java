package io.millrace.verification.chaos.node;

import io.millrace.definition.AttemptInterceptor;
import io.millrace.definition.Next;
import io.millrace.definition.StateContext;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.Store;
import io.millrace.verification.chaos.journal.JournalClient;
import io.millrace.verification.support.AttemptFence;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A recorder that writes the activity of an engine to the journal: handlers, accepted transitions,
 * fences.
 */
final class JournalRecorder implements AttemptInterceptor, EngineListener {

  private final JournalClient journal;

  JournalRecorder(JournalClient journal) {
    this.journal = journal;
  }

  @Override
  public Next intercept(StateContext ctx, Chain chain) throws Exception {
    Map<String, Object> step = step(ctx);
    journal.record("START", step);
    String answer = "";
    try {
      Next next = chain.proceed();
      answer = next.getClass().getSimpleName();
      return next;
    } catch (Throwable thrown) {
      answer = thrown.toString();
      throw thrown;
    } finally {
      step.put("answer", answer);
      journal.note("END", step);
    }
  }

  private static Map<String, Object> step(StateContext ctx) {
    Fence fence = AttemptFence.of(ctx);
    Map<String, Object> step = new LinkedHashMap<>();
    step.put("id", fence.instanceId());
    step.put("type", ctx.type());
    step.put("state", ctx.state());
    step.put("seq", fence.seq());
    step.put("lv", fence.leaseVersion());
    step.put("executor", fence.executorId());
    step.put("attempt", ctx.attempt());
    return step;
  }

  @Override
  public void onEvent(EngineEvent event) {
    switch (event) {
      case EngineEvent.ResultFenced resultFenced ->
          journal.note(
              "FENCED", Map.of("id", resultFenced.instanceId(), "lv", resultFenced.leaseVersion()));
      case EngineEvent.LeaseLost given ->
          journal.note("GIVEN_UP", Map.of("executor", given.executorId(), "held", given.held()));
      case EngineEvent.InstanceRecovered instanceRecovered ->
          journal.note(
              "RECOVERED",
              Map.of(
                  "id",
                  instanceRecovered.instanceId(),
                  "dead",
                  instanceRecovered.deadExecutorId(),
                  "parked",
                  instanceRecovered.parked()));
      default -> {}
    }
  }

  /** Returns a store that writes accepted transitions to the journal once their commit is known. */
  Store watch(Store store) {
    InstanceStore work = store.instances();
    InstanceStore watched = proxy(InstanceStore.class, work, "save", args -> save(work, args[0]));
    return proxy(Store.class, store, "instances", args -> watched);
  }

  private List<SaveResult> save(InstanceStore work, Object request) {
    List<SaveRequest> saves = ((List<?>) request).stream().map(SaveRequest.class::cast).toList();
    List<SaveResult> results = work.save(saves);
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof SaveResult.Saved) {
        saved(saves.get(i));
      }
    }
    return results;
  }

  private void saved(SaveRequest saveRequest) {
    Fence fence = saveRequest.fence();
    journal.note(
        "SAVED",
        Map.of(
            "id", fence.instanceId(),
            "seq", fence.seq() + 1,
            "lv", fence.leaseVersion(),
            "executor", fence.executorId(),
            "from", saveRequest.entry().from(),
            "to", saveRequest.target().state()));
  }

  @FunctionalInterface
  private interface Call {
    Object on(Object[] args);
  }

  private static <T> T proxy(Class<T> type, T target, String method, Call own) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, called, args) -> {
              if (called.getName().equals(method)) {
                return own.on(args);
              }
              try {
                return called.invoke(target, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(proxy);
  }
}
