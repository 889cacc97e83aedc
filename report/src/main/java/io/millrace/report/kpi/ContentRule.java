package io.millrace.report.kpi;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A rule that describes a figure in words. Immutable and without side effects. */
public sealed interface ContentRule {

  /** Returns the texts that replace the standard texts of the rule. */
  RuleMessages messages();

  /** Returns the rule's finding about the facts; there always is one. */
  Inference evaluate(RuleInput ruleInput);

  /** A rule that compares the value with a threshold. */
  record Threshold(double threshold, GoodDirection good, RuleMessages messages)
      implements ContentRule {

    private static final Map<Finding, String> STANDARD =
        Map.of(
            Finding.ABOVE, "{value} is {difference} above the threshold of {threshold}.",
            Finding.BELOW, "{value} is {difference} below the threshold of {threshold}.",
            Finding.EQUAL, "{value} is exactly the threshold.",
            Finding.NO_DATA, "There is no data to compare with the threshold of {threshold}.");

    public Threshold {
      finite("threshold", threshold);
      messages.check("THRESHOLD", STANDARD, Set.of("name", "value", "threshold", "difference"));
    }

    @Override
    public Inference evaluate(RuleInput ruleInput) {
      MessageValues values =
          new MessageValues("THRESHOLD", ruleInput).number("threshold", threshold);
      if (!ruleInput.hasValue()) {
        return values.say(Finding.NO_DATA, Sentiment.NEUTRAL, messages, STANDARD);
      }
      double difference = ruleInput.valueOrNaN() - threshold;
      values.number("difference", Math.abs(difference));
      if (difference == 0) {
        return values.say(Finding.EQUAL, Sentiment.NEUTRAL, messages, STANDARD);
      }
      Finding finding = difference > 0 ? Finding.ABOVE : Finding.BELOW;
      return values.say(finding, good.of(difference > 0), messages, STANDARD);
    }
  }

  /** A rule that compares the value with a range, including its ends. */
  record ThresholdRange(double low, double high, RuleMessages messages) implements ContentRule {

    private static final Map<Finding, String> STANDARD =
        Map.of(
            Finding.INSIDE, "{value} is within the range of {low} to {high}.",
            Finding.ABOVE, "{value} is {difference} above the range of {low} to {high}.",
            Finding.BELOW, "{value} is {difference} below the range of {low} to {high}.",
            Finding.NO_DATA, "There is no data to compare with the range of {low} to {high}.");

    public ThresholdRange {
      finite("low", low);
      finite("high", high);
      if (low > high) {
        throw new ReportDefinitionException(
            "The range of a rule THRESHOLD_RANGE goes from "
                + low
                + " down to "
                + high
                + "; swap.");
      }
      messages.check(
          "THRESHOLD_RANGE", STANDARD, Set.of("name", "value", "low", "high", "difference"));
    }

    @Override
    public Inference evaluate(RuleInput ruleInput) {
      MessageValues values =
          new MessageValues("THRESHOLD_RANGE", ruleInput).number("low", low).number("high", high);
      if (!ruleInput.hasValue()) {
        return values.say(Finding.NO_DATA, Sentiment.NEUTRAL, messages, STANDARD);
      }
      double value = ruleInput.valueOrNaN();
      if (value >= low && value <= high) {
        return values.say(Finding.INSIDE, Sentiment.POSITIVE, messages, STANDARD);
      }
      values.number("difference", value > high ? value - high : low - value);
      Finding finding = value > high ? Finding.ABOVE : Finding.BELOW;
      return values.say(finding, Sentiment.NEGATIVE, messages, STANDARD);
    }
  }

  /** A rule that names the lowest and the highest point; of equal points, the first. */
  record MinMax(RuleMessages messages) implements ContentRule {

    private static final Map<Finding, String> STANDARD =
        Map.of(
            Finding.EXTREMES, "Most on {maxLabel} ({max}), least on {minLabel} ({min}).",
            Finding.CONSTANT, "Always {max}.",
            Finding.TOO_FEW, "Only one value: {max} on {maxLabel}.",
            Finding.NO_DATA, "There is no data.");

    public MinMax {
      messages.check(
          "MINMAX", STANDARD, Set.of("name", "value", "min", "max", "minLabel", "maxLabel"));
    }

    @Override
    public Inference evaluate(RuleInput ruleInput) {
      MessageValues values = new MessageValues("MINMAX", ruleInput);
      List<SeriesPoint> points = ruleInput.finite();
      if (points.isEmpty()) {
        return values.say(Finding.NO_DATA, Sentiment.NEUTRAL, messages, STANDARD);
      }
      SeriesPoint min =
          points.stream().min(Comparator.comparingDouble(SeriesPoint::value)).orElseThrow();
      SeriesPoint max = points.getFirst();
      for (SeriesPoint seriesPoint : points) {
        max = seriesPoint.value() > max.value() ? seriesPoint : max;
      }
      values.number("min", min.value()).number("max", max.value());
      values.text("minLabel", NumberText.label(min.label()));
      values.text("maxLabel", NumberText.label(max.label()));
      Finding finding = min.value() == max.value() ? Finding.CONSTANT : Finding.EXTREMES;
      return values.say(
          points.size() == 1 ? Finding.TOO_FEW : finding, Sentiment.NEUTRAL, messages, STANDARD);
    }
  }

  /**
   * A rule that tells whether the points rise or fall. It compares the means of their first and
   * their second half; a point in the middle belongs to neither.
   *
   * @param tolerance the difference in per cent up to which the points are called steady
   */
  record Trend(double tolerance, GoodDirection good, RuleMessages messages) implements ContentRule {

    private static final Map<Finding, String> STANDARD =
        Map.of(
            Finding.RISING, "Rising {percent}, second half of the window against the first.",
            Finding.FALLING, "Falling {percent}, second half of the window against the first.",
            Finding.STEADY, "Steady over the window.",
            Finding.TOO_FEW, "There are too few values for a trend.",
            Finding.NO_DATA, "There is no data.");

    public Trend {
      finite("tolerance", tolerance);
      messages.check(
          "TREND", STANDARD, Set.of("name", "value", "percent", "first", "last", "count"));
    }

    @Override
    public Inference evaluate(RuleInput ruleInput) {
      List<SeriesPoint> points = ruleInput.finite();
      MessageValues values = new MessageValues("TREND", ruleInput).number("count", points.size());
      if (points.size() < 2) {
        Finding finding = points.isEmpty() ? Finding.NO_DATA : Finding.TOO_FEW;
        return values.say(finding, Sentiment.NEUTRAL, messages, STANDARD);
      }
      values.number("first", points.getFirst().value()).number("last", points.getLast().value());
      double first = mean(points.subList(0, points.size() / 2));
      double second = mean(points.subList((points.size() + 1) / 2, points.size()));
      double change = second - first;
      values.text(
          "percent",
          first == 0
              ? "from zero"
              : "by "
                  + NumberText.percent(Math.abs(change / first) * 100).replaceFirst("^[+]", ""));
      double size = (Math.abs(first) + Math.abs(second)) / 2;
      if (Math.abs(change) <= size * tolerance / 100) {
        return values.say(Finding.STEADY, Sentiment.NEUTRAL, messages, STANDARD);
      }
      Finding finding = change > 0 ? Finding.RISING : Finding.FALLING;
      return values.say(finding, good.of(change > 0), messages, STANDARD);
    }

    private static double mean(List<SeriesPoint> points) {
      return points.stream().mapToDouble(SeriesPoint::value).average().orElse(0);
    }
  }

  /**
   * A rule that compares the value with that of the window before.
   *
   * @param tolerance the change in per cent up to which it counts as the same
   */
  record Comparison(double tolerance, GoodDirection good, RuleMessages messages)
      implements ContentRule {

    private static final Map<Finding, String> STANDARD =
        Map.of(
            Finding.HIGHER, "{value} after {previous} in the window before ({percent}).",
            Finding.LOWER, "{value} after {previous} in the window before ({percent}).",
            Finding.SAME, "{value}, about the same as in the window before ({previous}).",
            Finding.FIRST, "{value}; there is nothing to compare with in the window before.",
            Finding.NO_DATA, "There is no data; the window before had {previous}.");

    public Comparison {
      finite("tolerance", tolerance);
      messages.check(
          "COMPARISON", STANDARD, Set.of("name", "value", "previous", "difference", "percent"));
    }

    @Override
    public Inference evaluate(RuleInput ruleInput) {
      double previous = ruleInput.previousOrNaN();
      MessageValues values =
          new MessageValues("COMPARISON", ruleInput).number("previous", previous);
      if (!ruleInput.hasValue()) {
        return values.say(Finding.NO_DATA, Sentiment.NEUTRAL, messages, STANDARD);
      }
      if (!Double.isFinite(previous)) {
        return values.say(Finding.FIRST, Sentiment.NEUTRAL, messages, STANDARD);
      }
      double difference = ruleInput.valueOrNaN() - previous;
      values.number("difference", Math.abs(difference));
      // A change from zero cannot be given in per cent.
      values.text(
          "percent",
          previous == 0 ? "from zero" : NumberText.percent(difference / Math.abs(previous) * 100));
      if (Math.abs(difference) <= Math.abs(previous) * tolerance / 100) {
        return values.say(Finding.SAME, Sentiment.NEUTRAL, messages, STANDARD);
      }
      Finding finding = difference > 0 ? Finding.HIGHER : Finding.LOWER;
      return values.say(finding, good.of(difference > 0), messages, STANDARD);
    }
  }

  private static void finite(String what, double value) {
    if (!Double.isFinite(value)) {
      throw new ReportDefinitionException(
          "The '"
              + what.toLowerCase(Locale.ROOT)
              + "' of a content rule is "
              + value
              + "; expected a number.");
    }
  }
}
