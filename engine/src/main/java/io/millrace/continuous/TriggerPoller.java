package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.data.PeriodId;
import io.millrace.extension.EngineServices;
import io.millrace.instance.StartRequest;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.FirePeriod;
import io.millrace.store.ContinuousStore.FireResult;
import io.millrace.store.ContinuousStore.OfferedEvent;
import io.millrace.store.ContinuousStore.TriggerFire;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A poller that opens triggers, polls them, and starts executions of their events. Thread-safe. */
final class TriggerPoller {

  private static final Logger LOG = LoggerFactory.getLogger(TriggerPoller.class);

  /** Number of unconfirmed fires in a row after which the workflow fails. */
  private static final int MAX_UNCONFIRMED = 5;

  /** Delay until a held period is claimed again. */
  private static final PollResult.WaitFor HELD = new PollResult.WaitFor(Duration.ofSeconds(10));

  private final ContinuousStore store;
  private final EngineServices services;
  private final Codec codec;
  private final ExecutionEndTracker tracker;
  private final MissedPeriodRecorder recorder;
  private final Callbacks callbacks;

  /** Number of unconfirmed fires in a row. */
  private final Map<String, Integer> unconfirmed = new ConcurrentHashMap<>();

  /** Receivers of what the poller learns. */
  interface Callbacks {
    /** Returns true while this engine knows for certain what it owns. */
    boolean mayFire();

    /** Reports that the trigger has failed. */
    void failed(TriggerRun run, Throwable fault);

    /** Reports that the run may differ from the database, and must be compared with it. */
    void doubtful(TriggerRun run);

    /**
     * Reports that it is unknown whether an event was or will be written, so that the workflow
     * needs another epoch.
     */
    void unconfirmedFire(TriggerRun run);

    /** Reports that the trigger pauses. */
    void pauses(TriggerRun run, PollResult.WaitFor waitFor);

    /** Reports that an execution has ended, as far as this engine knows. */
    void ended();
  }

  /** An event that is being written to the database. */
  private record FiringEvent(
      Object payload,
      @Nullable String key,
      @Nullable String position,
      @Nullable Long offered,
      PollResult.@Nullable EventPeriod once,
      PollResult.MemoryChange memory,
      Runnable accepted) {

    static FiringEvent of(PollResult.Event event) {
      return new FiringEvent(
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

    private static PeriodId ofLedger(String workflow, String period) {
      return new PeriodId(PollResult.EventPeriod.LEDGER_KEY_PREFIX + workflow, period);
    }
  }

  TriggerPoller(
      ContinuousStore store,
      EngineServices services,
      Codec codec,
      ExecutionEndTracker tracker,
      Callbacks callbacks) {
    this.store = store;
    this.services = services;
    this.codec = codec;
    this.tracker = tracker;
    this.recorder = new MissedPeriodRecorder(store);
    this.callbacks = callbacks;
  }

  /** Opens a source; closes it again if the run was closed in the meantime. */
  void open(TriggerRun run) {
    try {
      run.open();
    } catch (Throwable fault) {
      callbacks.failed(run, fault);
    } finally {
      run.releaseSource();
    }
  }

  /** Polls a trigger for its next event. */
  void ask(TriggerRun run) {
    if (!run.begin()) {
      return;
    }
    try {
      PollResult answer = run.poll();
      if (run.isAlive()) {
        take(run, answer);
      }
    } catch (Throwable fault) {
      callbacks.failed(run, fault);
    } finally {
      run.releaseSource();
    }
  }

  private void take(TriggerRun run, PollResult answer) {
    switch (answer) {
      case PollResult.WaitFor waitFor -> callbacks.pauses(run, waitFor);
      case PollResult.WaitUntilWoken ignored -> run.pause(null);
      case PollResult.Event event -> startExecution(run, FiringEvent.of(event));
      case PollResult.MissedPeriods missedPeriods -> miss(run, missedPeriods);
      case PollResult.Offered(OfferedEvent offeredEvent) -> {
        Object payload = codec.decode(offeredEvent.payload(), Object.class);
        startExecution(
            run,
            new FiringEvent(
                payload == null ? "" : payload,
                offeredEvent.key(),
                null,
                offeredEvent.id(),
                null,
                PollResult.MemoryChange.UNCHANGED,
                () -> {}));
      }
    }
  }

  private void miss(TriggerRun run, PollResult.MissedPeriods missedPeriods) {
    try {
      if (!callbacks.mayFire() || !recorder.record(run, missedPeriods)) {
        callbacks.doubtful(run);
        return;
      }
    } catch (StoreException e) {
      if (e.rejected()) {
        throw e;
      }
      LOG.debug("The missed periods of '{}' will be recorded later", run.name(), e);
      callbacks.pauses(run, HELD);
      return;
    }
    acknowledge(run, missedPeriods.accepted());
    run.passed(missedPeriods.position());
  }

  /** Starts an execution of an event, unless this run may not fire now. */
  private void startExecution(TriggerRun run, FiringEvent event) {
    if (!callbacks.mayFire()) {
      callbacks.doubtful(run);
      return;
    }
    tracker.fireStarted();
    try {
      FireResult result = write(run, event);
      if (result != null) {
        learn(run, event, result);
      }
    } finally {
      tracker.fireEnded();
    }
  }

  /** Writes the fire of an event. Returns null if the result is unknown. */
  private @Nullable FireResult write(TriggerRun run, FiringEvent event) {
    StartRequest request =
        StartRequest.of(
                run.workflow().events().type(), TriggerEvent.input(run.start(), event.payload))
            .version(run.workflow().events().version());
    if (event.key != null) {
      request = request.externalId(EventExternalIds.externalId(run.name(), event.key));
    }
    try {
      return store.fire(
          new TriggerFire(
              run.owner(),
              run.generation(),
              event.position,
              services.prepare(request, services.executorGroup()),
              event.offered,
              event.period(run.name()),
              new ContinuousStore.MemoryChange(event.memory.added(), event.memory.removed())));
    } catch (StoreException e) {
      if (e.rejected() || unconfirmed.merge(run.name(), 1, Integer::sum) >= MAX_UNCONFIRMED) {
        unconfirmed.remove(run.name());
        throw e;
      }
      LOG.debug("It is not known whether an event of '{}' was written", run.name(), e);
      callbacks.unconfirmedFire(run);
      services.poll();
      return null;
    }
  }

  private void learn(TriggerRun run, FiringEvent event, FireResult result) {
    switch (result) {
      case FireResult.Started started -> {
        LOG.debug("An event of '{}' runs as execution {}", run.name(), started.executionId());
        accepted(run, event, started.executionId());
      }
      case FireResult.Duplicate duplicate -> {
        LOG.debug("An event of '{}' came again: execution {}", run.name(), duplicate.executionId());
        accepted(run, event, duplicate.executionId());
        tracker.mayHaveEnded(run.name());
        callbacks.ended();
      }
      case FireResult.PeriodClosed periodClosed -> {
        LOG.info(
            "Period {} is not begun by its trigger: in the ledger it is {}",
            periodClosed.period().id(),
            periodClosed.period().state().code());
        unconfirmed.remove(run.name());
        acknowledge(run, event.accepted);
        run.passed(event.position);
      }
      case FireResult.PeriodHeld periodHeld -> {
        LOG.debug(
            "Period {} is held by {}",
            periodHeld.period().id(),
            periodHeld.period().hold().holder());
        unconfirmed.remove(run.name());
        callbacks.pauses(run, HELD);
      }
      case FireResult.NotOwner ignored -> {
        LOG.debug("An event of {} was refused", run);
        callbacks.doubtful(run);
      }
    }
  }

  private void accepted(TriggerRun run, FiringEvent event, long executionId) {
    unconfirmed.remove(run.name());
    run.fired(executionId, event.position);
    boolean over = tracker.expect(executionId, run.name());
    services.poll();
    acknowledge(run, event.accepted);
    run.await();
    if (over) {
      callbacks.ended();
    }
  }

  /** Tells the trigger that its event was accepted; it may fail at that. */
  private static void acknowledge(TriggerRun run, Runnable accepted) {
    try {
      accepted.run();
    } catch (RuntimeException e) {
      LOG.warn("The trigger of '{}' failed when its event was accepted", run.name(), e);
    }
  }
}
