package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.instance.Started;
import io.millrace.schedule.ScheduleSpec;
import io.millrace.sequence.Backfill;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.Sequences;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
import io.millrace.server.http.Json;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.Route;
import io.millrace.server.security.SecretNames;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is done to workflows made of tasks. */
final class SequenceDeeds {

  static final Param<String> TAG = Param.text("tag", 100);

  private static final Map<Backfill.Outcome, String> OUTCOMES =
      Map.of(
          Backfill.Outcome.TO_RUN, "toRun",
          Backfill.Outcome.HAS_RUN, "hasRun",
          Backfill.Outcome.EXCLUDED, "excluded");

  private final Sequences sequences;
  private final SequencePages pages;
  private final Trail trail;
  private final SecretNames secretNames;

  SequenceDeeds(Sources sources, SequencePages pages) {
    this.secretNames = sources.secretNames();
    this.sequences = sources.engine().sequences();
    this.pages = pages;
    this.trail = new Trail(sources);
  }

  /** Schema Backfill. */
  record BackfillView(
      boolean dryRun, boolean truncated, @Nullable Long instanceId, List<EntryView> slots) {

    static BackfillView of(Backfill backfill, boolean dryRun) {
      return new BackfillView(
          dryRun,
          backfill.truncated(),
          backfill.instanceId(),
          backfill.slots().stream().map(EntryView::of).toList());
    }
  }

  /** What becomes of one slot. */
  record EntryView(SlotView slot, String outcome, @Nullable Long executionId) {

    static EntryView of(Backfill.Entry entry) {
      return new EntryView(
          SlotView.of(entry.slot()),
          OUTCOMES.getOrDefault(entry.outcome(), ""),
          entry.executionId());
    }
  }

  Answer add(Call call) throws IOException {
    TaskSequence sequence = SequenceBodies.sequence(call.body(SequenceBodies.SEQUENCE));
    SecretNames.refuseMasks(sequence.parameters());
    sequence.tasks().forEach(step -> SecretNames.refuseMasks(step.parameters()));
    sequences.add(sequence);
    changed(call, "addSequence", sequence);
    return new Answer.Json(201, pages.view(call, sequence.workflowId()));
  }

  Answer change(Call call) throws IOException {
    String workflowId = SequencePages.id(call);
    String tag = call.get(TAG);
    TaskSequence sequence = SequenceBodies.sequence(call.body(SequenceBodies.SEQUENCE));
    if (!sequence.workflowId().equals(workflowId)) {
      throw ProblemException.invalid(
          "workflowId",
          "is '"
              + sequence.workflowId()
              + "'; expected '"
              + workflowId
              + "' as in the address,"
              + " since an id cannot be changed.");
    }
    sequences.update(withStoredSecrets(sequence), tag);
    changed(call, "changeSequence", sequence);
    return Answer.json(pages.view(call, workflowId));
  }

  /** Answers show masks in place of secrets; a mask that comes back keeps what is stored. */
  private TaskSequence withStoredSecrets(TaskSequence sent) {
    ScheduledSequence readable = sequences.stored().get(sent.workflowId()).sequence();
    if (readable == null) {
      return sent;
    }
    TaskSequence before = readable.sequence();
    List<TaskSequence.Step> steps = new ArrayList<>();
    for (TaskSequence.Step step : sent.tasks()) {
      int place = steps.size();
      boolean same =
          place < before.tasks().size() && before.tasks().get(place).task().equals(step.task());
      Map<String, Object> stored = same ? before.tasks().get(place).parameters() : Map.of();
      steps.add(
          new TaskSequence.Step(step.task(), SecretNames.restored(step.parameters(), stored)));
    }
    return new TaskSequence(
        sent.workflowId(),
        sent.type(),
        steps,
        sent.schedule(),
        sent.active(),
        SecretNames.restored(sent.parameters(), before.parameters()));
  }

  private void changed(Call call, String action, TaskSequence sequence) {
    trail.done(
        Deed.by(call.caller().actor()),
        action,
        sequence.workflowId(),
        null,
        Json.write(
            Map.of(
                "active",
                sequence.active(),
                "schedule",
                ScheduleSpec.write(sequence.schedule()),
                "tasks",
                sequence.tasks().stream().map(TaskSequence.Step::task).toList())));
  }

  Answer remove(Call call) {
    String workflowId = SequencePages.id(call);
    sequences.remove(workflowId);
    trail.done(Deed.by(call.caller().actor()), "removeSequence", workflowId);
    return Answer.empty();
  }

  /** A deed that needs nothing but a reason. */
  @FunctionalInterface
  interface Simple {
    void apply(Sequences sequences, String workflowId, Deed deed);
  }

  /**
   * @param action how it is called in the audit
   */
  Route.Handler simple(String action, Simple deed) {
    return call -> {
      Deed by = Deeds.by(call, call.body("reason"));
      String workflowId = SequencePages.id(call);
      deed.apply(sequences, workflowId, by);
      trail.done(by, action, workflowId);
      return Answer.empty();
    };
  }

  Answer run(Call call) throws IOException {
    Fields body = call.body("parameters", "reason");
    Deed by = Deeds.by(call, body);
    String workflowId = SequencePages.id(call);
    Map<String, Object> parameters = body.values("parameters", SequenceBodies.PARAMETERS);
    SecretNames.refuseMasks(parameters);
    Started started =
        sequences.runNow(workflowId, parameters, by, call.find(Starts.IDEMPOTENCY_KEY));
    if (started.created()) {
      String detail =
          parameters.isEmpty()
              ? null
              : secretNames.mask(Json.write(Map.of("parameters", parameters)));
      trail.done(by, "runSequence", workflowId, started.id(), detail);
    }
    return new Answer.Json(started.created() ? 201 : 200, started);
  }

  Answer backfill(Call call) throws IOException {
    Fields body = call.body("from", "to", "dryRun", "reason");
    String workflowId = SequencePages.id(call);
    Instant from = body.time("from");
    Instant to = body.time("to");
    Deed by = Deeds.by(call, body);
    if (!body.has("dryRun")) {
      throw ProblemException.invalid("dryRun", "is missing; expected true or false.");
    }
    if (body.flag("dryRun")) {
      return Answer.json(BackfillView.of(sequences.planBackfill(workflowId, from, to), true));
    }
    Backfill backfill = sequences.backfill(workflowId, from, to, by);
    String detail = Json.write(Map.of("from", from.toString(), "to", to.toString()));
    trail.done(by, "backfillSequence", workflowId, backfill.instanceId(), detail);
    return Answer.json(BackfillView.of(backfill, false));
  }
}
