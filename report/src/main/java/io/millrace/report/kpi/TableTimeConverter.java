package io.millrace.report.kpi;

import io.millrace.report.source.ResultTable;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Formats times in the cells of a table in a zone: {@code 2026-11-16 08:30:00}, or only the date
 * when all times of a column are midnight, as for the starts of days, weeks and months.
 */
final class TableTimeConverter {

  private static final Pattern ISO =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d([.]\\d{1,9})?)?(Z|[+-]\\d\\d(:?\\d\\d)?)?(\\[[^]]+])?");

  private static final DateTimeFormatter READ =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .optionalStart()
          .appendOffset("+HH:MM", "Z")
          .optionalEnd()
          .optionalStart()
          .appendOffset("+HHmm", "Z")
          .optionalEnd()
          .optionalStart()
          .appendLiteral('[')
          .parseCaseSensitive()
          .appendZoneRegionId()
          .appendLiteral(']')
          .toFormatter(Locale.ROOT);

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  private TableTimeConverter() {}

  /** Returns the table with all times that have an offset converted to the zone. */
  static ResultTable in(ResultTable table, ZoneId zone) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (List<@Nullable Object> row : table.rows()) {
      rows.add(new ArrayList<>(row));
    }
    boolean changed = false;
    for (int column = 0; column < table.columns().size(); column++) {
      changed |= convert(rows, column, zone);
    }
    return changed ? new ResultTable(table.columns(), rows) : table;
  }

  private static boolean convert(List<List<@Nullable Object>> rows, int column, ZoneId zone) {
    List<@Nullable LocalDateTime> times = new ArrayList<>();
    boolean midnights = true;
    boolean found = false;
    for (List<@Nullable Object> row : rows) {
      LocalDateTime time = row.get(column) instanceof String text ? local(text, zone) : null;
      times.add(time);
      if (time != null) {
        found = true;
        midnights &= time.toLocalTime().equals(LocalTime.MIDNIGHT);
      }
    }
    for (int i = 0; found && i < rows.size(); i++) {
      LocalDateTime time = times.get(i);
      if (time != null) {
        rows.get(i).set(column, midnights ? time.toLocalDate().toString() : TIME.format(time));
      }
    }
    return found;
  }

  private static @Nullable LocalDateTime local(String text, ZoneId zone) {
    if (!ISO.matcher(text).matches()) {
      return null;
    }
    try {
      TemporalAccessor parsed = READ.parse(text);
      ZoneId given = parsed.query(TemporalQueries.zone());
      LocalDateTime time = LocalDateTime.from(parsed);
      return given == null
          ? time
          : java.time.ZonedDateTime.from(parsed).withZoneSameInstant(zone).toLocalDateTime();
    } catch (DateTimeException e) {
      return null;
    }
  }
}
