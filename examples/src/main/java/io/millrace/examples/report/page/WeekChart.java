package io.millrace.examples.report.page;

import static io.millrace.examples.report.page.Svg.px;

import io.millrace.examples.report.measure.HumanFormat;
import io.millrace.examples.report.measure.Measures.Week;
import io.millrace.examples.report.page.Svg.Box;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.ToIntFunction;

/**
 * A chart of one number per week: bars for a short history, an area with its trend for a long one.
 */
final class WeekChart {

  private static final double WIDTH = 1000;
  private static final double HEIGHT = 230;
  private static final double LEFT = 44;
  private static final double RIGHT = 8;
  private static final double TOP = 10;
  private static final double BOTTOM = 26;
  private static final double WIDEST_BAR = 34;
  private static final double ROOM_FOR_DATE = 24;
  private static final int MAX_BARS = 160;
  private static final int MAX_HINTS = 600;
  private static final int TREND_WEEKS = 13;

  private final String noun;
  private final String color;
  private final LocalDate first;
  private final int[] values;
  private final AxisScale axisScale;
  private final double slot;
  private final Svg svg;

  private WeekChart(List<Week> weeks, ToIntFunction<Week> value, String noun, String color) {
    this.noun = noun;
    this.color = color;
    this.first = weeks.getFirst().monday();
    this.values = new int[index(weeks.getLast().monday()) + 1];
    weeks.forEach(week -> values[index(week.monday())] = value.applyAsInt(week));
    int largest = 0;
    for (int each : values) {
      largest = Math.max(largest, each);
    }
    this.axisScale = AxisScale.upTo(largest);
    this.slot = (WIDTH - LEFT - RIGHT) / values.length;
    this.svg = new Svg(WIDTH, HEIGHT, summary());
  }

  /** Draws the chart; {@code weeks} must not be empty. */
  static String draw(List<Week> weeks, ToIntFunction<Week> value, String noun, String color) {
    return new WeekChart(weeks, value, noun, color).draw();
  }

  /** True if the chart of these weeks has a trend line. */
  static boolean hasTrend(List<Week> weeks) {
    return ChronoUnit.WEEKS.between(weeks.getFirst().monday(), weeks.getLast().monday())
        >= MAX_BARS;
  }

  private String draw() {
    drawScale();
    drawDates();
    if (values.length <= MAX_BARS) {
      drawBars();
    } else {
      drawArea();
      drawTrend();
      drawHints();
    }
    return svg.toString();
  }

  private String summary() {
    int best = 0;
    for (int i = 0; i < values.length; i++) {
      best = values[i] > values[best] ? i : best;
    }
    return "%s per week from %s to %s; the most were %s in the week of %s"
        .formatted(
            noun + "s",
            HumanFormat.day(first),
            HumanFormat.day(monday(values.length - 1)),
            HumanFormat.number(values[best]),
            HumanFormat.day(monday(best)));
  }

  private void drawScale() {
    for (long value : axisScale.lines()) {
      double y = y((double) value);
      svg.line(value == 0 ? "base" : "grid", LEFT, y, WIDTH - RIGHT, y);
      svg.textUpTo(LEFT - 8, y + 4, HumanFormat.abbreviate(value));
    }
  }

  private void drawDates() {
    for (DateTicks.Tick tick : DateTicks.between(first, monday(values.length))) {
      double x = LEFT + ChronoUnit.DAYS.between(first, tick.day()) / 7.0 * slot;
      if (x < WIDTH - RIGHT - ROOM_FOR_DATE) {
        svg.line("base", x, y(0), x, y(0) + 5);
        svg.text(x + 3, HEIGHT - 8, tick.label());
      }
    }
  }

  private void drawBars() {
    double width = Math.min(WIDEST_BAR, slot * (slot > 6 ? 0.76 : 0.9));
    for (int week = 0; week < values.length; week++) {
      if (values[week] > 0) {
        double x = x(week) + (slot - width) / 2;
        double y = y(values[week]);
        Box box = new Box(x, y, width, y(0) - y, width > 5 ? 2 : 0);
        svg.box("bar " + color, box, 1, hint(week));
      }
    }
  }

  private void drawArea() {
    StringBuilder path = new StringBuilder("M" + px(LEFT) + " " + px(y(0)));
    for (int week = 0; week < values.length; week++) {
      path.append('L').append(px(x(week) + slot / 2)).append(' ').append(px(y(values[week])));
    }
    path.append('L').append(px(WIDTH - RIGHT)).append(' ').append(px(y(0))).append('Z');
    svg.path("area " + color, path.toString());
  }

  private void drawTrend() {
    StringBuilder path = new StringBuilder();
    for (int week = 0; week < values.length; week++) {
      path.append(week == 0 ? 'M' : 'L');
      path.append(px(x(week) + slot / 2)).append(' ').append(px(y(trend(week))));
    }
    svg.path("trend " + color, path.toString());
  }

  /** Returns the mean of the weeks around this one. */
  private double trend(int week) {
    int from = Math.max(0, week - TREND_WEEKS / 2);
    int to = Math.min(values.length, week + TREND_WEEKS / 2 + 1);
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += values[i];
    }
    return (double) sum / (to - from);
  }

  private void drawHints() {
    if (values.length <= MAX_HINTS) {
      for (int week = 0; week < values.length; week++) {
        svg.box("hit", new Box(x(week), TOP, slot, y(0) - TOP, 0), 1, hint(week));
      }
    }
  }

  private String hint(int week) {
    return "Week of "
        + HumanFormat.day(monday(week))
        + ": "
        + HumanFormat.count(values[week], noun);
  }

  private double x(int week) {
    return LEFT + week * slot;
  }

  private double y(double value) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / (double) axisScale.top());
  }

  private int index(LocalDate monday) {
    return Math.toIntExact(ChronoUnit.WEEKS.between(first, monday));
  }

  private LocalDate monday(int week) {
    return first.plusWeeks(week);
  }
}
