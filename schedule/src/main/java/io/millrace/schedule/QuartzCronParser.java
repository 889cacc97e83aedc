package io.millrace.schedule;

import io.millrace.schedule.CronFieldParser.Field;

/** Parses the text of a cron into its fields. */
final class QuartzCronParser {

  private static final int MAX_LENGTH = 500;

  private QuartzCronParser() {}

  static CronFields parse(String text) {
    ScheduleValidation.require(
        text.length() <= MAX_LENGTH,
        "A cron of "
            + text.length()
            + " characters begins '"
            + ScheduleValidation.shortened(text)
            + "'; expected at most "
            + MAX_LENGTH
            + ".");
    String[] parts = text.split(" ", -1);
    ScheduleValidation.require(
        parts.length == 6 || parts.length == 7,
        "Cron '%s' has %s fields; expected 6 or 7: seconds, minutes, hours, day of month, month, day of week, and a year if need be."
            .formatted(text, text.isEmpty() ? 0 : parts.length));
    boolean byWeek = parts[3].equals("?");
    ScheduleValidation.require(
        byWeek != parts[5].equals("?"),
        "Cron '"
            + text
            + "': day of month is '"
            + parts[3]
            + "' and day of week is '"
            + parts[5]
            + "'; expected exactly one of them to be '?'.");
    boolean everyYear = parts.length < 7 || parts[6].equals("*") || parts[6].equals("?");
    return new CronFields(
        new CronFieldParser(text, Field.SECONDS, parts[0]).values(),
        new CronFieldParser(text, Field.MINUTES, parts[1]).values(),
        new CronFieldParser(text, Field.HOURS, parts[2]).values(),
        byWeek
            ? new CronFieldParser(text, Field.DAY_OF_WEEK, parts[5]).daysOfWeek()
            : new CronFieldParser(text, Field.DAY_OF_MONTH, parts[3]).daysOfMonth(),
        new CronFieldParser(text, Field.MONTH, parts[4]).values(),
        everyYear ? null : new CronFieldParser(text, Field.YEAR, parts[6]).values());
  }
}
