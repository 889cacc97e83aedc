package io.millrace.report.kpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.report.kpi.ContentRule.Comparison;
import io.millrace.report.kpi.ContentRule.MinMax;
import io.millrace.report.kpi.ContentRule.Threshold;
import io.millrace.report.kpi.ContentRule.ThresholdRange;
import io.millrace.report.kpi.ContentRule.Trend;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ContentRuleTest {

  private static final RuleMessages STANDARD = RuleMessages.standard();

  private static RuleInput value(Double value) {
    return new RuleInput("Builds", value, null, List.of());
  }

  private static RuleInput compared(Double value, Double previous) {
    return new RuleInput("Builds", value, previous, List.of());
  }

  private static RuleInput points(double... values) {
    List<SeriesPoint> points =
        IntStream.range(0, values.length)
            .mapToObj(i -> new SeriesPoint("2026-11-" + (16 + i), values[i]))
            .toList();
    return new RuleInput("Builds", values.length == 0 ? null : values[0], null, points);
  }

  private static void says(
      ContentRule rule, RuleInput ruleInput, Finding finding, Sentiment mood, String text) {
    Inference inference = rule.evaluate(ruleInput);
    assertThat(inference.finding()).isEqualTo(finding);
    assertThat(inference.sentiment()).isEqualTo(mood);
    assertThat(inference.text()).isEqualTo(text);
  }

  @Test
  void aThresholdIsGoodOnTheSideThatIsWanted() {
    ContentRule atLeast = new Threshold(10, GoodDirection.UP, STANDARD);
    ContentRule atMost = new Threshold(10, GoodDirection.DOWN, STANDARD);
    String above = "12.5 is 2.5 above the threshold of 10.";
    says(atLeast, value(12.5), Finding.ABOVE, Sentiment.POSITIVE, above);
    says(atMost, value(12.5), Finding.ABOVE, Sentiment.NEGATIVE, above);
    says(
        new Threshold(10, GoodDirection.NEITHER, STANDARD),
        value(12.5),
        Finding.ABOVE,
        Sentiment.NEUTRAL,
        above);
    String below = "9 is 1 below the threshold of 10.";
    says(atLeast, value(9.0), Finding.BELOW, Sentiment.NEGATIVE, below);
    says(atMost, value(9.0), Finding.BELOW, Sentiment.POSITIVE, below);
    says(atLeast, value(10.0), Finding.EQUAL, Sentiment.NEUTRAL, "10 is exactly the threshold.");
  }

  @Test
  void withoutAValueEveryRuleSaysSo() {
    for (Double nothing : new Double[] {null, Double.NaN, Double.POSITIVE_INFINITY}) {
      for (ContentRule rule :
          List.of(
              new Threshold(1, GoodDirection.UP, STANDARD),
              new ThresholdRange(1, 2, STANDARD),
              new Comparison(5, GoodDirection.UP, STANDARD))) {
        Inference inference = rule.evaluate(compared(nothing, 3.0));
        assertThat(inference.finding()).isEqualTo(Finding.NO_DATA);
        assertThat(inference.sentiment()).isEqualTo(Sentiment.NEUTRAL);
        assertThat(inference.text()).contains("no data");
      }
    }
    assertThat(new MinMax(STANDARD).evaluate(points()).finding()).isEqualTo(Finding.NO_DATA);
    assertThat(new Trend(5, GoodDirection.UP, STANDARD).evaluate(points(Double.NaN)).finding())
        .isEqualTo(Finding.NO_DATA);
  }

  @Test
  void theEndsOfARangeBelongToIt() {
    ContentRule range = new ThresholdRange(2, 4, STANDARD);
    for (double inside : new double[] {2, 3, 4}) {
      assertThat(range.evaluate(value(inside)).finding()).isEqualTo(Finding.INSIDE);
      assertThat(range.evaluate(value(inside)).sentiment()).isEqualTo(Sentiment.POSITIVE);
    }
    says(
        range,
        value(4.5),
        Finding.ABOVE,
        Sentiment.NEGATIVE,
        "4.5 is 0.5 above the range of 2 to 4.");
    says(
        range,
        value(-1.0),
        Finding.BELOW,
        Sentiment.NEGATIVE,
        "−1 is 3 below the range of 2 to 4.");
  }

  @Test
  void theExtremesAreNamedAndNoNumbersAreLeftOut() {
    ContentRule rule = new MinMax(STANDARD);
    says(
        rule,
        points(3, Double.NaN, 8, 1, 8),
        Finding.EXTREMES,
        Sentiment.NEUTRAL,
        "Most on Wed 18 Nov (8), least on Thu 19 Nov (1).");
    says(rule, points(3, 3), Finding.CONSTANT, Sentiment.NEUTRAL, "Always 3.");
    says(rule, points(3), Finding.TOO_FEW, Sentiment.NEUTRAL, "Only one value: 3 on Mon 16 Nov.");
  }

  @Test
  void theTrendIsThatFromTheFirstHalfToTheSecond() {
    ContentRule rule = new Trend(5, GoodDirection.DOWN, STANDARD);
    says(
        rule,
        points(10, 20, 30),
        Finding.RISING,
        Sentiment.NEGATIVE,
        "Rising by 200\u00A0%, second half of the window against the first.");
    says(
        rule,
        points(30, 20, 10),
        Finding.FALLING,
        Sentiment.POSITIVE,
        "Falling by 66.7\u00A0%, second half of the window against the first.");
    says(
        rule,
        points(20, 20, 20.5, 20),
        Finding.STEADY,
        Sentiment.NEUTRAL,
        "Steady over the window.");
    says(
        rule,
        points(0, 3),
        Finding.RISING,
        Sentiment.NEGATIVE,
        "Rising from zero, second half of the window against the first.");
    says(rule, points(0, 0), Finding.STEADY, Sentiment.NEUTRAL, "Steady over the window.");
    says(
        rule,
        points(-3, 3),
        Finding.RISING,
        Sentiment.NEGATIVE,
        "Rising by 200\u00A0%, second half of the window against the first.");
    says(
        rule,
        points(4),
        Finding.TOO_FEW,
        Sentiment.NEUTRAL,
        "There are too few values for a trend.");
  }

  @Test
  void oneOutlierDoesNotTurnATrend() {
    assertThat(
            new Trend(5, GoodDirection.UP, STANDARD)
                .evaluate(points(1, 2, 3, 4, 5, 6, 4))
                .finding())
        .isEqualTo(Finding.RISING);
  }

  @Test
  void aComparisonKnowsZeroAndNothing() {
    ContentRule rule = new Comparison(5, GoodDirection.UP, STANDARD);
    says(
        rule,
        compared(12.0, 10.0),
        Finding.HIGHER,
        Sentiment.POSITIVE,
        "12 after 10 in the window before (+20\u00A0%).");
    says(
        rule,
        compared(8.0, 10.0),
        Finding.LOWER,
        Sentiment.NEGATIVE,
        "8 after 10 in the window before (−20\u00A0%).");
    says(
        rule,
        compared(10.4, 10.0),
        Finding.SAME,
        Sentiment.NEUTRAL,
        "10.4, about the same as in the window before (10).");
    says(
        rule,
        compared(3.0, 0.0),
        Finding.HIGHER,
        Sentiment.POSITIVE,
        "3 after 0 in the window before (from zero).");
    says(
        rule,
        compared(0.0, 0.0),
        Finding.SAME,
        Sentiment.NEUTRAL,
        "0, about the same as in the window before (0).");
    says(
        rule,
        compared(3.0, -6.0),
        Finding.HIGHER,
        Sentiment.POSITIVE,
        "3 after −6 in the window before (+150\u00A0%).");
    says(
        rule,
        compared(3.0, null),
        Finding.FIRST,
        Sentiment.NEUTRAL,
        "3; there is nothing to compare with in the window before.");
    says(
        rule,
        compared(3.0, Double.NaN),
        Finding.FIRST,
        Sentiment.NEUTRAL,
        "3; there is nothing to compare with in the window before.");
  }

  @Test
  void ownWordsReplaceThoseOfTheRule() {
    RuleMessages own =
        STANDARD.with(Finding.ABOVE, "{name}: {value} > {threshold} by {difference}. $1 {{value}}");
    assertThat(new Threshold(1, GoodDirection.UP, own).evaluate(value(3.0)).text())
        .isEqualTo("Builds: 3 > 1 by 2. $1 {3}");
  }

  @Test
  void wordsThatCannotBeFilledInAreRefusedAtOnce() {
    assertThatThrownBy(
            () -> new Threshold(1, GoodDirection.UP, STANDARD.with(Finding.ABOVE, "{previous}")))
        .isInstanceOf(ReportDefinitionException.class)
        .hasMessageContaining("{previous}")
        .hasMessageContaining("[difference, name, threshold, value]");
    assertThatThrownBy(() -> new Trend(1, GoodDirection.UP, STANDARD.with(Finding.ABOVE, "x")))
        .hasMessageContaining("TREND")
        .hasMessageContaining("'ABOVE'");
    assertThatThrownBy(() -> new ThresholdRange(3, 2, STANDARD)).hasMessageContaining("swap");
    assertThatThrownBy(() -> new Threshold(Double.NaN, GoodDirection.UP, STANDARD))
        .hasMessageContaining("'threshold'");
  }

  @Test
  void numbersAreWrittenForPeople() {
    assertThat(NumberText.format(1234567)).isEqualTo("1,234,567");
    assertThat(NumberText.format(12_345_678)).isEqualTo("12.3 million");
    assertThat(NumberText.format(4.2e9)).isEqualTo("4.2 billion");
    assertThat(NumberText.format(0.12345)).isEqualTo("0.123");
    assertThat(NumberText.format(12.34)).isEqualTo("12.34");
    assertThat(NumberText.format(1000.4)).isEqualTo("1,000.4");
    assertThat(NumberText.format(-100.004)).isEqualTo("−100");
    assertThat(NumberText.format(0.0004)).isEqualTo("0.0004");
    assertThat(NumberText.format(-0.0001)).isEqualTo("−0.0001");
    assertThat(NumberText.format(0.012345)).isEqualTo("0.0123");
    assertThat(NumberText.format(0.09999)).isEqualTo("0.1");
    assertThat(NumberText.format(0.0000012345)).isEqualTo("0.00000123");
    assertThat(NumberText.format(-4.25e-9)).isEqualTo("−4.25E−9");
    assertThat(NumberText.format(-0.0)).isEqualTo("0");
    assertThat(NumberText.format(Double.NaN)).isEqualTo("–");
    assertThat(NumberText.percent(0.04)).isEqualTo("0\u00A0%");
    assertThat(NumberText.percent(-12.34)).isEqualTo("−12.3\u00A0%");
    assertThat(NumberText.percent(1234)).isEqualTo("+1,234\u00A0%");
  }

  @Test
  void exactNumbersStayExact() {
    assertThat(NumberText.exact(48_210_339)).isEqualTo("48210339");
    assertThat(NumberText.exact(2026L)).isEqualTo("2026");
    assertThat(NumberText.exact(new BigInteger("123456789012345678901")))
        .isEqualTo("123456789012345678901");
    assertThat(NumberText.exact(new BigDecimal("1234.560"))).isEqualTo("1234.56");
    assertThat(NumberText.exact(1234.5)).isEqualTo("1234.5");
    assertThat(NumberText.exact(-5.0)).isEqualTo("-5");
    assertThat(NumberText.exact(-0.0)).isEqualTo("0");
    assertThat(NumberText.exact(0.1 + 0.2)).isEqualTo("0.3");
    assertThat(NumberText.exact(2.0 / 3)).isEqualTo("0.666667");
    assertThat(NumberText.exact(0.0123456789)).isEqualTo("0.012346");
    assertThat(NumberText.exact(0.00000012)).isEqualTo("0.00000012");
    assertThat(NumberText.exact(1e15)).isEqualTo("1000000000000000");
    assertThat(NumberText.exact(1e300)).isEqualTo("1E300");
    assertThat(NumberText.exact(-4e-300)).isEqualTo("-4E-300");
    assertThat(NumberText.exact(Double.NaN)).isEqualTo("NaN");
    assertThat(NumberText.exact(Float.POSITIVE_INFINITY)).isEqualTo("∞");
    assertThat(NumberText.exact(Double.NEGATIVE_INFINITY)).isEqualTo("−∞");
  }
}
