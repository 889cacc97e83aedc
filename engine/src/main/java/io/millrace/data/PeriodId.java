package io.millrace.data;

/**
 * The id of a period of a key, whose work is done once.
 *
 * @param key names the work that is done once a period, for example a sequence's id; 1 to 300
 *     characters
 * @param period the key of a {@link io.millrace.schedule.CalendarPeriod}, or any other; 1 to 200
 *     characters
 */
public record PeriodId(String key, String period) {

  /** Longest key, in characters. */
  public static final int MAX_KEY = 300;

  /** Longest key of a period, in characters. */
  public static final int MAX_PERIOD = 200;

  /**
   * @throws io.millrace.instance.InvalidRequestException if either is blank, too long, or contains
   *     characters that a database cannot store
   */
  public PeriodId {
    DataValidation.name("key", key, MAX_KEY);
    DataValidation.name("key of a period", period, MAX_PERIOD);
  }

  @Override
  public String toString() {
    return key + "@" + period;
  }
}
