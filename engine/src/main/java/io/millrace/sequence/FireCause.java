package io.millrace.sequence;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The cause of a fire, as slot records and inputs of executions have it. */
enum FireCause {
  SCHEDULE,
  MANUAL,
  REQUEST,
  RESTART,
  BACKFILL;

  private final String code = name().toLowerCase(Locale.ROOT);

  String code() {
    return code;
  }

  static FireCause longest() {
    return Collections.max(
        List.of(values()), Comparator.comparingInt(cause -> cause.code.length()));
  }
}
