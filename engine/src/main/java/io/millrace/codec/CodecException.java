package io.millrace.codec;

import io.millrace.instance.MillraceException;
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
}
