package io.millrace.sequence;

import io.millrace.schedule.DataWindow;
import java.time.Instant;
import java.util.Map;

/**
 * The input of an execution, fixed when it is created: later changes do not affect its tasks.
 *
 * @param workflowType the type of the sequence, under the name that stored inputs have as JSON
 * @param parameters of the sequence and of this execution
 * @param taskParameters of the tasks in this sequence, by their positions
 */
public record ExecutionInput(
    String sequenceId,
    String workflowType,
    DataWindow window,
    Fire fire,
    Map<String, Object> parameters,
    Map<String, Map<String, Object>> taskParameters) {

  /**
   * The fire that started the execution.
   *
   * @param slot the planned time
   * @param cause {@code schedule}, {@code request}, {@code restart}, {@code backfill} or {@code
   *     manual}
   * @param schedule the type of the schedule, for example {@code WEEKLY}
   */
  public record Fire(Instant slot, String cause, String schedule) {}

  public ExecutionInput {
    parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
    taskParameters = taskParameters == null ? Map.of() : Map.copyOf(taskParameters);
  }
}
