package io.millrace.server.config;

import java.time.DayOfWeek;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A time of the week in which no alert is raised.
 *
 * @param days days on which it starts
 * @param from inclusive
 * @param to exclusive; on the next day if it is not after {@code from}
 */
public record QuietTime(Set<DayOfWeek> days, LocalTime from, LocalTime to) {

  /**
   * The format, as in {@code 22:00-06:00}, {@code sun 01:00-05:30} and {@code sat-sun 00:00-24:00}.
   */
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:([a-z]{3})(?:-([a-z]{3}))? +)?(\\d\\d:\\d\\d) *- *(\\d\\d:\\d\\d)",
          Pattern.CASE_INSENSITIVE);

  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  public QuietTime {
    days = Set.copyOf(days);
  }

  /**
   * Parses a quiet time.
   *
   * @throws IllegalArgumentException if {@code text} is not one
   */
  static QuietTime parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException();
    }
    LocalTime to =
        parts.group(4).equals("24:00") ? LocalTime.MIDNIGHT : LocalTime.parse(parts.group(4));
    return new QuietTime(days(parts.group(1), parts.group(2)), LocalTime.parse(parts.group(3)), to);
  }

  private static Set<DayOfWeek> days(@Nullable String first, @Nullable String last) {
    if (first == null) {
      return EnumSet.allOf(DayOfWeek.class);
    }
    DayOfWeek end = day(last == null ? first : last);
    Set<DayOfWeek> days = EnumSet.of(end);
    for (DayOfWeek day = day(first); day != end; day = day.plus(1)) {
      days.add(day);
    }
    return days;
  }

  private static DayOfWeek day(String name) {
    return DayOfWeek.of(1 + DAYS.indexOf(name.toLowerCase(Locale.ROOT)));
  }

  /** True if it contains {@code moment} of the configured zone. */
  public boolean holds(LocalDateTime moment) {
    LocalTime time = moment.toLocalTime();
    boolean begun = days.contains(moment.getDayOfWeek()) && !time.isBefore(from);
    if (from.isBefore(to)) {
      return begun && time.isBefore(to);
    }
    return begun || (days.contains(moment.getDayOfWeek().minus(1)) && time.isBefore(to));
  }
}
