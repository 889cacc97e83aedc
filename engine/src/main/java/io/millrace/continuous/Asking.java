package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.data.FireId;
import io.millrace.instance.StartRequest;
import io.millrace.store.AlwaysOnStore;
import io.millrace.store.AlwaysOnStore.FirePeriod;
import io.millrace.store.AlwaysOnStore.FireResult;
import io.millrace.store.AlwaysOnStore.TriggerFire;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens triggers, asks them, and starts executions of their events. Thread-safe. */
final class Asking {

  private static final Logger LOG = LoggerFactory.getLogger(Asking.class);

  /** An event whose fire stays in doubt so often in a row is a failure of the workflow. */
  private static final int MOST_DOUBTS = 5;

  /** Before it is asked again whether a period that somebody holds has been given back. */
  private static final Poll.Rest HELD = new Poll.Rest(Duration.ofSeconds(10));

  private final AlwaysOnStore store;
  private final ContinuousHost host;
  private final Codec codec;
  private final Ends ends;
  private final MissedPeriodRecorder recorder;
  private final Judge judge;

  /** How often in a row it was not learnt what became of a fire. */
  private final Map<String, Integer> doubts = new ConcurrentHashMap<>();

  /** Whom it tells. */
  interface Judge {
    /** True while this engine knows that it owns what it believes to own. */
    boolean mayFire();

    /** The trigger has failed. */
    void failed(TriggerRun run, Throwable fault);

    /** The run is not what the database has, or may not be. */
    void doubtful(TriggerRun run);

    /** It is not known whether an event was written, or will be. */
    void uncertain(TriggerRun run);

    /** The trigger rests. */
    void rests(TriggerRun run, Poll.Rest rest);

    /** An execution has ended, as far as this engine knows. */
    void ended();
  }

  /** An event on its way into the database. */
  private record Fired(
      Object payload,
      @Nullable String key,
      @Nullable String position,
      @Nullable Long offer,
      Poll.@Nullable Once once,
      Poll.Memory memory,
      Runnable accepted) {

    static Fired of(Poll.Event event) {
      return new Fired(
          event.payload(),
          event.id(),
          event.position(),
          null,
          event.once(),
          event.memory(),
          event.accepted());
    }

    @Nullable FirePeriod period(String workflow) {
      return once == null
          ? null
          : new FirePeriod(
              ofLedger(workflow, once.period()),
              once.missed().stream().map(key -> ofLedger(workflow, key)).toList());
    }

    private static FireId ofLedger(String workflow, String period) {
      return new FireId(Poll.Once.SCHEDULE + workflow, period);
    }
  }

  Asking(AlwaysOnStore store, ContinuousHost host, Codec codec, Ends ends, Judge judge) {
    this.store = store;
    this.host = host;
    this.codec = codec;
    this.ends = ends;
    this.recorder = new MissedPeriodRecorder(store);
    this.judge = judge;
  }

  /** One that was closed meanwhile is closed by whoever opened it. */
  void open(TriggerRun run) {
    try {
      run.open();
    } catch (Throwable fault) {
      judge.failed(run, fault);
    } finally {
      run.leave();
    }
  }

  /** Asks a trigger for its next event. */
  void ask(TriggerRun run) {
    if (!run.begin()) {
      return;
    }
    try {
      Poll answer = run.poll();
      if (run.isAlive()) {
        take(run, answer);
      }
    } catch (Throwable fault) {
      judge.failed(run, fault);
    } finally {
      run.leave();
    }
  }

  private void take(TriggerRun run, Poll answer) {
    switch (answer) {
      case Poll.Rest rest -> judge.rests(run, rest);
      case Poll.UntilWoken ignored -> run.rest(null);
      case Poll.Event event -> fire(run, Fired.of(event));
      case Poll.Missed missed -> miss(run, missed);
      case Poll.Outside outside -> {
        TriggerScope.Offered offered = outside.offered();
        Object payload = codec.decode(offered.payload(), Object.class);
        fire(
            run,
            new Fired(
                payload == null ? "" : payload,
                offered.key(),
                null,
                offered.id(),
                null,
                Poll.Memory.UNCHANGED,
                () -> {}));
      }
    }
  }

  private void miss(TriggerRun run, Poll.Missed missed) {
    try {
      if (!judge.mayFire() || !recorder.record(run, missed)) {
        judge.doubtful(run);
        return;
      }
    } catch (StoreException e) {
      if (e.refused()) {
        throw e;
      }
      LOG.debug("The missed periods of '{}' will be recorded later", run.name(), e);
      judge.rests(run, HELD);
      return;
    }
    tell(run, missed.accepted());
    run.passed(missed.position());
  }

  private void fire(TriggerRun run, Fired event) {
    if (!judge.mayFire()) {
      judge.doubtful(run);
      return;
    }
    ends.firing();
    try {
      FireResult result = write(run, event);
      if (result != null) {
        learn(run, event, result);
      }
    } finally {
      ends.fired();
    }
  }

  /** Answers with null when it is not known what became of it. */
  private @Nullable FireResult write(TriggerRun run, Fired event) {
    StartRequest request =
        StartRequest.of(
                run.workflow().events().type(), TriggerEvent.input(run.start(), event.payload))
            .version(run.workflow().events().version());
    if (event.key != null) {
      request = request.externalId(Keys.externalId(run.name(), event.key));
    }
    try {
      return store.fire(
          new TriggerFire(
              run.owner(),
              run.generation(),
              event.position,
              host.prepare(request),
              event.offer,
              event.period(run.name()),
              new AlwaysOnStore.MemoryChange(event.memory.added(), event.memory.removed())));
    } catch (StoreException e) {
      if (e.refused() || doubts.merge(run.name(), 1, Integer::sum) >= MOST_DOUBTS) {
        doubts.remove(run.name());
        throw e;
      }
      LOG.debug("It is not known whether an event of '{}' was written", run.name(), e);
      judge.uncertain(run);
      host.wake();
      return null;
    }
  }

  private void learn(TriggerRun run, Fired event, FireResult result) {
    switch (result) {
      case FireResult.Started started -> {
        LOG.debug("An event of '{}' runs as execution {}", run.name(), started.executionId());
        accepted(run, event, started.executionId());
      }
      case FireResult.Known known -> {
        LOG.debug("An event of '{}' came again: execution {}", run.name(), known.executionId());
        accepted(run, event, known.executionId());
        ends.suspect(run.name());
        judge.ended();
      }
      case FireResult.Passed passed -> {
        LOG.info(
            "Period {} is not begun by its trigger: in the ledger it is {}",
            passed.period().id(),
            passed.period().state().code());
        doubts.remove(run.name());
        tell(run, event.accepted);
        run.passed(event.position);
      }
      case FireResult.Held held -> {
        LOG.debug("Period {} is held by {}", held.period().id(), held.period().hold().holder());
        doubts.remove(run.name());
        judge.rests(run, HELD);
      }
      case FireResult.Lost ignored -> {
        LOG.debug("An event of {} was refused", run);
        judge.doubtful(run);
      }
    }
  }

  private void accepted(TriggerRun run, Fired event, long executionId) {
    doubts.remove(run.name());
    run.fired(executionId, event.position);
    boolean over = ends.expect(executionId, run.name());
    host.wake();
    tell(run, event.accepted);
    run.await();
    if (over) {
      judge.ended();
    }
  }

  private static void tell(TriggerRun run, Runnable accepted) {
    try {
      accepted.run();
    } catch (RuntimeException e) {
      LOG.warn("The trigger of '{}' failed when its event was accepted", run.name(), e);
    }
  }
}
