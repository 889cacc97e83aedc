package io.millrace.report.chart;

import io.millrace.report.font.ShapedText;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries.CategorySeriesRenderStyle;
import org.knowm.xchart.PieChart;
import org.knowm.xchart.PieChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.PieStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Painter of charts, using XChart. Thread-safe. */
public final class ChartPainter {

  /** Colors of Okabe and Ito, which color-blind people can tell apart; the darker ones first. */
  private static final List<Color> PALETTE =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0x56B4E9),
          new Color(0xE69F00),
          new Color(0x7A7A7A));

  private static final Color TEXT = new Color(0x52606D);
  private static final Color GRID = new Color(0xE4E7EB);
  private static final float TEXT_SIZE = 11f;
  private static final int MAX_SLICES = 6;
  private static final int MAX_WEEKDAYS = 10;

  /** Width of the numbers next to an axis, with some space. */
  private static final int Y_AXIS = 80;

  private static final int MAX_LEGEND = 200;

  private static final DateTimeFormatter WEEKDAY =
      DateTimeFormatter.ofPattern("EEE d MMM", Locale.ENGLISH);
  private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM", Locale.ENGLISH);

  private static final ChartPainter STANDARD = new ChartPainter(ReportFont.REGULAR.awt());

  private final Font font;

  /**
   * Creates a painter.
   *
   * @param font the font of all texts, in any size
   */
  public ChartPainter(Font font) {
    this.font = font.deriveFont(TEXT_SIZE);
  }

  /** Returns the painter with the font of reports. */
  public static ChartPainter standard() {
    return STANDARD;
  }

  /**
   * Paints a chart.
   *
   * @param width the width in the units of {@code to}, which are pixels of 1/96 inch in a PDF
   */
  public void paint(ChartData data, Graphics2D to, int width, int height) {
    boolean nothing =
        data.kind() == ChartData.Kind.PIE
            ? data.values().stream().noneMatch(v -> v > 0)
            : data.values().isEmpty();
    if (nothing) {
      String zeros = "All values in this window are 0";
      paintNothing(data.values().isEmpty() ? "No data in this window" : zeros, to, width, height);
    } else if (data.kind() == ChartData.Kind.PIE) {
      pie(data, width, height).paint(to, width, height);
    } else {
      axes(data.thinned(), width, height).paint(to, width, height);
    }
  }

  private void paintNothing(String text, Graphics2D to, int width, int height) {
    to.setColor(GRID);
    to.setStroke(
        new BasicStroke(
            1, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {4, 3}, 0));
    to.draw(new Rectangle2D.Double(1, 1, width - 2.0, height - 2.0));
    to.setColor(TEXT);
    to.setFont(font);
    int length = to.getFontMetrics().stringWidth(text);
    to.drawString(text, (width - length) / 2f, height / 2f + TEXT_SIZE / 3);
  }

  private CategoryChart axes(ChartData data, int width, int height) {
    CategoryChart chart = new CategoryChartBuilder().width(width).height(height).build();
    AxesChartStyler style = chart.getStyler();
    common(style);
    style.setAxisTickLabelsFont(font);
    style.setAxisTickLabelsColor(TEXT);
    style.setAxisTicksMarksVisible(false);
    style.setAxisTicksLineVisible(false);
    style.setPlotGridVerticalLinesVisible(false);
    style.setPlotGridLinesColor(GRID);
    style.setPlotGridLinesStroke(new BasicStroke(0.75f));
    style.setPlotMargin(0);
    style.setAxisTitlesVisible(false);
    // Without this, XChart leaves out labels by a rule of its own.
    style.setXAxisTickMarkSpacingHint(1);
    DecimalFormat numbers = numbers(data.values());
    style.setYAxisTickLabelsFormattingFunction(value -> number(numbers, value));
    scale(style, data.values());
    chart.getStyler().setAvailableSpaceFill(data.values().size() < 4 ? 0.35 : 0.7);
    boolean line = data.kind() == ChartData.Kind.LINE;
    var series = chart.addSeries(data.name(), labels(data.labels(), width - Y_AXIS), data.values());
    series.setChartCategorySeriesRenderStyle(
        line ? CategorySeriesRenderStyle.Line : CategorySeriesRenderStyle.Bar);
    series.setFillColor(PALETTE.getFirst());
    series.setLineColor(PALETTE.getFirst());
    series.setLineStyle(
        new BasicStroke(line ? 2f : 0f, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    series.setMarker(
        line && data.values().size() <= 31 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
    series.setMarkerColor(PALETTE.getFirst());
    return chart;
  }

  /** Sets the ends of the axis. It always includes zero, because bars would mislead otherwise. */
  private static void scale(AxesChartStyler style, List<Double> values) {
    double min = values.stream().mapToDouble(v -> v).min().orElse(0);
    double max = values.stream().mapToDouble(v -> v).max().orElse(0);
    style.setYAxisMin(-roundUp(-Math.min(0, min)));
    style.setYAxisMax(min >= 0 && max <= 0 ? 1.0 : roundUp(Math.max(0, max)));
  }

  /** Rounds up to the next number that suits the end of an axis. */
  private static double roundUp(double value) {
    if (value == 0) {
      return 0;
    }
    double power = Math.pow(10, Math.floor(Math.log10(value)));
    for (double step : new double[] {1, 1.5, 2, 2.5, 3, 4, 5, 6, 8}) {
      if (value <= step * power) {
        return step * power;
      }
    }
    return 10 * power;
  }

  private static DecimalFormat numbers(List<Double> values) {
    return new DecimalFormat(pattern(values), DecimalFormatSymbols.getInstance(Locale.ROOT));
  }

  /** Returns the text of a tick. A value next to zero, from rounding, is shown as zero. */
  static String number(DecimalFormat format, double value) {
    String text = format.format(value);
    return text.matches("-0([.]0*)?") ? text.substring(1) : text.replace('-', '−');
  }

  private static String pattern(List<Double> values) {
    double size = values.stream().mapToDouble(Math::abs).max().orElse(0);
    boolean whole = values.stream().allMatch(v -> v == Math.rint(v));
    if ((size >= 5 && whole) || size >= 100) {
      return "#,##0";
    }
    if (size >= 1 || size == 0) {
      return "0.#";
    }
    int zeros = (int) -Math.floor(Math.log10(size)) - 1;
    return zeros > 5 ? "0.##E0" : "0." + "#".repeat(Math.max(3, zeros + 2));
  }

  private PieChart pie(ChartData data, int width, int height) {
    PieChart chart = new PieChartBuilder().width(width).height(height).build();
    PieStyler style = chart.getStyler();
    common(style);
    style.setSeriesColors(PALETTE.toArray(new Color[0]));
    style.setLegendVisible(true);
    style.setLegendPosition(Styler.LegendPosition.OutsideE);
    style.setLegendFont(font);
    style.setLegendBorderColor(Color.WHITE);
    style.setLegendPadding(6);
    style.setPlotContentSize(0.95);
    style.setLabelsVisible(false);
    style.setCircular(true);
    List<Integer> largest =
        IntStream.range(0, data.values().size())
            .filter(i -> data.values().get(i) > 0)
            .boxed()
            .sorted((a, b) -> Double.compare(data.values().get(b), data.values().get(a)))
            .toList();
    double all = largest.stream().mapToDouble(data.values()::get).sum();
    DistinctNames names = new DistinctNames();
    double rest = 0;
    for (int i = 0; i < largest.size(); i++) {
      double value = data.values().get(largest.get(i));
      if (i < MAX_SLICES || largest.size() == MAX_SLICES + 1) {
        chart.addSeries(slice(names, data.labels().get(largest.get(i)), value / all), value);
      } else {
        rest += value;
      }
    }
    if (rest > 0) {
      chart.addSeries(slice(names, "Others", rest / all), rest);
    }
    return chart;
  }

  private String slice(DistinctNames names, String label, double share) {
    String text = AxisLabels.shorten(label, font, MAX_LEGEND);
    String start = ShapedText.isRightToLeft(text) ? ShapedText.leftToRight(text) : text;
    return names.of(start + "  " + percent(share));
  }

  /** Returns a share in per cent. A small slice is never shown as 0 %, nor a large one as 100 %. */
  static String percent(double share) {
    double percent = share * 100;
    if (percent > 0 && percent < 0.1) {
      return "< 0.1 %";
    }
    if (percent > 99.9 && percent < 100) {
      return "> 99.9 %";
    }
    boolean whole = percent >= 1 && percent <= 99;
    return (whole ? Long.toString(Math.round(percent)) : oneDigit(percent)) + " %";
  }

  private static String oneDigit(double percent) {
    return new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(percent);
  }

  private void common(Styler style) {
    style.setBaseFont(font);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setChartFontColor(TEXT);
    style.setChartTitleVisible(false);
    style.setLegendVisible(false);
    style.setChartPadding(4);
    style.setLocale(Locale.ROOT);
    style.setAntiAlias(true);
  }

  private List<String> labels(List<String> labels, int width) {
    DateTimeFormatter days = labels.size() <= MAX_WEEKDAYS ? WEEKDAY : DAY;
    DistinctNames names = new DistinctNames();
    List<String> texts = labels.stream().map(label -> day(label, days)).toList();
    return AxisLabels.fit(texts, font, width).stream().map(names::of).toList();
  }

  private static String day(String label, DateTimeFormatter days) {
    try {
      return LocalDate.parse(label).format(days);
    } catch (DateTimeParseException e) {
      return label;
    }
  }
}
