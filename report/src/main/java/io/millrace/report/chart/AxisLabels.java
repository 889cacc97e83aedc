package io.millrace.report.chart;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The labels below an axis that fit next to each other. When there is no room for all, every n-th
 * label is shown, below its own point.
 */
final class AxisLabels {

  private static final int GAP = 10;

  /** Smallest width to which a label is shortened. */
  private static final int MIN = 90;

  /** Upper limit of the characters that are measured; a longer label is wider than any chart. */
  private static final int MAX = 300;

  private static final FontRenderContext CONTEXT = new FontRenderContext(null, true, true);

  private AxisLabels() {}

  /**
   * Returns as many labels as given; those that are not shown are empty.
   *
   * @param width the width of the axis
   */
  static List<String> fit(List<String> labels, Font font, int width) {
    if (labels.isEmpty()) {
      return labels;
    }
    double slot = (double) width / labels.size();
    double most = Math.max(MIN, slot - GAP);
    List<String> shortened = labels.stream().map(label -> shorten(label, font, most)).toList();
    double widest = shortened.stream().mapToDouble(label -> width(label, font)).max().orElse(0);
    int step = Math.max(1, (int) Math.ceil((widest + GAP) / slot));
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < shortened.size(); i++) {
      shown.add(i % step == 0 ? shortened.get(i) : "");
    }
    return shown;
  }

  /** Returns the text, or its longest beginning that fits, with an ellipsis. */
  static String shorten(String text, Font font, double width) {
    int count = text.codePointCount(0, text.length());
    if (count <= MAX && width(text, font) <= width) {
      return text;
    }
    int fits = 0;
    int tooMany = Math.min(count, MAX);
    while (fits + 1 < tooMany) {
      int middle = (fits + tooMany) / 2;
      boolean fit = width(start(text, middle), font) <= width;
      fits = fit ? middle : fits;
      tooMany = fit ? tooMany : middle;
    }
    return start(text, fits);
  }

  private static String start(String text, int count) {
    return text.substring(0, text.offsetByCodePoints(0, count)).stripTrailing() + "…";
  }

  static double width(String text, Font font) {
    return font.getStringBounds(text, CONTEXT).getWidth();
  }
}
