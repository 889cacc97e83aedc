package io.millrace.dispatch;

import io.millrace.codec.CodecException;
import io.millrace.definition.InvalidAnswerException;
import io.millrace.instance.InvalidRequestException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The last call of a handler to its context that another attempt cannot fix, such as a value over a
 * limit or a variable of another type. An attempt that ends with its exception is not retried.
 */
final class NonRetryableErrorTracker {

  private static final int MAX_CAUSES = 20;

  private volatile @Nullable RuntimeException last;

  /** Runs a call that depends only on its arguments and on stored data. */
  <T> T check(Supplier<T> call) {
    try {
      return call.get();
    } catch (CodecException | InvalidRequestException e) {
      last = e;
      throw e;
    }
  }

  /**
   * Returns true if {@code thrown} is, or was caused by, the exception of such a call or answer.
   */
  boolean isCauseOf(Throwable thrown) {
    RuntimeException misuse = last;
    Throwable cause = thrown;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause.equals(misuse) || cause instanceof InvalidAnswerException) {
        return true;
      }
      cause = causeOf(cause);
    }
    return false;
  }

  /** Returns the cause; null if the exception's own {@code getCause} throws. */
  private static @Nullable Throwable causeOf(Throwable failure) {
    try {
      return failure.getCause();
    } catch (RuntimeException e) {
      return null;
    }
  }
}
