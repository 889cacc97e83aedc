package io.millrace.server.api;

import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartedInstance;
import io.millrace.schedule.ScheduleMapper;
import io.millrace.sequence.Backfill;
import io.millrace.sequence.ScheduledSequence;
import io.millrace.sequence.SequenceService;
import io.millrace.sequence.TaskSequence;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.http.Route;
import io.millrace.server.http.StrictJson;
import io.millrace.server.security.SecretNames;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The operator actions on task sequences. */
final class SequenceActionResource {

  static final Param<String> TAG = Param.text("tag", 100);

  private static final Map<Backfill.Outcome, String> OUTCOMES =
      Map.of(
          Backfill.Outcome.TO_RUN, "toRun",
          Backfill.Outcome.HAS_RUN, "hasRun",
          Backfill.Outcome.EXCLUDED, "excluded");

  private final SequenceService sequenceService;
  private final SequenceResource pages;
  private final AuditRecorder auditRecorder;
  private final SecretNames secretNames;

  SequenceActionResource(ApiContext context, SequenceResource pages) {
    this.secretNames = context.secretNames();
    this.sequenceService = context.engine().sequences();
    this.pages = pages;
    this.auditRecorder = new AuditRecorder(context);
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

  /** The outcome of one slot. */
  record EntryView(SlotView slot, String outcome, @Nullable Long executionId) {

    static EntryView of(Backfill.Entry entry) {
      return new EntryView(
          SlotView.of(entry.slot()),
          OUTCOMES.getOrDefault(entry.outcome(), ""),
          entry.executionId());
    }
  }

  ApiResponse add(ApiRequest request) throws IOException {
    TaskSequence sequence = SequenceJsonParser.sequence(request.body(SequenceJsonParser.SEQUENCE));
    SecretNames.refuseMasks(sequence.parameters());
    sequence.tasks().forEach(sequenceTask -> SecretNames.refuseMasks(sequenceTask.parameters()));
    sequenceService.add(sequence);
    changed(request, "addSequence", sequence);
    return new ApiResponse.Json(201, pages.view(request, sequence.sequenceId()));
  }

  ApiResponse change(ApiRequest request) throws IOException {
    String sequenceId = SequenceResource.id(request);
    String tag = request.get(TAG);
    TaskSequence sequence = SequenceJsonParser.sequence(request.body(SequenceJsonParser.SEQUENCE));
    if (!sequence.sequenceId().equals(sequenceId)) {
      throw ProblemException.invalid(
          "sequenceId",
          "is '"
              + sequence.sequenceId()
              + "'; expected '"
              + sequenceId
              + "' as in the address,"
              + " since an id cannot be changed.");
    }
    sequenceService.update(withStoredSecrets(sequence), tag);
    changed(request, "changeSequence", sequence);
    return ApiResponse.json(pages.view(request, sequenceId));
  }

  /**
   * Returns the sequence with the stored secrets in place of masks. Responses show masks, so a
   * client that sends one back keeps the stored value.
   */
  private TaskSequence withStoredSecrets(TaskSequence sent) {
    ScheduledSequence readable = sequenceService.reader().get(sent.sequenceId()).sequence();
    if (readable == null) {
      return sent;
    }
    TaskSequence before = readable.sequence();
    List<TaskSequence.SequenceTask> sequenceTasks = new ArrayList<>();
    for (TaskSequence.SequenceTask sequenceTask : sent.tasks()) {
      int place = sequenceTasks.size();
      boolean same =
          place < before.tasks().size()
              && before.tasks().get(place).task().equals(sequenceTask.task());
      Map<String, Object> stored = same ? before.tasks().get(place).parameters() : Map.of();
      sequenceTasks.add(
          new TaskSequence.SequenceTask(
              sequenceTask.task(), SecretNames.restored(sequenceTask.parameters(), stored)));
    }
    return new TaskSequence(
        sent.sequenceId(),
        sent.type(),
        sequenceTasks,
        sent.schedule(),
        sent.active(),
        SecretNames.restored(sent.parameters(), before.parameters()));
  }

  private void changed(ApiRequest request, String action, TaskSequence sequence) {
    auditRecorder.record(
        OperatorAction.by(request.caller().actor()),
        action,
        sequence.sequenceId(),
        null,
        StrictJson.write(
            Map.of(
                "active",
                sequence.active(),
                "schedule",
                ScheduleMapper.write(sequence.schedule()),
                "tasks",
                sequence.tasks().stream().map(TaskSequence.SequenceTask::task).toList())));
  }

  ApiResponse remove(ApiRequest request) {
    String sequenceId = SequenceResource.id(request);
    sequenceService.remove(sequenceId);
    auditRecorder.record(OperatorAction.by(request.caller().actor()), "removeSequence", sequenceId);
    return ApiResponse.empty();
  }

  /** An action that needs only a reason. */
  @FunctionalInterface
  interface SimpleAction {
    void apply(SequenceService sequenceService, String sequenceId, OperatorAction action);
  }

  /**
   * @param operation its name in the audit
   */
  Route.Handler simple(String operation, SimpleAction action) {
    return request -> {
      OperatorAction by = InstanceActionResource.actionOf(request, request.body("reason"));
      String sequenceId = SequenceResource.id(request);
      action.apply(sequenceService, sequenceId, by);
      auditRecorder.record(by, operation, sequenceId);
      return ApiResponse.empty();
    };
  }

  ApiResponse run(ApiRequest request) throws IOException {
    JsonFields body = request.body("parameters", "reason");
    OperatorAction action = InstanceActionResource.actionOf(request, body);
    String sequenceId = SequenceResource.id(request);
    Map<String, Object> parameters = body.values("parameters", SequenceJsonParser.PARAMETERS);
    SecretNames.refuseMasks(parameters);
    StartedInstance startedInstance =
        sequenceService.run(
            sequenceId, parameters, action, request.find(StartResource.IDEMPOTENCY_KEY));
    if (startedInstance.created()) {
      String detail =
          parameters.isEmpty()
              ? null
              : secretNames.mask(StrictJson.write(Map.of("parameters", parameters)));
      auditRecorder.record(action, "runSequence", sequenceId, startedInstance.id(), detail);
    }
    return new ApiResponse.Json(startedInstance.created() ? 201 : 200, startedInstance);
  }

  ApiResponse backfill(ApiRequest request) throws IOException {
    JsonFields body = request.body("from", "to", "dryRun", "reason");
    String sequenceId = SequenceResource.id(request);
    Instant from = body.time("from");
    Instant to = body.time("to");
    OperatorAction action = InstanceActionResource.actionOf(request, body);
    if (!body.has("dryRun")) {
      throw ProblemException.invalid("dryRun", "is missing; expected true or false.");
    }
    if (body.flag("dryRun")) {
      return ApiResponse.json(
          BackfillView.of(sequenceService.previewBackfill(sequenceId, from, to), true));
    }
    Backfill backfill = sequenceService.backfill(sequenceId, from, to, action);
    String detail = StrictJson.write(Map.of("from", from.toString(), "to", to.toString()));
    auditRecorder.record(action, "backfillSequence", sequenceId, backfill.instanceId(), detail);
    return ApiResponse.json(BackfillView.of(backfill, false));
  }
}
