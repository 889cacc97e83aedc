package io.millrace.codec;

import io.millrace.instance.MillraceException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that cannot be written as JSON within the limits, or a text that cannot be read as the
 * wanted type.
 */
public final class CodecException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public CodecException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * The result of {@code work}, whose faults then begin with the name of the thing.
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
