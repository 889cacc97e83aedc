package io.millrace.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.report.chart.ChartData.Kind;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;
import java.awt.image.BufferedImage;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ChartPainterTest {

  private static final int MANY = 10_000;
  private static final int WIDTH = 672;
  private static final int HEIGHT = 166;

  /** Returns many points with one label, with one peak and one valley. */
  private static ChartData many(Kind kind) {
    List<Double> values =
        IntStream.range(0, MANY)
            .mapToObj(i -> i == 1234 ? 99.0 : i == 5678 ? -50.0 : 10.0 + i % 7)
            .toList();
    return new ChartData(kind, "Orders", "", Collections.nCopies(MANY, "Bristol"), values);
  }

  private static BufferedImage paint(ChartData data) {
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(Color.WHITE);
    graphics.fillRect(0, 0, WIDTH, HEIGHT);
    ChartPainter.standard().paint(data, graphics, WIDTH, HEIGHT);
    graphics.dispose();
    return image;
  }

  /**
   * Returns the columns of pixels that have something dark below the plot, where the labels are.
   */
  private static List<Integer> labelColumns(BufferedImage image) {
    return IntStream.range(0, WIDTH)
        .filter(x ->
            IntStream.range(HEIGHT - 16, HEIGHT)
                .anyMatch(y -> new Color(image.getRGB(x, y)).getRed() < 0xC0))
        .boxed()
        .toList();
  }

  /** Counts the columns of pixels that contain the series' blue. */
  private static long blueColumns(BufferedImage image) {
    return IntStream.range(0, WIDTH)
        .filter(x ->
            IntStream.range(0, HEIGHT)
                .mapToObj(y -> new Color(image.getRGB(x, y)))
                .anyMatch(color -> color.getBlue() - color.getRed() > 60))
        .count();
  }

  @ParameterizedTest
  @EnumSource
  void aChartOfManyPointsWithOneLabelIsPainted(Kind kind) {
    assertThat(blueColumns(paint(many(kind)))).isGreaterThan(kind == Kind.PIE ? 10 : 500);
  }

  @ParameterizedTest
  @EnumSource(names = {"LINE", "BAR"})
  void ofManyPointsTheLowestAndTheHighestOfEachStretchAreDrawn(Kind kind) {
    ChartData thinned = many(kind).thinned();
    assertThat(thinned.values()).hasSize(ChartData.MAX_POINTS).contains(99.0, -50.0);
    assertThat(thinned.thinned()).isSameAs(thinned);
    ChartData numbered =
        new ChartData(
            kind,
            "n",
            "",
            IntStream.range(0, 1001).mapToObj(Integer::toString).toList(),
            IntStream.range(0, 1001).mapToObj(i -> (double) i).toList());
    assertThat(numbered.thinned().values())
        .hasSize(1000)
        .isSorted()
        .startsWith(0.0, 1.0)
        .endsWith(998.0, 1000.0);
    assertThat(numbered.thinned().labels()).startsWith("0", "1").endsWith("998", "1000");
  }

  @ParameterizedTest
  @EnumSource(names = {"LINE", "BAR"})
  void longLabelsStandApart(Kind kind) {
    List<String> labels = IntStream.range(0, 12).mapToObj(i -> "organization-unit-" + i).toList();
    List<Double> values = IntStream.range(0, 12).mapToObj(i -> i + 1.0).toList();
    List<Integer> columns = labelColumns(paint(new ChartData(kind, "n", "", labels, values)));
    int gaps = 0;
    for (int i = 1; i < columns.size(); i++) {
      gaps += columns.get(i) - columns.get(i - 1) >= 8 ? 1 : 0;
    }
    assertThat(columns).isNotEmpty();
    assertThat(gaps).isBetween(3, 11);
  }

  @Test
  void aLabelStandsBelowItsBar() {
    List<String> labels = IntStream.range(0, 40).mapToObj(i -> "2026-W" + (i + 10)).toList();
    List<Double> values = IntStream.range(0, 40).mapToObj(i -> i == 0 ? 1.0 : 0.0).toList();
    BufferedImage image = paint(new ChartData(Kind.BAR, "n", "", labels, values));
    List<Integer> columns = labelColumns(image);
    int end = 0;
    while (columns.get(end + 1) - columns.get(end) < 8) {
      end++;
    }
    double middle = (columns.getFirst() + columns.get(end)) / 2.0;
    double bar =
        IntStream.range(0, WIDTH)
            .filter(x -> {
              Color color = new Color(image.getRGB(x, HEIGHT / 2));
              return color.getBlue() - color.getRed() > 60;
            })
            .average()
            .orElseThrow();
    assertThat(middle).isCloseTo(bar, org.assertj.core.api.Assertions.within(3.0));
  }

  @Test
  void fewPointsAndSlicesStayAsTheyAre() {
    ChartData few = new ChartData(Kind.BAR, "n", "", List.of("a", "a"), List.of(1.0, 2.0));
    assertThat(few.thinned()).isSameAs(few);
    assertThat(many(Kind.PIE).thinned().values()).hasSize(MANY);
  }

  @Test
  void equalNamesBecomeDistinctWithoutATrace() {
    DistinctNames names = new DistinctNames();
    List<String> given = IntStream.range(0, MANY).mapToObj(i -> names.of("Bristol")).toList();
    assertThat(given).doesNotHaveDuplicates().startsWith("Bristol");
    assertThat(given).allMatch(name -> name.startsWith("Bristol") && name.length() <= 7 + 14);
    assertThat(names.of(given.get(3))).isNotIn(given);

    Font font = ReportFont.REGULAR.awt().deriveFont(11f);
    FontRenderContext screen = new FontRenderContext(null, true, true);
    TextLayout plain = new TextLayout("Bristol", font, screen);
    TextLayout marked = new TextLayout(given.getLast(), font, screen);
    assertThat(marked.getOutline(null).getBounds2D())
        .isEqualTo(plain.getOutline(null).getBounds2D());
    assertThat(marked.getAdvance()).isEqualTo(plain.getAdvance());
  }
}
