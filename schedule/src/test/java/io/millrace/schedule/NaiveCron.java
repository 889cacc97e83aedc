package io.millrace.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;

/**
 * A cron that is parsed again for every second. It supports the forms that {@link RandomSchedules}
 * creates.
 */
record NaiveCron(String text) {

  private static final List<String> DAYS =
      List.of("", "SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  LocalDateTime nextOrSame(LocalDateTime from) {
    String[] fields = text.split(" ", -1);
    LocalDate day = from.toLocalDate();
    int second = from.toLocalTime().toSecondOfDay();
    while (true) {
      if (allowsDay(day, fields[3], fields[4], fields[5])) {
        for (; second < 86_400; second++) {
          LocalTime time = LocalTime.ofSecondOfDay(second);
          if (allows(time.getSecond(), fields[0])
              && allows(time.getMinute(), fields[1])
              && allows(time.getHour(), fields[2])) {
            return day.atTime(time);
          }
        }
      }
      day = day.plusDays(1);
      second = 0;
    }
  }

  private static boolean allows(int value, String field) {
    if (field.equals("*")) {
      return true;
    }
    if (field.startsWith("*/")) {
      return value % Integer.parseInt(field.substring(2)) == 0;
    }
    if (field.contains("-")) {
      String[] ends = field.split("-", -1);
      return value >= Integer.parseInt(ends[0]) && value <= Integer.parseInt(ends[1]);
    }
    return List.of(field.split(",", -1)).contains(String.valueOf(value));
  }

  private static boolean allowsDay(LocalDate day, String ofMonth, String month, String ofWeek) {
    boolean inMonth =
        switch (month) {
          case "*" -> true;
          case "1/2" -> day.getMonthValue() % 2 == 1;
          default -> allows(day.getMonthValue(), month);
        };
    boolean last = day.plusDays(1).getDayOfMonth() == 1;
    boolean workday = day.getDayOfWeek().compareTo(DayOfWeek.SATURDAY) < 0;
    return inMonth
        && switch (ofMonth) {
          case "?" -> allowsWeekday(day, ofWeek);
          case "L" -> last;
          case "LW" -> workday && isLastWorkday(day);
          case "1,15W" -> day.getDayOfMonth() == 1 || isNearest15(day);
          case "*/9" -> (day.getDayOfMonth() - 1) % 9 == 0;
          default -> allows(day.getDayOfMonth(), ofMonth);
        };
  }

  private static boolean isLastWorkday(LocalDate day) {
    LocalDate next = day.plusDays(day.getDayOfWeek() == DayOfWeek.FRIDAY ? 3 : 1);
    return next.getMonth() != day.getMonth();
  }

  private static boolean isNearest15(LocalDate day) {
    return switch (day.getDayOfMonth()) {
      case 14 -> day.getDayOfWeek() == DayOfWeek.FRIDAY;
      case 15 -> day.getDayOfWeek().compareTo(DayOfWeek.SATURDAY) < 0;
      case 16 -> day.getDayOfWeek() == DayOfWeek.MONDAY;
      default -> false;
    };
  }

  private static boolean allowsWeekday(LocalDate day, String field) {
    int number = day.getDayOfWeek().getValue() % 7 + 1;
    return switch (field) {
      case "MON-FRI" -> number >= 2 && number <= 6;
      case "SAT,SUN" -> number == 1 || number == 7;
      case "1#2,6L" ->
          (number == 1 && (day.getDayOfMonth() - 1) / 7 == 1)
              || (number == 6 && day.plusDays(7).getMonth() != day.getMonth());
      default -> DAYS.get(number).equals(field);
    };
  }
}
