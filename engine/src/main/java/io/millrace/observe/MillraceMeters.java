package io.millrace.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.event.EngineView;
import io.millrace.instance.HistoryEntryType;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The engine's meters, for any registry of Micrometer: {@code
 * Engine.builder().listener(MillraceMeters.to(registry))}. No meter has an instance or an executor
 * as a tag. Several engines may share one object: their numbers are added up. Thread-safe.
 */
public final class MillraceMeters implements EngineListener {

  /**
   * Maximum number of pairs of type and state, or of type and status, that get a meter of their
   * own.
   */
  public static final int MAX_PAIRS = 1000;

  private final Timer claims;
  private final DistributionSummary claimBatches;
  private final Timer claimLag;
  private final Timer saves;
  private final DistributionSummary saveBatches;
  private final Counter savesDelayed;
  private final Counter leasesLost;
  private final Counter recovered;
  private final Counter parked;
  private final MeterFamily<AttemptTimers> attempts;
  private final MeterFamily<Counter> ended;
  private final MeterFamily<Counter> fenced;
  private final MeterFamily<Counter> stuckReports;
  private final Timer warm;
  private final Timer cold;
  private final Timer coldStarts;

  /** Types of which an attempt has been made since the last executor joined. */
  private final Set<String> begun = ConcurrentHashMap.newKeySet();

  private final EngineGauges gauges;

  private MillraceMeters(MeterRegistry registry, Tags tags, int mostPairs) {
    MeterFactory make = new MeterFactory(registry, tags);
    claims = make.timer("millrace.claims", "Claims that found something due");
    claimBatches = make.sizes("millrace.claim.size", "Instances of one claim");
    claimLag = make.timer("millrace.claim.lag", "How late the latest instance of a claim was");
    saves = make.timer("millrace.saves", "Transactions that saved transitions");
    saveBatches = make.sizes("millrace.save.size", "Transitions of one transaction");
    savesDelayed =
        make.counter("millrace.saves.delayed", "Saves that the database did not answer", tags);
    leasesLost = make.counter("millrace.leases.lost", "Times that the lease was not renewed", tags);
    String recoveries = "Instances taken from dead executors";
    recovered = make.counter("millrace.recoveries", recoveries, tags.and("parked", "false"));
    parked = make.counter("millrace.recoveries", recoveries, tags.and("parked", "true"));
    attempts =
        new MeterFamily<>(
            mostPairs,
            (type, state) -> new AttemptTimers(registry, tags.and("type", type, "state", state)));
    ended =
        new MeterFamily<>(
            mostPairs,
            (type, status) ->
                make.counter(
                    "millrace.instances.ended",
                    "Instances that ended here",
                    tags.and("type", type, "status", status)));
    fenced =
        new MeterFamily<>(
            mostPairs,
            (type, none) ->
                make.counter(
                    "millrace.fenced",
                    "Results refused because the lease had passed on",
                    tags.and("type", type)));
    stuckReports =
        new MeterFamily<>(
            mostPairs,
            (type, state) ->
                make.counter(
                    "millrace.stuck.reports",
                    "Reports of handlers beyond the threshold",
                    tags.and("type", type, "state", state)));
    String setups = "Time until an executor was ready";
    warm = make.timer("millrace.setup", setups, tags.and("warm", "true"));
    cold = make.timer("millrace.setup", setups, tags.and("warm", "false"));
    coldStarts = make.timer("millrace.cold.starts", "First attempts of a type on an executor");
    gauges = new EngineGauges(registry, tags);
  }

  /** Returns meters in {@code registry}. */
  public static MillraceMeters to(MeterRegistry registry) {
    return to(registry, Tags.empty());
  }

  /**
   * Returns meters in {@code registry}.
   *
   * @param tags distinguish several engines of one process
   */
  public static MillraceMeters to(MeterRegistry registry, Tags tags) {
    return new MillraceMeters(registry, tags, MAX_PAIRS);
  }

  static MillraceMeters to(MeterRegistry registry, int mostPairs) {
    return new MillraceMeters(registry, Tags.empty(), mostPairs);
  }

  @Override
  public void onStart(EngineView engine) {
    gauges.add(engine);
  }

  @Override
  public void onEvent(EngineEvent event) {
    switch (event) {
      case EngineEvent.TransitionSaved saved -> transitionSaved(saved.type(), saved.transition());
      case EngineEvent.BatchClaimed claimed -> {
        claims.record(claimed.took());
        claimBatches.record(claimed.size());
        claimLag.record(claimed.lag());
      }
      case EngineEvent.BatchSaved saved -> {
        saves.record(saved.took());
        saveBatches.record(saved.size());
      }
      case EngineEvent.SaveDelayed delayed -> savesDelayed.increment();
      case EngineEvent.LeaseLost lost -> leasesLost.increment();
      case EngineEvent.InstanceRecovered taken -> (taken.parked() ? parked : recovered).increment();
      case EngineEvent.ResultFenced refused -> fenced.of(refused.type(), "").increment();
      case EngineEvent.HandlerStuck handlerStuck ->
          stuckReports.of(handlerStuck.type(), handlerStuck.state()).increment();
      case EngineEvent.ExecutorStopped stopped -> gauges.remove(stopped.executorId());
      case EngineEvent.ExecutorStarted started -> begun.clear();
      case EngineEvent.ExecutorReady ready -> (ready.warm() ? warm : cold).record(ready.setup());
      case EngineEvent.AttemptStarted started -> {}
    }
  }

  private void transitionSaved(String type, EngineEvent.Transition transition) {
    if (transition.type() == HistoryEntryType.STATE_EXECUTION
        || transition.type() == HistoryEntryType.STATE_EXECUTION_FAILED) {
      attempts
          .of(type, transition.from())
          .of(AttemptTimers.Outcome.of(transition))
          .record(transition.took());
      if (begun.size() < MAX_PAIRS && begun.add(type)) {
        coldStarts.record(transition.took());
      }
    }
    if (transition.status().isTerminal()) {
      ended.of(type, transition.status().code()).increment();
    }
  }
}
