package io.millrace.dispatch;

import io.millrace.lifecycle.LoopFailure;
import java.util.List;
import java.util.stream.Collectors;

/** The text in which an executor reports failed background loops. */
final class LoopFailureReport {

  private static final int MAX_LENGTH = 2_000;
  private static final int MAX_FAULT = 200;

  private LoopFailureReport() {}

  /** Returns a sentence for each failed loop; empty if none has failed. */
  static String of(List<LoopFailure> failures) {
    String text =
        failures.stream().map(LoopFailureReport::sentence).collect(Collectors.joining(" "));
    return cut(text, MAX_LENGTH);
  }

  private static String sentence(LoopFailure failure) {
    return "Loop "
        + failure.loop()
        + " failed "
        + failure.times()
        + " times, last at "
        + failure.last()
        + ": "
        + cut(failure.fault(), MAX_FAULT)
        + ".";
  }

  private static String cut(String text, int most) {
    return text.length() > most ? text.substring(0, most) : text;
  }
}
