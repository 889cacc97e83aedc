package io.millrace.sequence;

import io.millrace.extension.EngineServices;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InstanceStatus;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartRequest;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.PlannedSlot;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.schedule.SlotDecision;
import io.millrace.schedule.SlotPlan;
import io.millrace.schedule.SlotPlanner;
import io.millrace.store.FireNumber;
import io.millrace.store.NewInstance;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Cancellation;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.FiredSlot;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.SequenceUpdate;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.SlotRecord;
import io.millrace.store.SequenceStore.StoredSequence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans the fires of sequences that are due, and of manual runs. */
final class FirePlanner {

  /** Delay after which a slot is late. With misfire NONE, late slots do not run. */
  static final Duration GRACE = Duration.ofMinutes(1);

  /** The actor of a cancellation that no operator has caused. */
  private static final String ACTOR = "schedule";

  private final SequenceMapper mapper;
  private final EngineServices services;
  private final SequenceSettings settings;

  FirePlanner(SequenceMapper mapper, EngineServices services, SequenceSettings settings) {
    this.mapper = mapper;
    this.services = services;
    this.settings = settings;
  }

  /** Plans the fires of a due sequence. */
  FirePlan planDue(Instant now, StoredSequence sequence) {
    SequenceStatus status = SequenceStatus.of(sequence);
    boolean running = isRunning(sequence);
    if (!sequence.flags().active() || sequence.flags().pausedBy() != null) {
      return noFireUntilChange(sequence);
    }
    if (sequence.flags().startRequested()) {
      return !running && SchedulerAction.START_REQUESTED.isAllowed(status)
          ? planRequested(now, sequence)
          : noFireUntilChange(sequence);
    }
    if (!running && !SchedulerAction.START_SCHEDULED.isAllowed(status)) {
      return noFireUntilChange(sequence);
    }
    Instant allowed =
        firstAllowedStart(
            running ? nextRunDuringExecution(now, sequence) : sequence.times().nextRun());
    if (allowed == null) {
      return noFireUntilChange(sequence);
    }
    if (!allowed.isAfter(now)) {
      return planScheduled(now, sequence, running);
    }
    return running || !SchedulerAction.RECORD_MISSED.isAllowed(status)
        ? noFireUntil(sequence, allowed)
        : recordMissed(now, sequence, allowed);
  }

  /**
   * Returns the next slot of a sequence with a running execution. If an operator has resumed the
   * execution, it has time until the next slot comes; slots before that wait with it.
   */
  private @Nullable Instant nextRunDuringExecution(Instant now, StoredSequence sequence) {
    Instant nextRun = sequence.times().nextRun();
    boolean resumed = sequence.last() != null && sequence.last().resumed();
    return resumed && nextRun != null && !nextRun.isAfter(now)
        ? mapper.schedule(sequence).next(now)
        : nextRun;
  }

  /**
   * Records missed slots while the start cron allows no start, and starts nothing. Without an
   * auto-correction cron, nothing is recorded before a start is allowed.
   */
  private FirePlan recordMissed(Instant now, StoredSequence sequence, Instant allowed) {
    Instant autoCorrection = CronSchedules.next(settings.crons().autoCorrectionCron(), now);
    if (autoCorrection == null) {
      return noFireUntil(sequence, allowed);
    }
    FirePlan planned = planScheduled(now, sequence, false);
    Instant nextRun = planned.update().times().nextRun();
    List<SlotRecord> unfired = new ArrayList<>();
    for (SlotRecord slotRecord : planned.slotRecords()) {
      if (slotRecord.isFired()) {
        nextRun = slotRecord.slot();
        break;
      }
      unfired.add(slotRecord);
    }
    Instant due = firstAllowedStart(nextRun);
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            times(
                mapper.schedule(sequence),
                nextRun,
                due == null || due.isBefore(autoCorrection) ? due : autoCorrection),
            false,
            false,
            sequence.definitionVersion()),
        unfired,
        null,
        null);
  }

  /** Returns true until the newest execution ends, or waits for an operator in status MANUAL. */
  static boolean isRunning(StoredSequence sequence) {
    return isRunning(sequence.last());
  }

  static boolean isRunning(@Nullable LastExecution last) {
    return last != null && isOpen(last) && last.status() != InstanceStatus.MANUAL;
  }

  private static boolean isOpen(LastExecution last) {
    return !last.endRecorded() && !last.status().isTerminal();
  }

  /** Returns the grace period, which includes the time until the start cron allows a start. */
  private Duration grace(Instant nextRun) {
    Instant allowed = firstAllowedStart(nextRun);
    return allowed == null ? GRACE : Duration.between(nextRun, allowed).plus(GRACE);
  }

  /** Returns the first time, from {@code nextRun} on, that the start cron allows; null for none. */
  private @Nullable Instant firstAllowedStart(@Nullable Instant nextRun) {
    return nextRun == null || settings.crons().startCron() == null
        ? nextRun
        : CronSchedules.next(settings.crons().startCron(), nextRun.minusNanos(1));
  }

  private FirePlan planScheduled(Instant now, StoredSequence sequence, boolean running) {
    Schedule schedule = mapper.schedule(sequence);
    PlannedSlot nextRun = sequence.times().planned();
    if (nextRun == null) {
      return noFireUntilChange(sequence);
    }
    SlotPlan slotPlan = SlotPlanner.plan(schedule, nextRun, now, running, grace(nextRun.at()));
    List<SlotRecord> slotRecords = new ArrayList<>();
    NewInstance execution = null;
    boolean cancel = false;
    for (SlotDecision slotDecision : slotPlan.decisions()) {
      switch (slotDecision) {
        case SlotDecision.Fire fire -> {
          slotRecords.add(
              firedSlot(fire.slot(), FireCause.SCHEDULE, FireNumber.SCHEDULED, fire.reason()));
          execution =
              execution(
                  sequence,
                  fire.slot(),
                  FireCause.SCHEDULE,
                  externalId(sequence, fire.slot(), FireNumber.SCHEDULED),
                  Map.of());
          cancel = fire.cancelRunning();
        }
        case SlotDecision.Missed missed ->
            slotRecords.add(unfiredSlots(missed.span(), SlotOutcome.MISSED, missed.reason()));
        case SlotDecision.Skipped skipped ->
            slotRecords.add(unfiredSlots(skipped.span(), SlotOutcome.SKIPPED, skipped.reason()));
      }
    }
    Instant due = slotPlan.waiting() == null ? slotPlan.nextRun() : null;
    LastExecution last = sequence.last();
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            times(schedule, slotPlan.nextRun(), due), false, false, sequence.definitionVersion()),
        slotRecords,
        execution,
        cancel && last != null
            ? new Cancellation(
                last.executionId(),
                OperatorAction.by(
                    ACTOR, "the next run of sequence '" + sequence.sequenceId() + "' is due"))
            : null);
  }

  /**
   * Plans a restart for the data window of the newest execution, or a requested run for the last
   * slot that is past. A due slot runs in place of a requested run.
   */
  private FirePlan planRequested(Instant now, StoredSequence sequence) {
    Schedule schedule = mapper.schedule(sequence);
    LastExecution last = sequence.last();
    boolean restart = sequence.flags().restart();
    Instant nextRun = sequence.times().nextRun();
    if (!restart && nextRun != null && !nextRun.isAfter(now)) {
      FirePlan due = planScheduled(now, sequence, false);
      return due.execution() != null ? due : keepRequest(due, now);
    }
    Slot slot =
        restart && last != null ? slotOfRestart(schedule, last.slot()) : lastSlot(schedule, now);
    FireCause cause = restart ? FireCause.RESTART : FireCause.REQUEST;
    return planRun(sequence, slot, cause, null, Map.of(), null);
  }

  /**
   * Returns the slot of a restart. Its data window stays the same, even if the schedule has
   * changed.
   */
  private static Slot slotOfRestart(Schedule schedule, FiredSlot fired) {
    DataWindow window = fired.window();
    return window == null ? schedule.slot(fired.at()) : new Slot(fired.at(), window, null);
  }

  /**
   * Rejects a run for another data window than that of a requested restart: the restart uses the
   * one of the newest execution, so no other may become the newest.
   *
   * @throws ConflictException if a restart is requested for another data window than that of {@code
   *     slot}
   */
  void requireNoRestartBut(Slot slot, StoredSequence sequence) {
    LastExecution last = sequence.last();
    if (last == null || !sequence.flags().restart()) {
      return;
    }
    DataWindow window = slotOfRestart(mapper.schedule(sequence), last.slot()).window();
    if (!window.equals(slot.window())) {
      throw new ConflictException(
          "Sequence '%s' is to be restarted for the data window %s to %s, expected none before a run for another one. Let that run first; a sequence that is paused or inactive has to be resumed or activated for it."
              .formatted(sequence.sequenceId(), window.from(), window.to()));
    }
  }

  /** Records the due slots, none of which fires, and keeps the request for the next poll. */
  private static FirePlan keepRequest(FirePlan due, Instant now) {
    SequenceUpdate sequenceUpdate = due.update();
    return new FirePlan(
        due.sequenceId(),
        due.revision(),
        new SequenceUpdate(
            withDue(sequenceUpdate.times(), now), true, false, sequenceUpdate.definitionVersion()),
        due.slotRecords(),
        null,
        null);
  }

  /**
   * Plans a manual run, a requested run or a restart. Cancels an aborted execution, so that it
   * cannot be resumed beside its successor.
   *
   * @param action the operator and the reason; null for a restart and a requested run
   * @param parameters of this execution
   * @param externalId of the execution; null for a generated one
   */
  FirePlan planRun(
      StoredSequence sequence,
      Slot slot,
      FireCause cause,
      @Nullable OperatorAction action,
      Map<String, Object> parameters,
      @Nullable String externalId) {
    int fireNumber = FireNumber.asked(sequence.revision());
    LastExecution last = sequence.last();
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            withDue(sequence.times(), dueAfter(sequence)),
            false,
            false,
            sequence.definitionVersion()),
        List.of(firedSlot(slot, cause, fireNumber, action == null ? null : action.summary())),
        execution(
            sequence,
            slot,
            cause,
            externalId == null ? externalId(sequence, slot, fireNumber) : externalId,
            parameters),
        last != null && (isOpen(last) || last.status() == InstanceStatus.FAILED)
            ? new Cancellation(
                last.executionId(),
                OperatorAction.by(
                    action == null ? requester(sequence) : action.actor(),
                    "the sequence was started again"))
            : null);
  }

  private static String requester(StoredSequence sequence) {
    return Objects.requireNonNullElse(sequence.flags().requestedBy(), ACTOR);
  }

  /** Plans a run of a slot that may have none yet; other requests for the sequence stay. */
  FirePlan planBackfill(StoredSequence sequence, Slot slot, String reason) {
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            withDue(sequence.times(), dueAfter(sequence)),
            sequence.flags().runRequested(),
            sequence.flags().restart(),
            sequence.definitionVersion()),
        List.of(firedSlot(slot, FireCause.BACKFILL, FireNumber.SCHEDULED, reason)),
        execution(
            sequence,
            slot,
            FireCause.BACKFILL,
            externalId(sequence, slot, FireNumber.SCHEDULED),
            Map.of()),
        null);
  }

  private static @Nullable Instant dueAfter(StoredSequence sequence) {
    return sequence.flags().active() && sequence.flags().pausedBy() == null
        ? sequence.times().nextRun()
        : null;
  }

  /** Returns the last slot that is past; if there is none, the time from then to now. */
  static Slot lastSlot(Schedule schedule, Instant now) {
    Instant at = schedule.previousOrSame(now);
    if (at != null) {
      return schedule.slot(at);
    }
    Instant next = schedule.first(now);
    Instant from =
        next == null ? now.minus(Duration.ofDays(1)) : schedule.slot(next).window().from();
    return new Slot(
        now, new DataWindow(from.isBefore(now) ? from : now.minus(Duration.ofDays(1)), now), null);
  }

  /** Plans no fire before {@code due}, when the sequence is checked again. */
  static FirePlan noFireUntil(StoredSequence sequence, Instant due) {
    return noFire(sequence, due);
  }

  /** Plans no fire until an operator changes the sequence, or its execution ends. */
  private static FirePlan noFireUntilChange(StoredSequence sequence) {
    return noFire(sequence, null);
  }

  private static FirePlan noFire(StoredSequence sequence, @Nullable Instant due) {
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            withDue(sequence.times(), due),
            sequence.flags().runRequested(),
            sequence.flags().restart(),
            sequence.definitionVersion()),
        List.of(),
        null,
        null);
  }

  private static SequenceTimes times(
      Schedule schedule, @Nullable Instant nextRun, @Nullable Instant due) {
    PlannedSlot slot = ScheduleChange.planned(schedule, nextRun);
    return new SequenceTimes(nextRun, slot == null ? null : slot.offset(), due, null);
  }

  private static SequenceTimes withDue(SequenceTimes times, @Nullable Instant due) {
    return new SequenceTimes(times.nextRun(), times.nextRunOffset(), due, null);
  }

  private static SlotRecord firedSlot(
      Slot slot, FireCause cause, int fireNumber, @Nullable String reason) {
    return new SlotRecord(
        slot.at(), slot.window(), SlotOutcome.FIRED, cause.code(), fireNumber, reason, 1);
  }

  /** Returns the records of slots that do not fire. */
  static List<SlotRecord> unfiredSlots(List<SlotDecision> decisions) {
    List<SlotRecord> unfired = new ArrayList<>();
    for (SlotDecision slotDecision : decisions) {
      switch (slotDecision) {
        case SlotDecision.Fire fire ->
            throw new IllegalArgumentException(
                "slot " + fire.slot().at() + " fires; expected only slots that do not");
        case SlotDecision.Missed missed ->
            unfired.add(unfiredSlots(missed.span(), SlotOutcome.MISSED, missed.reason()));
        case SlotDecision.Skipped skipped ->
            unfired.add(unfiredSlots(skipped.span(), SlotOutcome.SKIPPED, skipped.reason()));
      }
    }
    return unfired;
  }

  private static SlotRecord unfiredSlots(
      SlotDecision.SlotRange slotRange, SlotOutcome slotOutcome, String reason) {
    return new SlotRecord(
        slotRange.first(),
        slotRange.window(),
        slotOutcome,
        FireCause.SCHEDULE.code(),
        FireNumber.SCHEDULED,
        reason,
        Math.toIntExact(Math.min(slotRange.count(), Integer.MAX_VALUE)));
  }

  private NewInstance execution(
      StoredSequence sequence,
      Slot slot,
      FireCause cause,
      String externalId,
      Map<String, Object> parameters) {
    Map<String, Object> all = mapper.map(sequence.spec().parameters());
    all.putAll(parameters);
    ExecutionInput input =
        new ExecutionInput(
            sequence.sequenceId(),
            sequence.type(),
            slot.window(),
            new ExecutionInput.Fire(slot.at(), cause.code(), sequence.spec().scheduleType()),
            all,
            taskParameters(sequence));
    StartRequest request =
        StartRequest.of(sequence.type(), input)
            .businessKey(sequence.sequenceId())
            .externalId(externalId);
    return services.prepare(
        sequence.definitionVersion() == null
            ? request
            : request.version(sequence.definitionVersion()),
        sequence.executorGroup());
  }

  private static String externalId(StoredSequence sequence, Slot slot, int fireNumber) {
    String id = sequence.sequenceId() + "@" + slot.at();
    return fireNumber == FireNumber.SCHEDULED ? id : id + "#" + fireNumber;
  }

  private Map<String, Map<String, Object>> taskParameters(StoredSequence sequence) {
    Map<String, Map<String, Object>> all = new HashMap<>();
    for (SequenceStore.StoredSequenceTask sequenceTask : sequence.sequenceTasks()) {
      if (sequenceTask.parameters() != null) {
        all.put("" + sequenceTask.position(), mapper.map(sequenceTask.parameters()));
      }
    }
    return all;
  }
}
