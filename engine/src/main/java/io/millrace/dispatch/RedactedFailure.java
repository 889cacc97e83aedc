package io.millrace.dispatch;

import org.jspecify.annotations.Nullable;

/** A replacement for a throwable whose message shows a secret. */
final class RedactedFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String text;
  private final transient @Nullable Throwable original;

  /**
   * @param text class and message of the original
   * @param original supplies the stack trace
   */
  RedactedFailure(String text, @Nullable Throwable original, @Nullable Throwable cause) {
    super(text, cause);
    this.text = text;
    this.original = original;
    if (original != null) {
      setStackTrace(original.getStackTrace());
    }
  }

  /** Returns the original throwable, for callers that check its type. */
  static @Nullable Throwable original(@Nullable Throwable failure) {
    return failure instanceof RedactedFailure stand ? stand.original : failure;
  }

  @SuppressWarnings("OverrideThrowableToString") // it names the original's class, not this one
  @Override
  public String toString() {
    return text;
  }
}
