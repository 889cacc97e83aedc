package io.millrace.report.chart;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Makes equal names distinct by an invisible ending, since XChart puts values with equal names into
 * one place. Not thread-safe.
 */
final class DistinctNames {

  /** Binary digits of an ending. Both characters have no width, and digits keep endings short. */
  private static final char ZERO = '\u200C';

  private static final char ONE = '\u200D';

  private final Map<String, Integer> counts = new HashMap<>();
  private final Set<String> given = new HashSet<>();

  String of(String name) {
    // XChart cannot lay out an empty text.
    String start = name.isEmpty() ? String.valueOf(ZERO) : name;
    String distinct = start;
    while (!given.add(distinct)) {
      int count = counts.merge(start, 1, Integer::sum);
      distinct = start + Integer.toBinaryString(count).replace('0', ZERO).replace('1', ONE);
    }
    return distinct;
  }
}
