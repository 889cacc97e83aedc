package io.millrace.sequence;

import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.Map;

/**
 * What an execution is given when it is made, and keeps: nothing that is changed later changes what
 * its tasks see.
 *
 * @param parameters of the workflow and of this execution
 * @param taskParameters of the tasks in this workflow, by their places
 */
public record ExecutionInput(
    String workflowId,
    String workflowType,
    DataWindow window,
    Cause cause,
    Map<String, Object> parameters,
    Map<String, Map<String, Object>> taskParameters) {

  /**
   * Why it was made.
   *
   * @param slot the time it was meant for
   * @param trigger {@code schedule}, {@code immediate}, {@code restart}, {@code backfill} or {@code
   *     manual}
   * @param schedule the type of the schedule, for example {@code WEEKLY}
   */
  public record Cause(Instant slot, String trigger, String schedule) {}

  public ExecutionInput {
    parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
    taskParameters = taskParameters == null ? Map.of() : Map.copyOf(taskParameters);
  }
}
