package io.millrace.data;

/**
 * A period of a schedule: what happens once.
 *
 * @param schedule what is done once a period, for example a workflow's id; 1 to 300 characters
 * @param period the key of a {@link io.millrace.schedule.Period}, or any other; 1 to 200 characters
 */
public record FireId(String schedule, String period) {

  /** Longest id of a schedule, in characters. */
  public static final int MAX_SCHEDULE = 300;

  /** Longest key of a period, in characters. */
  public static final int MAX_PERIOD = 200;

  /**
   * @throws io.millrace.instance.InvalidRequestException when either is blank, too long, or holds
   *     what no database keeps
   */
  public FireId {
    Checks.name("id of a schedule", schedule, MAX_SCHEDULE);
    Checks.name("key of a period", period, MAX_PERIOD);
  }

  @Override
  public String toString() {
    return schedule + "@" + period;
  }
}
