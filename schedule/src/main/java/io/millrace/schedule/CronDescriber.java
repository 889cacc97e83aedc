package io.millrace.schedule;

import java.time.DayOfWeek;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/** Descriptions of crons in English. */
final class CronDescriber {

  private static final int MAX_TIMES = 6;
  private static final String[] NTH = {"", "first", "second", "third", "fourth", "fifth"};

  private CronDescriber() {}

  static String of(CronFields fields) {
    String days = days(fields);
    String months =
        fields.months().cardinality() == 12
            ? ""
            : " in " + values(fields.months(), 12, CronDescriber::month);
    String years =
        fields.years() == null
            ? ""
            : " in " + values(fields.years(), CronFields.LAST_YEAR, Integer::toString);
    return times(fields) + " " + days + months + years;
  }

  private static String times(CronFields fields) {
    if (fields.timesADay() <= MAX_TIMES) {
      return "at " + listed(clockTimes(fields));
    }
    List<String> parts = new ArrayList<>();
    boolean allMinutes = fields.minutes().cardinality() == 60;
    boolean allHours = fields.everyHour();
    if (fields.seconds().cardinality() > 1) {
      parts.add(field(fields.seconds(), 60, "second"));
    } else if (!fields.seconds().get(0)) {
      parts.add("at second " + fields.seconds().nextSetBit(0));
    }
    if (!(allMinutes && fields.seconds().cardinality() == 60)) {
      parts.add(field(fields.minutes(), 60, "minute"));
    }
    if (!allHours) {
      parts.add(field(fields.hours(), 24, "hour"));
    }
    return String.join(" of ", parts);
  }

  private static String field(BitSet bits, int size, String unit) {
    if (bits.cardinality() == size) {
      return "every " + unit;
    }
    int first = bits.nextSetBit(0);
    int second = bits.nextSetBit(first + 1);
    if (first == 0 && second > 0 && size % second == 0 && bits.cardinality() == size / second) {
      boolean even = true;
      for (int i = 0; i < size; i += second) {
        even &= bits.get(i);
      }
      if (even) {
        return "every " + second + " " + unit + "s";
      }
    }
    return unit + (bits.cardinality() == 1 ? " " : "s ") + values(bits, size, Integer::toString);
  }

  private static List<String> clockTimes(CronFields fields) {
    boolean withSeconds = fields.seconds().cardinality() > 1 || !fields.seconds().get(0);
    List<String> times = new ArrayList<>();
    fields.hours().stream()
        .forEach(h ->
            fields.minutes().stream()
                .forEach(m ->
                    fields.seconds().stream()
                        .forEach(s ->
                            times.add(
                                withSeconds
                                    ? String.format(Locale.ROOT, "%02d:%02d:%02d", h, m, s)
                                    : String.format(Locale.ROOT, "%02d:%02d", h, m)))));
    return times;
  }

  private static String days(CronFields fields) {
    BitSet ofMonth = new BitSet();
    BitSet ofWeek = new BitSet();
    List<String> parts = new ArrayList<>();
    for (CronFields.DayRule rule : fields.days()) {
      switch (rule) {
        case CronFields.DaysOfMonth(BitSet numbers) -> ofMonth.or(numbers);
        case CronFields.DaysOfWeek(BitSet numbers) -> ofWeek.or(numbers);
        case CronFields.LastDay(int before) ->
            parts.add(
                before == 0
                    ? "the last day of the month"
                    : before + " days before the last day of the month");
        case CronFields.LastWorkday() -> parts.add("the last working day of the month");
        case CronFields.WorkdayNearLast(int before) ->
            parts.add(
                "the working day nearest to "
                    + (before == 1 ? "1 day" : before + " days")
                    + " before the last day of the month");
        case CronFields.NearestWorkday(int day) ->
            parts.add("the working day nearest to day " + day);
        case CronFields.LastOfMonth(int day) ->
            parts.add("the last " + weekday(day) + " of the month");
        case CronFields.NthOfMonth(int day, int nth) ->
            parts.add("the " + NTH[nth] + " " + weekday(day) + " of the month");
      }
    }
    if (ofMonth.cardinality() == 31 || ofWeek.cardinality() == 7) {
      return "every day";
    }
    if (!ofMonth.isEmpty()) {
      parts.addFirst(
          (ofMonth.cardinality() == 1 ? "day " : "days ")
              + values(ofMonth, 31, Integer::toString)
              + " of the month");
    }
    if (!ofWeek.isEmpty()) {
      parts.addFirst(values(ofWeek, 7, CronDescriber::weekday));
    }
    return "on " + listed(parts);
  }

  private static String weekday(int number) {
    return DayOfWeek.of((number + 5) % 7 + 1).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  private static String month(int number) {
    return Month.of(number).getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** Returns the values as text. Three or more consecutive values become a range. */
  private static String values(BitSet bits, int last, IntFunction<String> name) {
    List<String> parts = new ArrayList<>();
    int from = bits.nextSetBit(0);
    while (from >= 0 && from <= last) {
      int to = bits.nextClearBit(from) - 1;
      if (to - from >= 2) {
        parts.add(name.apply(from) + " to " + name.apply(to));
      } else {
        for (int i = from; i <= to; i++) {
          parts.add(name.apply(i));
        }
      }
      from = bits.nextSetBit(to + 1);
    }
    return listed(parts);
  }

  private static String listed(List<String> parts) {
    int last = parts.size() - 1;
    return last == 0
        ? parts.getFirst()
        : String.join(", ", parts.subList(0, last)) + " and " + parts.get(last);
  }
}
