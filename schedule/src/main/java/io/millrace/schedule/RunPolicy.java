package io.millrace.schedule;

/**
 * The policies for slots when several are due, or one is due while an execution still runs.
 *
 * @param misfire for slots that were missed
 * @param catchUpLimit maximum number of waiting slots with {@link MisfirePolicy#ALL} and {@link
 *     OverlapPolicy#BUFFER_ALL}, 1 to 1,000; older ones are recorded as missed
 * @param overlap for slots that are due while an execution runs
 */
public record RunPolicy(MisfirePolicy misfire, int catchUpLimit, OverlapPolicy overlap) {

  /** Policy that runs the latest slot after the running execution, with a catch-up limit of 100. */
  public static final RunPolicy DEFAULT =
      new RunPolicy(MisfirePolicy.LATEST, 100, OverlapPolicy.BUFFER_ONE);

  static final int MAX_CAUGHT_UP = 1_000;

  public RunPolicy {
    ScheduleValidation.require(
        catchUpLimit >= 1 && catchUpLimit <= MAX_CAUGHT_UP,
        "The catch-up limit is " + catchUpLimit + "; expected 1 to " + MAX_CAUGHT_UP + ".");
  }
}
