package io.millrace.verification.store;

import io.millrace.schedule.DataWindow;
import io.millrace.store.NewInstance;
import io.millrace.store.ScheduleStore.After;
import io.millrace.store.ScheduleStore.Cancel;
import io.millrace.store.ScheduleStore.Firing;
import io.millrace.store.ScheduleStore.Flags;
import io.millrace.store.ScheduleStore.NewFire;
import io.millrace.store.ScheduleStore.Outcome;
import io.millrace.store.ScheduleStore.Plan;
import io.millrace.store.ScheduleStore.Step;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import io.millrace.store.ScheduleStore.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A workflow with its schedule, with defaults for all that a test does not care about. */
final class WorkflowSpec {

  private final String id;
  private final String type;
  private final List<Step> steps = new ArrayList<>();
  private Flags flags = new Flags(true, true, false, false, null, null);
  private Times times = new Times(null, null, null);
  private Integer shape;
  private String group = "group";
  private int revision = 1;

  WorkflowSpec(String id, String type) {
    this.id = id;
    this.type = type;
  }

  /** The same as stored, to be changed. */
  static WorkflowSpec of(StoredWorkflow stored) {
    WorkflowSpec spec = new WorkflowSpec(stored.workflowId(), stored.type());
    spec.steps.addAll(stored.steps());
    spec.flags = stored.flags();
    spec.times = stored.times();
    spec.shape = stored.shape();
    spec.group = stored.executorGroup();
    spec.revision = stored.revision();
    return spec;
  }

  /** Tasks in their order. */
  WorkflowSpec tasks(int... ids) {
    steps.clear();
    for (int i = 0; i < ids.length; i++) {
      steps.add(new Step(i + 1, ids[i], i + 1 < ids.length ? ids[i + 1] : -1, null));
    }
    return this;
  }

  WorkflowSpec step(Step step) {
    steps.add(step);
    return this;
  }

  WorkflowSpec flags(Flags value) {
    this.flags = value;
    return this;
  }

  WorkflowSpec paused(String by, String reason) {
    return flags(
        new Flags(flags.recurs(), flags.active(), flags.immediate(), flags.restart(), by, reason));
  }

  WorkflowSpec inactive() {
    return flags(new Flags(flags.recurs(), false, false, false, null, null));
  }

  /** Due at its next slot. */
  WorkflowSpec next(Instant slot) {
    return times(slot, slot);
  }

  WorkflowSpec times(Instant nextRun, Instant due) {
    this.times = new Times(nextRun, due, times.lastRun());
    return this;
  }

  WorkflowSpec lastRun(Instant time) {
    this.times = new Times(times.nextRun(), times.due(), time);
    return this;
  }

  WorkflowSpec shape(Integer version) {
    this.shape = version;
    return this;
  }

  WorkflowSpec group(String name) {
    this.group = name;
    return this;
  }

  WorkflowSpec revision(int value) {
    this.revision = value;
    return this;
  }

  StoredWorkflow build() {
    return new StoredWorkflow(
        id,
        type,
        new Plan(steps, "DAILY", "{\"zone\":\"UTC\"}", "{\"a\":1}", shape, group),
        flags,
        times,
        null,
        revision);
  }

  /** A fire of a slot by the schedule, on the hour before it. */
  static NewFire fired(Instant slot, int attempt) {
    return new NewFire(
        slot,
        new DataWindow(slot.minusSeconds(3600), slot),
        Outcome.FIRED,
        "schedule",
        attempt,
        null,
        1);
  }

  /** A slot that came to nothing. */
  static NewFire unfired(Instant slot, Outcome outcome, String reason, int count) {
    return new NewFire(slot, null, outcome, "schedule", 0, reason, count);
  }

  /** A firing of the workflow for its next slot, and the one after it. */
  static FiringSpec fire(StoredWorkflow workflow) {
    return new FiringSpec(workflow);
  }

  /** A firing, with defaults for all that a test does not care about. */
  static final class FiringSpec {
    private final StoredWorkflow workflow;
    private final List<NewFire> fires = new ArrayList<>();
    private Times times;
    private boolean immediate;
    private boolean restart;
    private NewInstance execution;
    private Cancel cancel;
    private int revision;

    private FiringSpec(StoredWorkflow workflow) {
      this.workflow = workflow;
      this.times = workflow.times();
      this.revision = workflow.revision();
    }

    FiringSpec next(Instant nextRun, Instant due) {
      this.times = new Times(nextRun, due, null);
      return this;
    }

    FiringSpec fire(NewFire fire) {
      fires.add(fire);
      return this;
    }

    FiringSpec flags(boolean runImmediately, boolean runAgain) {
      this.immediate = runImmediately;
      this.restart = runAgain;
      return this;
    }

    FiringSpec revision(int value) {
      this.revision = value;
      return this;
    }

    /** Starts an execution for a slot. */
    FiringSpec start(Instant slot, int attempt, StartSpec instance) {
      fires.add(fired(slot, attempt));
      this.execution =
          instance
              .businessKey(workflow.workflowId())
              .externalId(workflow.workflowId() + "@" + slot + "#" + attempt)
              .build();
      return this;
    }

    /** Starts an execution for a fire that says more. */
    FiringSpec start(NewFire fire, StartSpec instance) {
      fires.add(fire);
      return start(
          instance
              .businessKey(workflow.workflowId())
              .externalId(workflow.workflowId() + "@" + fire.slot())
              .build());
    }

    FiringSpec start(NewInstance instance) {
      this.execution = instance;
      return this;
    }

    FiringSpec cancel(long id, String reason) {
      this.cancel = new Cancel(id, reason);
      return this;
    }

    Firing build() {
      return new Firing(
          workflow.workflowId(),
          revision,
          new After(times, immediate, restart, workflow.shape()),
          fires,
          execution,
          cancel);
    }
  }
}
