package io.millrace.sequence;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** Thrown if the transport of a channel cannot do what was requested now. */
public final class ChannelException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public ChannelException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
