package io.millrace.sequence;

import io.millrace.instance.InstanceStatus;
import io.millrace.instance.StartRequest;
import io.millrace.schedule.DataWindow;
import io.millrace.schedule.Decision;
import io.millrace.schedule.Plan;
import io.millrace.schedule.Planner;
import io.millrace.schedule.Schedule;
import io.millrace.schedule.Slot;
import io.millrace.store.NewInstance;
import io.millrace.store.ScheduleStore;
import io.millrace.store.ScheduleStore.After;
import io.millrace.store.ScheduleStore.Cancel;
import io.millrace.store.ScheduleStore.FiredSlot;
import io.millrace.store.ScheduleStore.Firing;
import io.millrace.store.ScheduleStore.LastExecution;
import io.millrace.store.ScheduleStore.NewFire;
import io.millrace.store.ScheduleStore.Outcome;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.ScheduleStore.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is to be written when workflows are due, or somebody wants them run. */
final class Firings {

  /** How late a slot is that was not looked at in time. */
  static final Duration GRACE = Duration.ofMinutes(1);

  static final String SCHEDULE = "schedule";

  private final Rows rows;
  private final SequenceHost host;
  private final SequenceSettings settings;

  Firings(Rows rows, SequenceHost host, SequenceSettings settings) {
    this.rows = rows;
    this.host = host;
    this.settings = settings;
  }

  /** What becomes of a workflow that is due. */
  Firing due(Instant now, StoredWorkflow workflow) {
    SequenceStatus status = SequenceStatus.of(workflow);
    boolean running = isRunning(workflow);
    if (!workflow.flags().active() || workflow.flags().pausedBy() != null) {
      return rest(workflow, null);
    }
    if (workflow.flags().restart() || workflow.flags().immediate()) {
      return !running && Scheduler.IMMEDIATE.takes(status)
          ? wanted(now, workflow)
          : rest(workflow, null);
    }
    if (!running && !Scheduler.EXECUTOR.takes(status)) {
      return rest(workflow, null);
    }
    Instant gate = gate(running ? comingRun(now, workflow) : workflow.times().nextRun());
    if (gate == null) {
      return rest(workflow, null);
    }
    if (!gate.isAfter(now)) {
      return planned(now, workflow, running);
    }
    return running || !Scheduler.AUTO_CORRECTION.takes(status)
        ? rest(workflow, gate)
        : corrected(now, workflow, gate);
  }

  /**
   * The next slot of a workflow that runs. One whose execution a person has resumed leaves it the
   * time until its next slot comes; what came before that waits with it.
   */
  private @Nullable Instant comingRun(Instant now, StoredWorkflow workflow) {
    Instant nextRun = workflow.times().nextRun();
    boolean resumed = Times.AT_ONCE.equals(workflow.times().due());
    return resumed && nextRun != null && !nextRun.isAfter(now)
        ? rows.schedule(workflow).next(now)
        : nextRun;
  }

  /** Before the executor looks: what was missed by then is written down, and nothing is started. */
  private Firing corrected(Instant now, StoredWorkflow workflow, Instant gate) {
    Instant correction = Crons.next(settings.crons().autoCorrection(), now);
    if (correction == null) {
      return rest(workflow, gate);
    }
    Firing planned = planned(now, workflow, false);
    Instant nextRun = planned.after().times().nextRun();
    List<NewFire> left = new ArrayList<>();
    for (NewFire fire : planned.fires()) {
      if (fire.outcome() == Outcome.FIRED) {
        nextRun = fire.slot();
        break;
      }
      left.add(fire);
    }
    Instant due = gate(nextRun);
    return new Firing(
        workflow.workflowId(),
        workflow.revision(),
        new After(
            new Times(nextRun, due == null || due.isBefore(correction) ? due : correction, null),
            false,
            false,
            workflow.shape()),
        left,
        null,
        null);
  }

  /** True while its newest execution goes on by itself; one that is parked does not. */
  static boolean isRunning(StoredWorkflow workflow) {
    return isRunning(workflow.last());
  }

  static boolean isRunning(@Nullable LastExecution last) {
    return last != null && isOpen(last) && last.status() != InstanceStatus.MANUAL;
  }

  private static boolean isOpen(LastExecution last) {
    return !last.settled() && !last.status().isTerminal();
  }

  /** What comes in time is not late, however seldom the executor looks. */
  private Duration grace(Instant nextRun) {
    Instant gate = gate(nextRun);
    return gate == null ? GRACE : Duration.between(nextRun, gate).plus(GRACE);
  }

  /** The first time from {@code nextRun} on at which the executor looks. */
  private @Nullable Instant gate(@Nullable Instant nextRun) {
    return nextRun == null || settings.crons().executor() == null
        ? nextRun
        : Crons.next(settings.crons().executor(), nextRun.minusNanos(1));
  }

  private Firing planned(Instant now, StoredWorkflow workflow, boolean running) {
    Schedule schedule = rows.schedule(workflow);
    Instant nextRun = workflow.times().nextRun();
    if (nextRun == null) {
      return rest(workflow, null);
    }
    Plan plan = Planner.plan(schedule, nextRun, now, running, grace(nextRun));
    List<NewFire> fires = new ArrayList<>();
    NewInstance execution = null;
    boolean cancel = false;
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Fire fire -> {
          fires.add(fire(fire.slot(), SCHEDULE, 0, fire.reason()));
          execution =
              execution(
                  workflow, fire.slot(), SCHEDULE, externalId(workflow, fire.slot(), 0), Map.of());
          cancel = fire.cancelRunning();
        }
        case Decision.Missed missed ->
            fires.add(left(missed.span(), Outcome.MISSED, missed.reason()));
        case Decision.Skipped skipped ->
            fires.add(left(skipped.span(), Outcome.SKIPPED, skipped.reason()));
      }
    }
    Instant due = plan.waiting() == null ? plan.nextRun() : null;
    LastExecution last = workflow.last();
    return new Firing(
        workflow.workflowId(),
        workflow.revision(),
        new After(new Times(plan.nextRun(), due, null), false, false, workflow.shape()),
        fires,
        execution,
        cancel && last != null
            ? new Cancel(
                last.executionId(),
                "the next run of workflow '" + workflow.workflowId() + "' is due")
            : null);
  }

  /** A run for the same window as the last, or for the last complete one. */
  private Firing wanted(Instant now, StoredWorkflow workflow) {
    Schedule schedule = rows.schedule(workflow);
    LastExecution last = workflow.last();
    boolean restart = workflow.flags().restart();
    Instant nextRun = workflow.times().nextRun();
    if (!restart && nextRun != null && !nextRun.isAfter(now)) {
      Firing due = planned(now, workflow, false);
      return due.execution() != null ? due : stillWanted(due, now);
    }
    Slot slot = restart && last != null ? again(schedule, last.slot()) : lastSlot(schedule, now);
    String trigger = restart ? "restart" : "immediate";
    return run(workflow, slot, trigger, null, Map.of(), null);
  }

  /** The window stays what it was, whatever has become of the schedule. */
  private static Slot again(Schedule schedule, FiredSlot fired) {
    DataWindow window = fired.window();
    return window == null ? schedule.slot(fired.at()) : new Slot(fired.at(), window, null);
  }

  /**
   * The window of a restart is that of the newest execution, so no other may become the newest.
   *
   * @throws RefusedException when it is to be restarted for another window than that of {@code
   *     slot}
   */
  void requireNoRestartBut(Slot slot, StoredWorkflow workflow) {
    LastExecution last = workflow.last();
    if (last == null || !workflow.flags().restart()) {
      return;
    }
    DataWindow window = again(rows.schedule(workflow), last.slot()).window();
    if (!window.equals(slot.window())) {
      throw new RefusedException(
          "Workflow '%s' is to be restarted for the window %s to %s, expected none before a run for another one. Let that run first; a workflow that is paused or inactive has to be resumed or activated for it."
              .formatted(workflow.workflowId(), window.from(), window.to()));
    }
  }

  /** What is due is left out, so that the next look makes a run for what was before. */
  private static Firing stillWanted(Firing due, Instant now) {
    After after = due.after();
    return new Firing(
        due.workflowId(),
        due.revision(),
        new After(new Times(after.times().nextRun(), now, null), true, false, after.shape()),
        due.fires(),
        null,
        null);
  }

  /**
   * A run that somebody wants now. What was aborted is cancelled, so that nobody resumes it beside
   * what follows it.
   *
   * @param reason who, and why; null for nothing to say
   * @param parameters of this execution
   * @param externalId that of the execution; null for one of its own
   */
  Firing run(
      StoredWorkflow workflow,
      Slot slot,
      String trigger,
      @Nullable String reason,
      Map<String, Object> parameters,
      @Nullable String externalId) {
    int attempt = workflow.revision();
    LastExecution last = workflow.last();
    return new Firing(
        workflow.workflowId(),
        workflow.revision(),
        new After(
            new Times(workflow.times().nextRun(), dueAfter(workflow), null),
            false,
            false,
            workflow.shape()),
        List.of(fire(slot, trigger, attempt, reason)),
        execution(
            workflow,
            slot,
            trigger,
            externalId == null ? externalId(workflow, slot, attempt) : externalId,
            parameters),
        last != null && (isOpen(last) || last.status() == InstanceStatus.FAILED)
            ? new Cancel(last.executionId(), "the workflow was started anew")
            : null);
  }

  /** A run of a slot that may have none yet; what people want of the workflow besides stays. */
  Firing anew(StoredWorkflow workflow, Slot slot, String trigger, String reason) {
    return new Firing(
        workflow.workflowId(),
        workflow.revision(),
        new After(
            new Times(workflow.times().nextRun(), dueAfter(workflow), null),
            workflow.flags().immediate(),
            workflow.flags().restart(),
            workflow.shape()),
        List.of(fire(slot, trigger, 0, reason)),
        execution(workflow, slot, trigger, externalId(workflow, slot, 0), Map.of()),
        null);
  }

  private static @Nullable Instant dueAfter(StoredWorkflow workflow) {
    return workflow.flags().active() && workflow.flags().pausedBy() == null
        ? workflow.times().nextRun()
        : null;
  }

  /** The last slot that has come; when none has, the time from then to now stands for it. */
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

  /** Nothing is to be done before {@code due}. */
  static Firing rest(StoredWorkflow workflow, @Nullable Instant due) {
    return new Firing(
        workflow.workflowId(),
        workflow.revision(),
        new After(
            new Times(workflow.times().nextRun(), due, null),
            workflow.flags().immediate(),
            workflow.flags().restart(),
            workflow.shape()),
        List.of(),
        null,
        null);
  }

  private static NewFire fire(Slot slot, String trigger, int attempt, @Nullable String reason) {
    return new NewFire(slot.at(), slot.window(), Outcome.FIRED, trigger, attempt, reason, 1);
  }

  /** What is written of slots of which none fires. */
  static List<NewFire> left(List<Decision> decisions) {
    List<NewFire> left = new ArrayList<>();
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Fire fire ->
            throw new IllegalArgumentException("slot " + fire.slot().at() + " is to fire");
        case Decision.Missed missed ->
            left.add(left(missed.span(), Outcome.MISSED, missed.reason()));
        case Decision.Skipped skipped ->
            left.add(left(skipped.span(), Outcome.SKIPPED, skipped.reason()));
      }
    }
    return left;
  }

  private static NewFire left(Decision.Span span, Outcome outcome, String reason) {
    return new NewFire(
        span.first(),
        span.window(),
        outcome,
        SCHEDULE,
        0,
        reason,
        Math.toIntExact(Math.min(span.count(), Integer.MAX_VALUE)));
  }

  private NewInstance execution(
      StoredWorkflow workflow,
      Slot slot,
      String trigger,
      String externalId,
      Map<String, Object> parameters) {
    Map<String, Object> all = rows.map(workflow.plan().parameters());
    all.putAll(parameters);
    ExecutionInput input =
        new ExecutionInput(
            workflow.workflowId(),
            workflow.type(),
            slot.window(),
            new ExecutionInput.Cause(slot.at(), trigger, workflow.plan().scheduleType()),
            all,
            taskParameters(workflow));
    StartRequest request =
        StartRequest.of(workflow.type(), input)
            .businessKey(workflow.workflowId())
            .externalId(externalId);
    return host.prepare(
        workflow.shape() == null ? request : request.version(workflow.shape()),
        workflow.executorGroup());
  }

  private static String externalId(StoredWorkflow workflow, Slot slot, int attempt) {
    return workflow.workflowId() + "@" + slot.at() + (attempt == 0 ? "" : "#" + attempt);
  }

  private Map<String, Map<String, Object>> taskParameters(StoredWorkflow workflow) {
    Map<String, Map<String, Object>> all = new HashMap<>();
    for (ScheduleStore.Step step : workflow.steps()) {
      if (step.parameters() != null) {
        all.put("" + step.sequence(), rows.map(step.parameters()));
      }
    }
    return all;
  }
}
