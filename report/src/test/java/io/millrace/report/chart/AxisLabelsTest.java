package io.millrace.report.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.Font;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AxisLabelsTest {

  private static final int WIDTH = 590;
  private static final Font FONT = ReportFont.REGULAR.awt().deriveFont(11f);

  private static List<String> labels(int count, String start) {
    return IntStream.range(0, count).mapToObj(i -> start + i).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 12, 30, 200, 1000})
  void labelsDoNotOverlap(int count) {
    List<String> fit = AxisLabels.fit(labels(count, "Organization WWWWWWWWWWWWW "), FONT, WIDTH);
    assertThat(fit).hasSize(count);
    double slot = (double) WIDTH / count;
    double end = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      if (!fit.get(i).isEmpty()) {
        double half = AxisLabels.width(fit.get(i), FONT) / 2;
        assertThat((i + 0.5) * slot - half).as(fit.get(i)).isGreaterThan(end);
        end = (i + 0.5) * slot + half;
      }
    }
    assertThat(end).isPositive();
  }

  @Test
  void shortLabelsAreAllShownAndFewLongOnesAreNotShortened() {
    assertThat(AxisLabels.fit(labels(15, "W"), FONT, WIDTH)).isEqualTo(labels(15, "W"));
    List<String> two = labels(2, "Espresso machines and grinders ");
    assertThat(AxisLabels.fit(two, FONT, WIDTH)).isEqualTo(two);
  }

  @Test
  void aTextIsShortenedToItsWidthAndWithinNoCharacter() {
    String text = AxisLabels.shorten("😀".repeat(5000), FONT, 50);
    assertThat(text).endsWith("…").hasSizeGreaterThan(1);
    assertThat(Character.isHighSurrogate(text.charAt(text.length() - 2))).isFalse();
    assertThat(AxisLabels.width(text, FONT)).isLessThanOrEqualTo(50);
    assertThat(AxisLabels.shorten("short", FONT, 50)).isEqualTo("short");
  }

  @Test
  void aTickNextToZeroIsZero() {
    var format =
        new java.text.DecimalFormat("0.#", java.text.DecimalFormatSymbols.getInstance(Locale.ROOT));
    assertThat(ChartPainter.number(format, -1e-17)).isEqualTo("0");
    assertThat(ChartPainter.number(format, -0.0)).isEqualTo("0");
    assertThat(ChartPainter.number(format, -0.5)).isEqualTo("−0.5");
  }

  @Test
  void aSmallSliceIsNotNothingAndALargeOneNotAll() {
    assertThat(ChartPainter.percent(0.00001)).isEqualTo("< 0.1 %");
    assertThat(ChartPainter.percent(0.004)).isEqualTo("0.4 %");
    assertThat(ChartPainter.percent(0.126)).isEqualTo("13 %");
    assertThat(ChartPainter.percent(0.996)).isEqualTo("99.6 %");
    assertThat(ChartPainter.percent(0.99999)).isEqualTo("> 99.9 %");
    assertThat(ChartPainter.percent(1)).isEqualTo("100 %");
  }
}
