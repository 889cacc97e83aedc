package io.millrace.sequence;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.schedule.SlotDecision;
import io.millrace.schedule.SlotPlan;
import io.millrace.schedule.SlotPlanner;
import io.millrace.store.NewInstance;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.Cancellation;
import io.millrace.store.SequenceStore.FirePlan;
import io.millrace.store.SequenceStore.FiredSlot;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.NewFire;
import io.millrace.store.SequenceStore.SequenceTimes;
import io.millrace.store.SequenceStore.SequenceUpdate;
import io.millrace.store.SequenceStore.SlotOutcome;
import io.millrace.store.SequenceStore.StoredSequence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Plans the fires of sequences that are due or run on request. */
final class FirePlanner {

  /** Delay from which a slot counts as missed. */
  static final Duration GRACE = Duration.ofMinutes(1);

  static final String SCHEDULE = "schedule";

  private final SequenceMapper mapper;
  private final SequenceHost host;
  private final SequenceSettings settings;

  FirePlanner(SequenceMapper mapper, SequenceHost host, SequenceSettings settings) {
    this.mapper = mapper;
    this.host = host;
    this.settings = settings;
  }

  /** Plans the fires of a due sequence. */
  FirePlan planDue(Instant now, StoredSequence sequence) {
    SequenceStatus status = SequenceStatus.of(sequence);
    boolean running = isRunning(sequence);
    if (!sequence.flags().active() || sequence.flags().pausedBy() != null) {
      return noFireUntil(sequence, null);
    }
    if (sequence.flags().restart() || sequence.flags().immediate()) {
      return !running && SchedulerType.IMMEDIATE.accepts(status)
          ? wanted(now, sequence)
          : noFireUntil(sequence, null);
    }
    if (!running && !SchedulerType.EXECUTOR.accepts(status)) {
      return noFireUntil(sequence, null);
    }
    Instant gate = gate(running ? comingRun(now, sequence) : sequence.times().nextRun());
    if (gate == null) {
      return noFireUntil(sequence, null);
    }
    if (!gate.isAfter(now)) {
      return planned(now, sequence, running);
    }
    return running || !SchedulerType.AUTO_CORRECTION.accepts(status)
        ? noFireUntil(sequence, gate)
        : corrected(now, sequence, gate);
  }

  /**
   * Returns the next slot of a sequence with a running execution. If an operator has resumed the
   * execution, it has time until the next slot comes; slots before that wait with it.
   */
  private @Nullable Instant comingRun(Instant now, StoredSequence sequence) {
    Instant nextRun = sequence.times().nextRun();
    boolean resumed = SequenceTimes.AT_ONCE.equals(sequence.times().due());
    return resumed && nextRun != null && !nextRun.isAfter(now)
        ? mapper.schedule(sequence).next(now)
        : nextRun;
  }

  /** Records slots that were missed before the executor polled, and starts nothing. */
  private FirePlan corrected(Instant now, StoredSequence sequence, Instant gate) {
    Instant correction = CronSchedules.next(settings.crons().autoCorrection(), now);
    if (correction == null) {
      return noFireUntil(sequence, gate);
    }
    FirePlan planned = planned(now, sequence, false);
    Instant nextRun = planned.after().times().nextRun();
    List<NewFire> left = new ArrayList<>();
    for (NewFire fire : planned.fires()) {
      if (fire.outcome() == SlotOutcome.FIRED) {
        nextRun = fire.slot();
        break;
      }
      left.add(fire);
    }
    Instant due = gate(nextRun);
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            new SequenceTimes(
                nextRun, due == null || due.isBefore(correction) ? due : correction, null),
            false,
            false,
            sequence.definitionVersion()),
        left,
        null,
        null);
  }

  /**
   * Returns true while the newest execution proceeds without an operator; a parked one does not.
   */
  static boolean isRunning(StoredSequence sequence) {
    return isRunning(sequence.last());
  }

  static boolean isRunning(@Nullable LastExecution last) {
    return last != null && isOpen(last) && last.status() != InstanceStatus.MANUAL;
  }

  private static boolean isOpen(LastExecution last) {
    return !last.settled() && !last.status().isTerminal();
  }

  /** Returns the grace period, at least the polling interval of the executor. */
  private Duration grace(Instant nextRun) {
    Instant gate = gate(nextRun);
    return gate == null ? GRACE : Duration.between(nextRun, gate).plus(GRACE);
  }

  /** Returns the first time from {@code nextRun} on at which the executor polls. */
  private @Nullable Instant gate(@Nullable Instant nextRun) {
    return nextRun == null || settings.crons().executor() == null
        ? nextRun
        : CronSchedules.next(settings.crons().executor(), nextRun.minusNanos(1));
  }

  private FirePlan planned(Instant now, StoredSequence sequence, boolean running) {
    Schedule schedule = mapper.schedule(sequence);
    Instant nextRun = sequence.times().nextRun();
    if (nextRun == null) {
      return noFireUntil(sequence, null);
    }
    SlotPlan slotPlan = SlotPlanner.plan(schedule, nextRun, now, running, grace(nextRun));
    List<NewFire> fires = new ArrayList<>();
    NewInstance execution = null;
    boolean cancel = false;
    for (SlotDecision slotDecision : slotPlan.decisions()) {
      switch (slotDecision) {
        case SlotDecision.Fire fire -> {
          fires.add(fire(fire.slot(), SCHEDULE, 0, fire.reason()));
          execution =
              execution(
                  sequence, fire.slot(), SCHEDULE, externalId(sequence, fire.slot(), 0), Map.of());
          cancel = fire.cancelRunning();
        }
        case SlotDecision.Missed missed ->
            fires.add(unfiredSlots(missed.span(), SlotOutcome.MISSED, missed.reason()));
        case SlotDecision.Skipped skipped ->
            fires.add(unfiredSlots(skipped.span(), SlotOutcome.SKIPPED, skipped.reason()));
      }
    }
    Instant due = slotPlan.waiting() == null ? slotPlan.nextRun() : null;
    LastExecution last = sequence.last();
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            new SequenceTimes(slotPlan.nextRun(), due, null),
            false,
            false,
            sequence.definitionVersion()),
        fires,
        execution,
        cancel && last != null
            ? new Cancellation(
                last.executionId(),
                "the next run of sequence '" + sequence.sequenceId() + "' is due")
            : null);
  }

  /** Plans a requested run, for the same window as the last run or for the last complete one. */
  private FirePlan wanted(Instant now, StoredSequence sequence) {
    Schedule schedule = mapper.schedule(sequence);
    LastExecution last = sequence.last();
    boolean restart = sequence.flags().restart();
    Instant nextRun = sequence.times().nextRun();
    if (!restart && nextRun != null && !nextRun.isAfter(now)) {
      FirePlan due = planned(now, sequence, false);
      return due.execution() != null ? due : stillWanted(due, now);
    }
    Slot slot = restart && last != null ? again(schedule, last.slot()) : lastSlot(schedule, now);
    String trigger = restart ? "restart" : "immediate";
    return run(sequence, slot, trigger, null, Map.of(), null);
  }

  /** Returns the slot of a restart. Its window stays the same, even if the schedule has changed. */
  private static Slot again(Schedule schedule, FiredSlot fired) {
    DataWindow window = fired.window();
    return window == null ? schedule.slot(fired.at()) : new Slot(fired.at(), window, null);
  }

  /**
   * Rejects a run for another window than that of a requested restart: the restart uses the window
   * of the newest execution, so no other may become the newest.
   *
   * @throws StateConflictException if a restart is requested for another window than that of {@code
   *     slot}
   */
  void requireNoRestartBut(Slot slot, StoredSequence sequence) {
    LastExecution last = sequence.last();
    if (last == null || !sequence.flags().restart()) {
      return;
    }
    DataWindow window = again(mapper.schedule(sequence), last.slot()).window();
    if (!window.equals(slot.window())) {
      throw new StateConflictException(
          "Sequence '%s' is to be restarted for the window %s to %s, expected none before a run for another one. Let that run first; a sequence that is paused or inactive has to be resumed or activated for it."
              .formatted(sequence.sequenceId(), window.from(), window.to()));
    }
  }

  /** Omits the due slot, so that the next poll starts a run for the earlier ones. */
  private static FirePlan stillWanted(FirePlan due, Instant now) {
    SequenceUpdate sequenceUpdate = due.after();
    return new FirePlan(
        due.sequenceId(),
        due.revision(),
        new SequenceUpdate(
            new SequenceTimes(sequenceUpdate.times().nextRun(), now, null),
            true,
            false,
            sequenceUpdate.definitionVersion()),
        due.fires(),
        null,
        null);
  }

  /**
   * Plans a requested run. Cancels an aborted execution, so that it cannot be resumed beside its
   * successor.
   *
   * @param reason the requester and the reason; null for none
   * @param parameters of this execution
   * @param externalId of the execution; null for a generated one
   */
  FirePlan run(
      StoredSequence sequence,
      Slot slot,
      String trigger,
      @Nullable String reason,
      Map<String, Object> parameters,
      @Nullable String externalId) {
    int attempt = sequence.revision();
    LastExecution last = sequence.last();
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            new SequenceTimes(sequence.times().nextRun(), dueAfter(sequence), null),
            false,
            false,
            sequence.definitionVersion()),
        List.of(fire(slot, trigger, attempt, reason)),
        execution(
            sequence,
            slot,
            trigger,
            externalId == null ? externalId(sequence, slot, attempt) : externalId,
            parameters),
        last != null && (isOpen(last) || last.status() == InstanceStatus.FAILED)
            ? new Cancellation(last.executionId(), "the sequence was started again")
            : null);
  }

  /** Plans a run of a slot that may have none yet; other requests for the sequence stay. */
  FirePlan planBackfill(StoredSequence sequence, Slot slot, String trigger, String reason) {
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            new SequenceTimes(sequence.times().nextRun(), dueAfter(sequence), null),
            sequence.flags().immediate(),
            sequence.flags().restart(),
            sequence.definitionVersion()),
        List.of(fire(slot, trigger, 0, reason)),
        execution(sequence, slot, trigger, externalId(sequence, slot, 0), Map.of()),
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

  /** Plans no fire before {@code due}. */
  static FirePlan noFireUntil(StoredSequence sequence, @Nullable Instant due) {
    return new FirePlan(
        sequence.sequenceId(),
        sequence.revision(),
        new SequenceUpdate(
            new SequenceTimes(sequence.times().nextRun(), due, null),
            sequence.flags().immediate(),
            sequence.flags().restart(),
            sequence.definitionVersion()),
        List.of(),
        null,
        null);
  }

  private static NewFire fire(Slot slot, String trigger, int attempt, @Nullable String reason) {
    return new NewFire(slot.at(), slot.window(), SlotOutcome.FIRED, trigger, attempt, reason, 1);
  }

  /** Returns the records of slots that do not fire. */
  static List<NewFire> unfiredSlots(List<SlotDecision> decisions) {
    List<NewFire> left = new ArrayList<>();
    for (SlotDecision slotDecision : decisions) {
      switch (slotDecision) {
        case SlotDecision.Fire fire ->
            throw new IllegalArgumentException("slot " + fire.slot().at() + " is to fire");
        case SlotDecision.Missed missed ->
            left.add(unfiredSlots(missed.span(), SlotOutcome.MISSED, missed.reason()));
        case SlotDecision.Skipped skipped ->
            left.add(unfiredSlots(skipped.span(), SlotOutcome.SKIPPED, skipped.reason()));
      }
    }
    return left;
  }

  private static NewFire unfiredSlots(
      SlotDecision.SlotRange slotRange, SlotOutcome slotOutcome, String reason) {
    return new NewFire(
        slotRange.first(),
        slotRange.window(),
        slotOutcome,
        SCHEDULE,
        0,
        reason,
        Math.toIntExact(Math.min(slotRange.count(), Integer.MAX_VALUE)));
  }

  private NewInstance execution(
      StoredSequence sequence,
      Slot slot,
      String trigger,
      String externalId,
      Map<String, Object> parameters) {
    Map<String, Object> all = mapper.map(sequence.plan().parameters());
    all.putAll(parameters);
    ExecutionInput input =
        new ExecutionInput(
            sequence.sequenceId(),
            sequence.type(),
            slot.window(),
            new ExecutionInput.Cause(slot.at(), trigger, sequence.plan().scheduleType()),
            all,
            taskParameters(sequence));
    StartRequest request =
        StartRequest.of(sequence.type(), input)
            .businessKey(sequence.sequenceId())
            .externalId(externalId);
    return host.prepare(
        sequence.definitionVersion() == null
            ? request
            : request.version(sequence.definitionVersion()),
        sequence.executorGroup());
  }

  private static String externalId(StoredSequence sequence, Slot slot, int attempt) {
    return sequence.sequenceId() + "@" + slot.at() + (attempt == 0 ? "" : "#" + attempt);
  }

  private Map<String, Map<String, Object>> taskParameters(StoredSequence sequence) {
    Map<String, Map<String, Object>> all = new HashMap<>();
    for (SequenceStore.Step step : sequence.steps()) {
      if (step.parameters() != null) {
        all.put("" + step.sequence(), mapper.map(step.parameters()));
      }
    }
    return all;
  }
}
