package io.millrace.testing;

import io.millrace.instance.InstanceStatus;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.ContinuousStore.LogEntryType;
import io.millrace.store.ContinuousStore.Owner;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.RunStartCodes;
import io.millrace.store.StoredContinuousWorkflow;
import io.millrace.store.StoredContinuousWorkflow.OwnerRequest;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One continuous workflow with its log. Changed only under the lock of {@link MemoryTables}. */
final class MemoryContinuousRow {

  StoredContinuousWorkflow.Identity identity;
  boolean enabled;
  long enableCount;
  @Nullable OwnerRequest request;
  int revision = 1;
  boolean attention;
  Instant modified;

  @Nullable Long executorId;
  long epoch;
  @Nullable Long preferred;

  /** Mode of the next run; null for the default. */
  @Nullable String startMode;

  @Nullable String startReason;

  /** The newest run; null before the first. */
  StoredContinuousWorkflow.@Nullable Run run;

  long iterations;
  long fires;
  @Nullable Instant lastFire;
  @Nullable Instant lastEnd;
  @Nullable InstanceStatus lastResult;
  @Nullable Long executionId;
  @Nullable String position;

  int failures;
  @Nullable Instant backOffUntil;
  boolean crashLoop;
  @Nullable String error;
  @Nullable Instant downSince;
  @Nullable Instant debugUntil;
  @Nullable String debugBy;

  final NavigableMap<Long, LogEntry> log = new TreeMap<>();
  private long lastEntry;

  MemoryContinuousRow(Registration registration, Instant now) {
    this.identity = registration.identity();
    this.enabled = registration.enabled();
    this.modified = now;
    if (enabled) {
      enableCount = 1;
      startMode = RunStartCodes.AUTO;
      startReason = RunStartCodes.DEPLOY;
      downSince = now;
      enabled(RunStartCodes.DEPLOY, null, now);
    }
  }

  String name() {
    return identity.name();
  }

  boolean isEnabled() {
    return enabled;
  }

  boolean isOwnedBy(Owner owner) {
    return Objects.equals(executorId, owner.executorId()) && epoch == owner.epoch();
  }

  long generation() {
    return run == null ? 0 : run.generation();
  }

  boolean isOrphan(Instant now) {
    return isEnabled() && executorId == null && !isBackingOff(now);
  }

  boolean isBackingOff(Instant now) {
    return backOffUntil != null && backOffUntil.isAfter(now);
  }

  boolean isDebugged(Instant now) {
    return debugUntil != null && debugUntil.isAfter(now);
  }

  /** Records a change by others than the owner. */
  void changedByOthers(Instant now) {
    revision++;
    attention = executorId != null;
    modified = now;
  }

  void begin(long executor, Instant now) {
    boolean sameSeries = run != null && run.series() == enableCount;
    run =
        new StoredContinuousWorkflow.Run(
            enableCount,
            sameSeries ? generation() + 1 : 1,
            sameSeries && run != null ? run.seriesStarted() : now,
            now,
            startMode == null ? RunStartCodes.AUTO : startMode,
            startReason == null ? RunStartCodes.DEPLOY : startReason);
    executorId = executor;
    epoch++;
    startMode = null;
    startReason = null;
    iterations = 0;
    request = null;
    attention = false;
    preferred = null;
    backOffUntil = null;
    downSince = null;
    modified = now;
    happened(LogEntryType.STARTED, run.reason(), run.mode(), now);
  }

  void continueRun(StoredContinuousWorkflow.Run before, String reason, Instant now) {
    run =
        new StoredContinuousWorkflow.Run(
            before.series(),
            before.generation() + 1,
            before.seriesStarted(),
            now,
            RunStartCodes.CONTINUATION,
            reason);
    iterations = 0;
    request = request == OwnerRequest.CONTINUE ? null : request;
    modified = now;
    happened(LogEntryType.CONTINUED, reason, run.mode(), now);
  }

  /**
   * Releases the workflow. An operator's request in the meantime determines the mode of the next
   * run.
   */
  void release(String reason, Instant now) {
    happened(LogEntryType.RELEASED, reason, null, now);
    endRun(
        startMode == null ? RunStartCodes.AUTO : startMode,
        startReason == null ? reason : startReason,
        now);
  }

  void endRun(String mode, String reason, Instant now) {
    executorId = null;
    request = null;
    attention = false;
    startMode = isEnabled() ? mode : null;
    startReason = isEnabled() ? reason : null;
    downSince = isEnabled() ? now : null;
    modified = now;
  }

  void passTo(@Nullable String to, Instant now) {
    position = to;
    worksWell();
    modified = now;
  }

  /** Records that the execution has ended, or does not exist any more. */
  void endAcknowledged(@Nullable MemoryInstance execution, Instant now) {
    executionId = null;
    iterations += endedSince(run, execution) ? 1 : 0;
    lastEnd = now;
    lastResult = execution == null ? null : execution.status;
    worksWell();
    modified = now;
  }

  /**
   * Returns false if an event came again in a later run than the one in which its execution ended.
   */
  private static boolean endedSince(
      StoredContinuousWorkflow.@Nullable Run run, @Nullable MemoryInstance execution) {
    Instant ended = execution == null ? null : execution.ended;
    return run == null || ended == null || !ended.isBefore(run.started());
  }

  void worksWell() {
    failures = 0;
    crashLoop = false;
    error = null;
  }

  void enabled(String reason, @Nullable String detail, Instant now) {
    add(LogEntryType.ENABLED, reason, new LogEntry.RunNumbers(enableCount, 0, epoch), detail, now);
  }

  void happened(LogEntryType type, @Nullable String reason, @Nullable String detail, Instant now) {
    LogEntry.RunNumbers runNumbers =
        new LogEntry.RunNumbers(run == null ? 0 : run.series(), generation(), epoch);
    add(type, reason, runNumbers, detail, now);
  }

  private void add(
      LogEntryType type,
      @Nullable String reason,
      LogEntry.RunNumbers runNumbers,
      @Nullable String detail,
      Instant now) {
    lastEntry++;
    log.put(lastEntry, new LogEntry(lastEntry, now, type, reason, executorId, runNumbers, detail));
  }

  StoredContinuousWorkflow snapshot(Instant now) {
    boolean debugged = isDebugged(now);
    return new StoredContinuousWorkflow(
        identity,
        new StoredContinuousWorkflow.RequestedState(enabled, request, revision, modified),
        new StoredContinuousWorkflow.Ownership(executorId, epoch, preferred),
        run,
        new StoredContinuousWorkflow.Activity(
            iterations, fires, lastFire, lastEnd, lastResult, executionId),
        position,
        new StoredContinuousWorkflow.Health(
            failures,
            isBackingOff(now) ? backOffUntil : null,
            crashLoop,
            error,
            downSince,
            debugged ? debugUntil : null,
            debugged ? debugBy : null));
  }
}
