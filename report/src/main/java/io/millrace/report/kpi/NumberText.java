package io.millrace.report.kpi;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Formats numbers for readers: {@code 12,345}, {@code 0.25}, {@code 1.2 million}. */
public final class NumberText {

  private static final double MILLION = 1e6;
  private static final double BILLION = 1e9;
  private static final double LARGE = 1e5;
  private static final double SMALL = 0.1;
  private static final double SMALLEST = 1e-6;
  private static final double LARGEST = 1e40;
  private static final int DIGITS = 3;
  private static final int PLACES = 6;

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("EEE d MMM", Locale.ENGLISH);

  private NumberText() {}

  /** Formats a figure; a dash when it is not finite. */
  public static String format(double value) {
    if (!Double.isFinite(value)) {
      return "–";
    }
    double size = Math.abs(value);
    if (size >= BILLION * 1000) {
      return pattern("0.##E0").format(value);
    }
    if (size >= BILLION) {
      return pattern("0.##").format(value / BILLION) + " billion";
    }
    if (size >= MILLION * 10) {
      return pattern("0.#").format(value / MILLION) + " million";
    }
    if (size >= LARGE || value == Math.rint(value)) {
      return plain(pattern("#,##0").format(value));
    }
    if (size < SMALL) {
      return plain(small(value));
    }
    return plain(pattern(size >= 1 ? "#,##0.##" : "0.###").format(value));
  }

  /**
   * Formats a small number with enough digits after its leading zeros, so that it does not look
   * like zero.
   */
  private static String small(double value) {
    return Math.abs(value) < SMALLEST
        ? pattern("0.##E0").format(value)
        : digits(BigDecimal.valueOf(value).round(new MathContext(DIGITS)));
  }

  /**
   * Formats a number in full: plain digits without grouping and at most six decimal places, or more
   * if three significant digits need them. Values that are not finite are shown as {@code NaN} or
   * {@code ∞}.
   */
  public static String exact(Number number) {
    double size = Math.abs(number.doubleValue());
    boolean floating = number instanceof Double || number instanceof Float;
    if (floating && !Double.isFinite(size)) {
      return number.doubleValue() < 0 ? "−∞" : size > 0 ? "∞" : "NaN";
    }
    if (size != 0 && (size < SMALLEST * SMALLEST || size > LARGEST)) {
      return pattern("0.######E0").format(number);
    }
    BigDecimal value = new BigDecimal(number.toString());
    int first = value.scale() - value.precision() + 1;
    int places = Math.max(PLACES, first + DIGITS - 1);
    return digits(value.setScale(Math.min(value.scale(), places), RoundingMode.HALF_UP));
  }

  private static String digits(BigDecimal value) {
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }

  /** Formats a change in per cent, with its sign: {@code +12 %}. */
  public static String percent(double percent) {
    if (!Double.isFinite(percent)) {
      return "–";
    }
    boolean large = Math.abs(percent) >= 100;
    String number = large ? format(Math.rint(percent)) : pattern("0.#").format(percent);
    String text = plain(number);
    return (percent > 0 && !text.equals("0") ? "+" : "") + text + "\u00A0%";
  }

  /** Formats the label of a point: days as {@code Fri 20 Nov}, all else unchanged. */
  static String label(String label) {
    try {
      return DAY.format(LocalDate.parse(label));
    } catch (DateTimeParseException e) {
      return label;
    }
  }

  private static String plain(String text) {
    return text.equals("-0") ? "0" : text.replace('-', '−');
  }

  private static DecimalFormat pattern(String pattern) {
    return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT));
  }
}
