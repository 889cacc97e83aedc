package io.millrace.dispatch;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** Texts of what handlers throw; works for throwables whose own methods fail, too. */
final class Errors {

  private static final int MAX_SUMMARY = 500;
  private static final int MAX_STACK_TRACE = 16_000;

  private Errors() {}

  static String summary(@Nullable Throwable failure) {
    if (failure == null) {
      return "failed";
    }
    try {
      String text = failure.toString();
      return cut(text, MAX_SUMMARY);
    } catch (Throwable e) {
      return failure.getClass().getName();
    }
  }

  static String stackTrace(Throwable failure) {
    try {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      return cut(text.toString(), MAX_STACK_TRACE);
    } catch (Throwable e) {
      return failure.getClass().getName() + " (its stack trace could not be printed)";
    }
  }

  private static String cut(String text, int most) {
    return text.length() > most ? text.substring(0, most - 1) + "…" : text;
  }
}
