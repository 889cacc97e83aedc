package io.millrace.schedule;

import java.time.LocalDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A cron in the syntax of Quartz: seconds, minutes, hours, day of month, month, day of week and,
 * optionally, year. Days of the week count from 1, Sunday, to 7. One of the two day fields must be
 * {@code ?}. Immutable and thread-safe; equal to another one of the same text.
 *
 * <p>It contains local times only. The zone and the {@link DstPolicy} of a {@link Schedule}
 * determine their instants.
 */
public final class CronExpression {

  private final String text;
  private final CronFields fields;

  private CronExpression(String text, CronFields fields) {
    this.text = text;
    this.fields = fields;
  }

  /**
   * Parses a cron.
   *
   * @throws InvalidScheduleException if it is invalid; the message names the field and its allowed
   *     values
   */
  public static CronExpression parse(String text) {
    String tidy = text.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
    return new CronExpression(tidy, QuartzCronParser.parse(tidy));
  }

  /** Returns the expression in upper case, with single spaces. */
  public String text() {
    return text;
  }

  /**
   * Returns the first local time at or after {@code from}; null for none within a hundred years.
   */
  @Nullable LocalDateTime nextOrSame(LocalDateTime from) {
    return fields.nextOrSame(from);
  }

  /**
   * Returns the last local time at or before {@code from}; null for none within a hundred years.
   */
  @Nullable LocalDateTime previousOrSame(LocalDateTime from) {
    return fields.previousOrSame(from);
  }

  CronFields fields() {
    return fields;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CronExpression cron && cron.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
