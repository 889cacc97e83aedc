package io.millrace.schedule;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A parser of one field of a cron: elements separated by commas.
 *
 * @param cron the whole cron, for errors
 */
record CronFieldParser(String cron, Field field, String text) {

  /** A field of a cron. The expected values end an error message. */
  enum Field {
    SECONDS("0-59", 0, 59),
    MINUTES("0-59", 0, 59),
    HOURS("0-23", 0, 23),
    DAY_OF_MONTH("1-31, ?, L, L-3, LW, L-3W or 15W", 1, 31),
    MONTH("1-12 or JAN-DEC", 1, 12),
    DAY_OF_WEEK("1-7 from Sunday or SUN-SAT, ?, 6L or 6#3", 1, 7),
    YEAR("1970-2199, or nothing", CronFields.FIRST_YEAR, CronFields.LAST_YEAR);

    private final String expected;
    private final int first;
    private final int last;

    Field(String expected, int first, int last) {
      this.expected = expected;
      this.first = first;
      this.last = last;
    }

    private String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private int size() {
      return last - first + 1;
    }
  }

  private static final List<String> MONTHS =
      List.of("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ", -1));

  private static final List<String> DAYS = List.of("SUN MON TUE WED THU FRI SAT".split(" ", -1));

  /** Pattern of values: all, one or a range, each with or without a step. */
  private static final Pattern VALUES =
      Pattern.compile("(\\*|(?<from>\\w+)(-(?<to>\\w+))?|(?=/))(/(?<step>\\d+))?");

  private static final Pattern BEFORE_LAST_DAY = Pattern.compile("L-(?<before>\\d+)(?<workday>W)?");

  private static final Pattern NEAREST_WORKDAY = Pattern.compile("(?<day>\\d+)W");

  private static final Pattern LAST_OF_MONTH = Pattern.compile("(?<day>\\w+)L");

  private static final Pattern NTH_OF_MONTH = Pattern.compile("(?<day>\\w+)#(?<nth>[1-5])");

  /** Returns the values of a field that has nothing but values. */
  BitSet values() {
    BitSet all = new BitSet();
    elements().forEach(element -> all.or(values(element)));
    return all;
  }

  List<CronFields.DayRule> daysOfMonth() {
    return elements().stream().map(this::dayOfMonth).toList();
  }

  List<CronFields.DayRule> daysOfWeek() {
    return elements().stream().map(this::dayOfWeek).toList();
  }

  private List<String> elements() {
    return Arrays.asList(text.split(",", -1));
  }

  private CronFields.DayRule dayOfMonth(String element) {
    if (element.equals("L")) {
      return new CronFields.LastDay(0);
    }
    if (element.equals("LW")) {
      return new CronFields.LastWorkday();
    }
    Matcher beforeLast = BEFORE_LAST_DAY.matcher(element);
    if (beforeLast.matches()) {
      int before = inRange(element, beforeLast.group("before"), 0, field.last - 1);
      return beforeLast.group("workday") == null
          ? new CronFields.LastDay(before)
          : new CronFields.WorkdayNearLast(before);
    }
    Matcher nearest = NEAREST_WORKDAY.matcher(element);
    return nearest.matches()
        ? new CronFields.NearestWorkday(value(element, nearest.group("day")))
        : new CronFields.DaysOfMonth(values(element));
  }

  private CronFields.DayRule dayOfWeek(String element) {
    if (element.equals("L")) { // alone, it is the last day of the week, as in Quartz
      return new CronFields.DaysOfWeek(bits(field.last, field.last, 1));
    }
    Matcher last = LAST_OF_MONTH.matcher(element);
    if (last.matches()) {
      return new CronFields.LastOfMonth(value(element, last.group("day")));
    }
    Matcher nth = NTH_OF_MONTH.matcher(element);
    return nth.matches()
        ? new CronFields.NthOfMonth(
            value(element, nth.group("day")), Integer.parseInt(nth.group("nth")))
        : new CronFields.DaysOfWeek(values(element));
  }

  /** Returns the values of an element: {@code 5/10} goes from 5 to the end of the field. */
  private BitSet values(String element) {
    Matcher matcher = VALUES.matcher(element);
    if (!matcher.matches()) {
      throw noValue(element);
    }
    String start = matcher.group("from");
    String end = matcher.group("to");
    String step = matcher.group("step");
    int from = start == null ? field.first : value(element, start);
    int to = end != null ? value(element, end) : start == null || step != null ? field.last : from;
    return bits(from, to, step == null ? 1 : step(step));
  }

  /** Returns the values of a range; one whose end precedes its start wraps around. */
  private BitSet bits(int from, int to, int step) {
    int end = to < from ? to + field.size() : to;
    BitSet bits = new BitSet();
    for (int value = from; value <= end; value += step) {
      bits.set(value > field.last ? value - field.size() : value);
    }
    return bits;
  }

  /**
   * Returns a step, unless it is beyond the field, which is mostly meant as an interval that a cron
   * cannot express.
   */
  private int step(String digits) {
    int step = numberOf(digits);
    if (step >= 1 && step < field.size()) {
      return step;
    }
    String unit = field.words().replace(" of week", "s").replace(" of month", "s");
    String advice =
        step == 0
            ? "expected a step of 1 or more."
            : "expected a step from 1 to "
                + (field.size() - 1)
                + ". For an interval of "
                + digits
                + " "
                + unit
                + ", use an interval schedule, such as "
                + (field == Field.MINUTES
                    ? "{\"every\": \"PT" + digits + "M\"}."
                    : "{\"every\": \"PT36H\"}.");
    throw new InvalidScheduleException(
        "Cron '%s': %s is '%s': the step %s %s; %s"
            .formatted(
                cron,
                field.words(),
                text,
                digits,
                step == 0
                    ? "is not positive"
                    : "exceeds the range " + field.first + "-" + field.last,
                advice));
  }

  /** Returns the value of a number or name in {@code element}. */
  private int value(String element, String word) {
    List<String> names =
        switch (field) {
          case MONTH -> MONTHS;
          case DAY_OF_WEEK -> DAYS;
          case SECONDS, MINUTES, HOURS, DAY_OF_MONTH, YEAR -> List.of();
        };
    int name = names.indexOf(word);
    return name >= 0 ? field.first + name : inRange(element, word, field.first, field.last);
  }

  private int inRange(String element, String digits, int first, int last) {
    if (!digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw noValue(element);
    }
    int number = numberOf(digits);
    if (number < first || number > last) {
      throw refused(digits + " is not in the range " + first + "-" + last);
    }
    return number;
  }

  /** Returns the number, or one that no field has for more digits than an {@code int} may have. */
  private static int numberOf(String digits) {
    return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  private InvalidScheduleException noValue(String element) {
    return refused("'" + element + "' is no value");
  }

  private InvalidScheduleException refused(String why) {
    return new InvalidScheduleException(
        "Cron '%s': %s is '%s': %s; expected *, or values and ranges of %s, with /step or commas."
            .formatted(cron, field.words(), text, why, field.expected));
  }
}
