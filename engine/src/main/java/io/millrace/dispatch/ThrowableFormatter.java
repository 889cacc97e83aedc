package io.millrace.dispatch;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** Texts of exceptions of handlers; works also for throwables whose own methods fail. */
final class ThrowableFormatter {

  private static final int MAX_SUMMARY = 500;
  private static final int MAX_STACK_TRACE = 16_000;

  private ThrowableFormatter() {}

  static String summary(@Nullable Throwable failure) {
    if (failure == null) {
      return "failed";
    }
    return cut(fullSummary(failure), MAX_SUMMARY);
  }

  /** Returns class and message. */
  static String fullSummary(Throwable failure) {
    try {
      String text = failure.toString();
      return text == null ? failure.getClass().getName() : text;
    } catch (Throwable e) {
      return failure.getClass().getName();
    }
  }

  static String stackTrace(Throwable failure) {
    return cut(fullText(failure), MAX_STACK_TRACE);
  }

  /** Returns the stack trace as text. */
  static String fullText(Throwable failure) {
    try {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      return text.toString();
    } catch (Throwable e) {
      return failure.getClass().getName() + " (its stack trace could not be printed)";
    }
  }

  private static String cut(String text, int most) {
    return text.length() > most ? text.substring(0, most - 1) + "…" : text;
  }
}
