package io.millrace.continuous;

import io.millrace.definition.Next;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.InvalidRequestException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A workflow with a trigger that waits for events without end. Each event starts an execution; the
 * trigger continues when that has ended. One node of a group runs the trigger, and another takes
 * over when that node stops or dies. Immutable; the methods return changed copies.
 *
 * @param definition of the executions; null until {@link #handler} or {@link #runs} sets it
 * @param continuation null for the policy of the settings
 * @param initiallyEnabled true if the workflow is enabled when it is new
 */
public record ContinuousWorkflow(
    String name,
    Trigger trigger,
    @Nullable WorkflowDefinition definition,
    RestartPolicy restart,
    @Nullable ContinuationPolicy continuation,
    boolean initiallyEnabled) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.\\-]{0,199}");

  public ContinuousWorkflow {
    if (!NAME.matcher(
            InvalidRequestException.requirePresent(name, "The name of a continuous workflow"))
        .matches()) {
      throw new InvalidRequestException(
          "The continuous workflow '"
              + name
              + "' has an invalid name; expected 1 to 200 letters, digits, '_', '.' and '-',"
              + " beginning with a letter or digit.");
    }
    InvalidRequestException.requirePresent(trigger, "The trigger of '" + name + "'");
  }

  /**
   * Creates a continuous workflow with a trigger; {@link #handler} or {@link #runs} sets what its
   * events run.
   */
  public static ContinuousWorkflow of(String name, Trigger trigger) {
    return new ContinuousWorkflow(name, trigger, null, RestartPolicy.permanent(), null, true);
  }

  /** Handles each event in one attempt, in executions whose type is the workflow's name. */
  public ContinuousWorkflow handler(EventHandler handler) {
    return runs(
        WorkflowDefinition.of(name)
            .start("handle", context -> handle(handler, context))
            .description("Events of " + trigger.describe())
            .build());
  }

  private static Next handle(EventHandler handler, io.millrace.definition.StateContext context)
      throws Exception {
    return handler.handle(context, TriggerEvent.of(context));
  }

  /** Runs the states of a definition for each event; see {@link TriggerEvent#of}. */
  public ContinuousWorkflow runs(WorkflowDefinition events) {
    return new ContinuousWorkflow(name, trigger, events, restart, continuation, initiallyEnabled);
  }

  public ContinuousWorkflow restart(RestartPolicy policy) {
    return new ContinuousWorkflow(
        name, trigger, definition, policy, continuation, initiallyEnabled);
  }

  public ContinuousWorkflow continuation(ContinuationPolicy policy) {
    return new ContinuousWorkflow(name, trigger, definition, restart, policy, initiallyEnabled);
  }

  /** Registers the workflow as disabled when it is new. */
  public ContinuousWorkflow initiallyDisabled() {
    return new ContinuousWorkflow(name, trigger, definition, restart, continuation, false);
  }

  /**
   * Returns the definition that its events run.
   *
   * @throws InvalidRequestException if none was set
   */
  public WorkflowDefinition events() {
    if (definition == null) {
      throw new InvalidRequestException(
          "The continuous workflow '"
              + name
              + "' does nothing with its events: call handler(...) or runs(...).");
    }
    return definition;
  }
}
