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

  private final boolean tooLarge;

  public CodecException(String message, @Nullable Throwable cause) {
    this(message, cause, false);
  }

  private CodecException(String message, @Nullable Throwable cause, boolean tooLarge) {
    super(message, cause);
    this.tooLarge = tooLarge;
  }

  /** Creates an exception for a value that has more bytes than are allowed. */
  static CodecException tooLarge(String message) {
    return new CodecException(message, null, true);
  }

  /** Returns true if the value has more bytes than are allowed. */
  public boolean isTooLarge() {
    return tooLarge;
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
      throw new CodecException(what + ": " + e.getMessage(), e.getCause(), e.tooLarge);
    }
  }
}
