package io.millrace.continuous;

import io.millrace.data.PeriodId;
import io.millrace.store.ContinuousStore;
import io.millrace.store.ContinuousStore.MissedPeriod;
import io.millrace.store.ContinuousStore.TriggerMiss;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the periods for which triggers fired no event in the period ledger and in the log. */
final class MissedPeriodRecorder {

  private static final Logger LOG = LoggerFactory.getLogger(MissedPeriodRecorder.class);

  /** Number of periods named in a log line. */
  private static final int NAMED = 10;

  private static final String BUSY =
      "its time passed while the execution of an earlier event was running";

  private final ContinuousStore store;

  /**
   * The last slot that was recorded while an execution runs, by workflow; used by the supervisor
   * only.
   */
  private final Map<String, Instant> recorded = new HashMap<>();

  MissedPeriodRecorder(ContinuousStore store) {
    this.store = store;
  }

  /**
   * Records missed periods that a source reports.
   *
   * @return false if this engine no longer owns the run
   */
  boolean record(TriggerRun run, PollResult.MissedPeriods missedPeriods) {
    return write(run, missedPeriods.periods(), missedPeriods.position());
  }

  /**
   * Records the windows that have ended while the executions of these runs were running. Their
   * sources are polled only after those have ended. Called by the supervisor about once a minute.
   */
  void recordWhileBusy(List<TriggerRun> runs, Instant now) {
    List<TriggerRun> busy =
        runs.stream()
            .filter(run -> run.executing() != null && !run.isRetired())
            .filter(run -> run.workflow().trigger() instanceof ScheduleTrigger)
            .toList();
    recorded.keySet().retainAll(busy.stream().map(TriggerRun::name).collect(Collectors.toSet()));
    for (TriggerRun run : busy) {
      if (run.workflow().trigger() instanceof ScheduleTrigger trigger) {
        ScheduleTrigger.MissedSlots passed =
            trigger.passedWindows(run, recorded.get(run.name()), BUSY, now);
        if (passed.last() != null && write(run, passed.periods(), null)) {
          recorded.put(run.name(), passed.last());
        }
      }
    }
  }

  private boolean write(
      TriggerRun run, List<PollResult.PassedPeriod> periods, @Nullable String position) {
    String schedule = PollResult.EventPeriod.LEDGER_KEY_PREFIX + run.name();
    List<MissedPeriod> missed =
        periods.stream()
            .map(one -> new MissedPeriod(new PeriodId(schedule, one.period()), one.reason()))
            .toList();
    Optional<List<PeriodId>> written =
        store.recordMissed(new TriggerMiss(run.owner(), run.generation(), position, missed));
    written.ifPresent(ids -> report(run, periods, ids));
    return written.isPresent();
  }

  /** Logs missed periods, except those that were recorded before or done by hand. */
  private static void report(
      TriggerRun run, List<PollResult.PassedPeriod> periods, List<PeriodId> ids) {
    if (!ids.isEmpty()) {
      List<String> keys = ids.stream().map(PeriodId::period).toList();
      LOG.warn(
          "Continuous workflow '{}' missed {} periods ({}): {}{}",
          run.name(),
          keys.size(),
          periods.stream()
              .filter(one -> one.period().equals(keys.getLast()))
              .map(PollResult.PassedPeriod::reason)
              .findFirst()
              .orElse("-"),
          keys.subList(0, Math.min(NAMED, keys.size())),
          keys.size() > NAMED ? " and more" : "");
    }
  }
}
