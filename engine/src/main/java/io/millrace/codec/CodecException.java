package io.millrace.codec;

import io.millrace.instance.MillraceException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a value cannot be written as JSON within the limits, or a text cannot be read as the
 * wanted type.
 */
public final class CodecException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public CodecException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Returns the result of {@code work}. The messages of its errors begin with {@code what}.
   *
   * @param what for example "Variable 'total'"
   */
  public static <T> T naming(String what, Supplier<T> work) {
    try {
      return work.get();
    } catch (CodecException e) {
      throw new CodecException(what + ": " + e.getMessage(), e.getCause());
    }
  }
}
