package io.millrace.server.bulk;

import io.millrace.WorkflowClient;
import io.millrace.instance.Action;
import io.millrace.instance.ConflictException;
import io.millrace.instance.Deed;
import io.millrace.instance.InstanceNotFoundException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.Signal;
import io.millrace.instance.WorkflowInstance;
import io.millrace.server.security.InstancePermissions;
import org.jspecify.annotations.Nullable;

/** What one bulk run does to an instance, under a reason by which it is known again. */
final class BulkDeed {

  /** So much of the end of a history tells whether the run was here just before a crash. */
  private static final int LOOK_BACK = 50;

  private final WorkflowClient engine;
  private final BulkRequest request;
  private final String run;
  private final Deed deed;

  BulkDeed(WorkflowClient engine, BulkRequest request, long runId) {
    this.engine = engine;
    this.request = request;
    this.run = "bulk run " + runId;
    this.deed = new Deed(request.actor(), reason(run, request.reason()));
  }

  private static String reason(String run, @Nullable String given) {
    String whole = given == null || given.isBlank() ? run : run + ": " + given;
    return whole.substring(0, Math.min(whole.length(), Deed.MAX_REASON));
  }

  /**
   * Why it was refused; empty when it was done.
   *
   * @param again true when an earlier attempt may have done it already
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
    for (Action action : engine.history(instance.id(), after, LOOK_BACK)) {
      if (isOfRun(action.author().actor(), action.outcome().reason())) {
        return true;
      }
    }
    for (Signal asked : engine.signals(instance.id(), LOOK_BACK)) {
      if (isOfRun(asked.sent().actor(), asked.sent().reason())) {
        return true;
      }
    }
    return false;
  }

  private boolean isOfRun(@Nullable String actor, @Nullable String reason) {
    return request.actor().equals(actor)
        && reason != null
        && (reason.equals(run) || reason.startsWith(run + ": "));
  }

  private void apply(long id) {
    switch (request.action()) {
      case RETRY -> engine.retry(id, deed);
      case CANCEL -> engine.cancel(id, deed);
      case PAUSE -> engine.pause(id, deed);
      case RESUME -> engine.resume(id, deed);
      case WAKE -> engine.wake(id, deed);
      case MOVE -> {
        String state = InvalidRequestException.given(request.state(), "The state to move to");
        engine.move(id, request.filter().state(), state, deed);
      }
      case SIGNAL -> {
        BulkRequest.SignalToSend signal =
            InvalidRequestException.given(request.signal(), "The signal to send");
        engine.signal(id, signal.name(), signal.payload(), deed.actor(), run.replace(' ', '-'));
      }
    }
  }
}
