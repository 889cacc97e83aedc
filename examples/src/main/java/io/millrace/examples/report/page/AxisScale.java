package io.millrace.examples.report.page;

import java.util.ArrayList;
import java.util.List;

/**
 * A vertical axis from 0 to a round number.
 *
 * @param top largest value shown
 * @param step distance between two lines
 */
record AxisScale(long top, long step) {

  private static final int MAX_LINES = 5;
  private static final int[] STEPS = {2, 5, 10};

  /** Returns an axis that shows all values up to {@code largest}. */
  static AxisScale upTo(long largest) {
    long step = 1;
    for (long power = 1; step * MAX_LINES < largest; power *= 10) {
      for (int i = 0; i < STEPS.length && step * MAX_LINES < largest; i++) {
        step = power * STEPS[i];
      }
    }
    return new AxisScale(Math.max(step, (largest + step - 1) / step * step), step);
  }

  /** Returns the values at which lines are drawn, including 0. */
  List<Long> lines() {
    List<Long> lines = new ArrayList<>();
    for (long value = 0; value <= top; value += step) {
      lines.add(value);
    }
    return lines;
  }
}
