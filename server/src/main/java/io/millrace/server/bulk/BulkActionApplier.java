package io.millrace.server.bulk;

import io.millrace.WorkflowClient;
import io.millrace.instance.ConflictException;
import io.millrace.instance.HistoryEntry;
import io.millrace.instance.InboxMessage;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.security.InstancePermissions;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An applier of one bulk run's action to single instances. The reason of each action names the run,
 * so that a repeated attempt recognizes what is already done.
 */
final class BulkActionApplier {

  /**
   * Number of history entries per page that are read to find out whether the run acted on an
   * instance just before a crash.
   */
  private static final int LOOK_BACK = 50;

  private final WorkflowClient engine;
  private final BulkRequest request;
  private final String run;
  private final OperatorAction operatorAction;

  /**
   * Finds the run in a reason as the engine stores it: after the word "forced", or in parentheses
   * after the failure of an instance that was cancelled.
   */
  private final Pattern reasonOfRun;

  BulkActionApplier(WorkflowClient engine, BulkRequest request, long runId) {
    this.engine = engine;
    this.request = request;
    this.run = "bulk run " + runId;
    this.reasonOfRun = Pattern.compile("(^| \\(|^forced: )" + run + "(: |\\)|$)");
    this.operatorAction = new OperatorAction(request.actor(), reason(run, request.reason()));
  }

  private static String reason(String run, @Nullable String given) {
    String whole = given == null || given.isBlank() ? run : run + ": " + given;
    return whole.substring(0, Math.min(whole.length(), OperatorAction.MAX_REASON));
  }

  /**
   * Applies the action to an instance; returns the reason for a refusal, empty on success.
   *
   * @param again true if an earlier attempt may have applied the action already
   */
  String apply(long id, boolean again) {
    try {
      WorkflowInstance instance = engine.get(id);
      if (!request.mayActOn(instance.type())) {
        return "Instance "
            + id
            + " is of type '"
            + instance.type()
            + "', which is the server's own; this needs the role "
            + InstancePermissions.needed(instance.type(), request.action().use()).text()
            + ".";
      }
      if (again && isDone(instance)) {
        return "";
      }
      if (!request.filter().stillMatches(instance)) {
        return "Instance "
            + id
            + " is "
            + instance.status().code()
            + " in state '"
            + instance.state()
            + "' by now, and no longer what the run was about.";
      }
      apply(id);
      return "";
    } catch (ConflictException | InstanceNotFoundException | InvalidRequestException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private boolean isDone(WorkflowInstance instance) {
    int after = Math.max(0, instance.seq() - LOOK_BACK);
    List<HistoryEntry> page = engine.history(instance.id(), after, LOOK_BACK);
    while (!page.isEmpty()) {
      for (HistoryEntry entry : page) {
        if (isOfRun(entry.author().actor(), entry.outcome().reason())) {
          return true;
        }
      }
      page = engine.history(instance.id(), page.getLast().seq(), LOOK_BACK);
    }
    for (InboxMessage asked : engine.inboxMessages(instance.id(), LOOK_BACK)) {
      if (isOfRun(asked.sent().actor(), asked.sent().reason())) {
        return true;
      }
    }
    return false;
  }

  private boolean isOfRun(@Nullable String actor, @Nullable String reason) {
    return request.actor().equals(actor) && reason != null && reasonOfRun.matcher(reason).find();
  }

  private void apply(long id) {
    switch (request.action()) {
      case RETRY -> engine.retry(id, operatorAction);
      case CANCEL -> engine.cancel(id, operatorAction);
      case PAUSE -> engine.pause(id, operatorAction);
      case RESUME -> engine.resume(id, operatorAction);
      case WAKE -> engine.wake(id, operatorAction);
      case MOVE -> {
        String state =
            InvalidRequestException.requirePresent(request.state(), "The state to move to");
        String expected = request.filter().state();
        if (request.force()) {
          engine.forceMove(id, expected, state, operatorAction);
        } else {
          engine.move(id, expected, state, operatorAction);
        }
      }
      case SIGNAL -> {
        BulkRequest.SignalToSend signal =
            InvalidRequestException.requirePresent(request.signal(), "The signal to send");
        engine.signal(
            id, signal.name(), signal.payload(), operatorAction.actor(), run.replace(' ', '-'));
      }
    }
  }
}
