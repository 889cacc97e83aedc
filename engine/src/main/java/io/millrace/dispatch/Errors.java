package io.millrace.dispatch;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/** Texts of what handlers throw; works for throwables whose own methods fail, too. */
final class Errors {

  private static final int MAX_SUMMARY = 500;

  private Errors() {}

  static String summary(@Nullable Throwable failure) {
    if (failure == null) {
      return "failed";
    }
    try {
      String text = failure.toString();
      return text.length() > MAX_SUMMARY ? text.substring(0, MAX_SUMMARY) + "…" : text;
    } catch (RuntimeException e) {
      return failure.getClass().getName();
    }
  }

  static String stackTrace(Throwable failure) {
    try {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      return text.toString();
    } catch (RuntimeException e) {
      return failure.getClass().getName() + " (its stack trace could not be printed: " + e + ")";
    }
  }
}
