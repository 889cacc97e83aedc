package io.millrace.schedule;

import io.millrace.schedule.ExclusionCalendar.Blackout;
import io.millrace.schedule.ExclusionCalendar.Holiday;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A mapper of schedules to plain texts, numbers, lists and maps, the form of their JSON:
 *
 * <pre>
 * {"frequency": "WEEKLY", "weekStart": "MONDAY", "zone": "Europe/Berlin"}
 * {"cron": "0 0 8 ? * MON-FRI", "dst": "LATER", "misfire": "NONE", "overlap": "CANCEL"}
 * {"every": "PT15M", "anchor": "2026-01-01T00:05:00Z", "until": "2027-01-01T00:00:00Z"}
 * {"window": "08:00-09:00", "every": "PT5M", "once": "LOCAL_DATE", "days": ["MONDAY", "FRIDAY"]}
 * {"frequency": "ONETIME", "startDate": "2026-09-25", "endDate": "2026-09-30"}
 * {"frequency": "DAILY", "calendars": [{"name": "Germany",
 *    "holidays": [{"name": "Christmas", "date": "2026-12-25", "yearly": true}],
 *    "blackouts": [{"name": "move", "from": "2026-05-01T20:00:00Z", "to": "2026-05-02T04:00:00Z"}]}]}
 * </pre>
 *
 * Further keys are {@code recurs}, a boolean, and {@code catchUpLimit}, a number. A missing key has
 * its default; defaults are not written.
 */
public final class ScheduleMapper {

  private static final Set<String> KEYS =
      Set.of(
          "frequency",
          "startDate",
          "endDate",
          "cron",
          "dst",
          "every",
          "anchor",
          "recurs",
          "zone",
          "weekStart",
          "calendars",
          "misfire",
          "catchUpLimit",
          "overlap",
          "until",
          "window",
          "days",
          "once");

  private final String what;
  private final Map<?, ?> values;

  private ScheduleMapper(String what, Map<?, ?> values, Set<String> known) {
    this.what = what;
    this.values = values;
    for (Object key : values.keySet()) {
      ScheduleValidation.require(
          key instanceof String name && known.contains(name),
          what
              + " has the key '"
              + ScheduleValidation.shortened(String.valueOf(key))
              + "'; expected some of "
              + known.stream().sorted().toList()
              + ".");
    }
  }

  /**
   * Returns the schedule that {@code values} describes.
   *
   * @throws InvalidScheduleException if it is invalid; the message names the key
   */
  public static Schedule read(Map<String, ?> values) {
    ScheduleMapper spec = new ScheduleMapper("A schedule", values, KEYS);
    Schedule schedule =
        spec.recurrence()
            .zone(spec.parsed("zone", ZoneId::of, "a time zone such as Europe/Berlin", "UTC"));
    DayOfWeek weekStart =
        ScheduleValidation.constant(
            DayOfWeek.class, "Week start", spec.textOr("weekStart", "SUNDAY"));
    schedule =
        schedule
            .weekStart(weekStart)
            .misfire(MisfirePolicy.of(spec.textOr("misfire", RunPolicy.DEFAULT.misfire().name())))
            .overlap(OverlapPolicy.of(spec.textOr("overlap", RunPolicy.DEFAULT.overlap().name())))
            .catchUpLimit(spec.number("catchUpLimit", RunPolicy.DEFAULT.catchUpLimit()));
    for (Map<?, ?> calendar : spec.maps("calendars")) {
      schedule = schedule.excluding(calendar(calendar));
    }
    Instant until = spec.parsedOrNull("until", Instant::parse, "2027-01-01T00:00:00Z");
    if (until != null) {
      schedule = schedule.until(until);
    }
    return spec.truth("recurs", true) ? schedule : schedule.once();
  }

  /** Returns values from which {@link #read} creates an equal schedule. */
  public static Map<String, Object> write(Schedule schedule) {
    Map<String, Object> map = new LinkedHashMap<>();
    switch (schedule.recurrence()) {
      case Recurrence.Calendar calendar -> {
        map.put("frequency", calendar.frequency().name());
        put(map, "startDate", calendar.start(), null);
        put(map, "endDate", calendar.end(), null);
      }
      case Recurrence.Cron cron -> {
        map.put("cron", cron.expression().text());
        put(map, "dst", cron.dst(), DstPolicy.EARLIER);
      }
      case Recurrence.Interval interval -> {
        map.put("every", interval.every().toString());
        put(map, "anchor", interval.anchor(), Instant.EPOCH);
      }
      case DayWindow window -> {
        map.put("window", window.span());
        map.put("every", window.every().toString());
        if (!window.isDaily()) {
          map.put("days", window.sortedDays().stream().map(DayOfWeek::name).toList());
        }
        put(map, "once", window.once(), null);
        put(map, "dst", window.dst(), DstPolicy.EARLIER);
      }
    }
    if (!schedule.recurs()) {
      map.put("recurs", false);
    }
    put(map, "zone", schedule.zone(), ZoneId.of("UTC"));
    put(map, "weekStart", schedule.weekStart(), DayOfWeek.SUNDAY);
    put(map, "misfire", schedule.policy().misfire(), RunPolicy.DEFAULT.misfire());
    put(map, "overlap", schedule.policy().overlap(), RunPolicy.DEFAULT.overlap());
    if (schedule.policy().catchUpLimit() != RunPolicy.DEFAULT.catchUpLimit()) {
      map.put("catchUpLimit", schedule.policy().catchUpLimit());
    }
    put(map, "until", schedule.until(), null);
    if (!schedule.calendars().isEmpty()) {
      map.put("calendars", schedule.calendars().stream().map(ScheduleMapper::write).toList());
    }
    return map;
  }

  private static void put(
      Map<String, Object> map, String key, @Nullable Object value, @Nullable Object standard) {
    if (value != null && !value.equals(standard)) {
      map.put(key, value.toString());
    }
  }

  private static Map<String, Object> write(ExclusionCalendar calendar) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", calendar.name());
    map.put("holidays", calendar.holidays().stream().map(ScheduleMapper::write).toList());
    map.put("blackouts", calendar.blackouts().stream().map(ScheduleMapper::write).toList());
    return map;
  }

  private static Map<String, Object> write(Holiday holiday) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", holiday.name());
    map.put("date", holiday.date().toString());
    if (holiday.yearly()) {
      map.put("yearly", true);
    }
    return map;
  }

  private static Map<String, Object> write(Blackout blackout) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", blackout.name());
    map.put("from", blackout.from().toString());
    map.put("to", blackout.to().toString());
    return map;
  }

  private Schedule recurrence() {
    String frequency = text("frequency");
    String cron = text("cron");
    String every = text("every");
    List<String> given = new ArrayList<>();
    for (String key : List.of("frequency", "cron", "every")) {
      if (text(key) != null) {
        given.add(key);
      }
    }
    ScheduleValidation.require(
        given.size() == 1,
        what + " has " + given + "; expected exactly one of 'frequency', 'cron' and 'every'.");
    refuseUnless(frequency != null, "startDate", "frequency");
    refuseUnless(frequency != null, "endDate", "frequency");
    String window = text("window");
    refuseUnless(cron != null || window != null, "dst", "cron' or 'window");
    refuseUnless(every != null && window == null, "anchor", "every' without 'window");
    refuseUnless(every != null, "window", "every");
    refuseUnless(window != null, "days", "window");
    refuseUnless(window != null, "once", "window");
    if (frequency != null) {
      return Schedule.of(
          Frequency.of(frequency),
          parsedOrNull("startDate", LocalDate::parse, "2026-09-25"),
          parsedOrNull("endDate", LocalDate::parse, "2026-09-25"));
    }
    if (cron != null) {
      return Schedule.cron(cron, dst());
    }
    Duration pause = parsed("every", Duration::parse, "a duration such as PT15M", "");
    if (window != null) {
      return Schedule.within(window(window, pause));
    }
    return Schedule.every(
        pause, parsed("anchor", Instant::parse, "2026-01-01T00:00:00Z", Instant.EPOCH.toString()));
  }

  private DstPolicy dst() {
    return DstPolicy.of(textOr("dst", DstPolicy.EARLIER.name()));
  }

  private DayWindow window(String span, Duration every) {
    int dash = span.indexOf('-');
    if (dash < 0) {
      throw wrong("window", span, "08:00-09:00");
    }
    DayWindow window =
        DayWindow.of(span.substring(0, dash), span.substring(dash + 1), every).dst(dst());
    String once = text("once");
    Object days = values.get("days");
    if (days != null) {
      window = window.on(days(days));
    }
    return once == null ? window : window.oncePer(CalendarPeriod.of(once));
  }

  private DayOfWeek[] days(Object names) {
    if (!(names instanceof List<?> list)) {
      throw wrong("days", names, "a list of days such as MONDAY");
    }
    return list.stream()
        .map(one -> ScheduleValidation.constant(DayOfWeek.class, "Day", String.valueOf(one)))
        .distinct()
        .toArray(DayOfWeek[]::new);
  }

  private void refuseUnless(boolean fits, String key, String with) {
    ScheduleValidation.require(
        fits || values.get(key) == null,
        what + " has '" + key + "', which goes with '" + with + "'.");
  }

  private static ExclusionCalendar calendar(Map<?, ?> values) {
    ScheduleMapper spec =
        new ScheduleMapper("A calendar", values, Set.of("name", "holidays", "blackouts"));
    List<Holiday> holidays = new ArrayList<>();
    for (Map<?, ?> one : spec.maps("holidays")) {
      ScheduleMapper holiday =
          new ScheduleMapper("A holiday", one, Set.of("name", "date", "yearly"));
      holidays.add(
          new Holiday(
              holiday.textOr("name", ""),
              holiday.parsed("date", LocalDate::parse, "2026-12-25", ""),
              holiday.truth("yearly", false)));
    }
    List<Blackout> blackouts = new ArrayList<>();
    for (Map<?, ?> one : spec.maps("blackouts")) {
      ScheduleMapper blackout = new ScheduleMapper("A blackout", one, Set.of("name", "from", "to"));
      blackouts.add(
          new Blackout(
              blackout.textOr("name", ""),
              blackout.parsed("from", Instant::parse, "2026-05-01T20:00:00Z", ""),
              blackout.parsed("to", Instant::parse, "2026-05-01T20:00:00Z", "")));
    }
    return new ExclusionCalendar(spec.textOr("name", ""), holidays, blackouts);
  }

  private @Nullable String text(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw wrong(key, value, "a text");
  }

  private String textOr(String key, String standard) {
    String text = text(key);
    return text == null ? standard : text;
  }

  private <T> T parsed(String key, Function<String, T> parse, String example, String standard) {
    String text = textOr(key, standard);
    try {
      return parse.apply(text);
    } catch (DateTimeException e) {
      throw wrong(key, text, example);
    }
  }

  private <T> @Nullable T parsedOrNull(String key, Function<String, T> parse, String example) {
    return text(key) == null ? null : parsed(key, parse, example, "");
  }

  private boolean truth(String key, boolean standard) {
    Object value = values.get(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw wrong(key, value, "true or false");
  }

  private int number(String key, int standard) {
    Object value = values.get(key);
    if (value == null) {
      return standard;
    }
    if (value instanceof Integer number) {
      return number;
    }
    throw wrong(key, value, "a whole number");
  }

  private List<Map<?, ?>> maps(String key) {
    Object value = values.get(key);
    List<Map<?, ?>> maps = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (Object one : list) {
        if (one instanceof Map<?, ?> map) {
          maps.add(map);
        } else {
          throw wrong(key, one, "a list of objects");
        }
      }
    } else if (value != null) {
      throw wrong(key, value, "a list");
    }
    return maps;
  }

  private InvalidScheduleException wrong(String key, @Nullable Object value, String expected) {
    return new InvalidScheduleException(
        "%s: '%s' is '%s'; expected %s."
            .formatted(what, key, ScheduleValidation.shortened(String.valueOf(value)), expected));
  }
}
