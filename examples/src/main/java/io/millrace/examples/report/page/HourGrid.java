package io.millrace.examples.report.page;

import io.millrace.examples.report.measure.HumanFormat;
import io.millrace.examples.report.page.Svg.Box;
import java.time.DayOfWeek;
import java.time.format.TextStyle;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The hours of the week as a grid; a darker cell means more commits. */
final class HourGrid {

  private static final double LEFT = 44;
  private static final double SLOT_X = 37;
  private static final double SLOT_Y = 28;
  private static final double GAP = 3;
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 7 * SLOT_Y + 24;

  private final List<Integer> hours;
  private final int most;
  private final Svg svg;

  private HourGrid(List<Integer> hours) {
    this.hours = hours;
    this.most = Math.max(1, Collections.max(hours));
    this.svg = new Svg(WIDTH, HEIGHT, "Commits by hour and weekday; busiest: " + busiest(hours));
  }

  /** Draws the 168 hours from Monday 0:00. */
  static String draw(List<Integer> hours) {
    return new HourGrid(hours).draw();
  }

  /** Returns the name of the busiest hour. */
  static String busiest(List<Integer> hours) {
    return when(hours.indexOf(Collections.max(hours)));
  }

  private String draw() {
    for (DayOfWeek day : DayOfWeek.values()) {
      drawDay(day);
    }
    for (int hour = 0; hour < 24; hour += 3) {
      svg.text(LEFT + hour * SLOT_X, HEIGHT - 6, hour + ":00");
    }
    return svg.toString();
  }

  private void drawDay(DayOfWeek day) {
    int row = day.getValue() - 1;
    double y = row * SLOT_Y;
    int sum = 0;
    svg.text(0, y + 17, name(day));
    for (int hour = 0; hour < 24; hour++) {
      int commits = hours.get(row * 24 + hour);
      Box box = new Box(LEFT + hour * SLOT_X, y, SLOT_X - GAP, SLOT_Y - GAP, 3);
      String hint = when(row * 24 + hour) + ": " + HumanFormat.count(commits, "commit");
      svg.box("cell first", box, opacity(commits), hint);
      sum += commits;
    }
    svg.textUpTo(WIDTH, y + 17, HumanFormat.abbreviate(sum));
  }

  /** Returns the opacity; it grows with the square root, so that quiet hours differ visibly too. */
  private double opacity(int commits) {
    return commits == 0 ? 0.05 : 0.12 + 0.88 * Math.sqrt((double) commits / most);
  }

  private static String when(int hour) {
    return name(DayOfWeek.of(hour / 24 + 1)) + " " + hour % 24 + ":00";
  }

  private static String name(DayOfWeek day) {
    return day.getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
  }
}
