package io.millrace.sequence;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** The transport of a channel cannot do what was asked for now. */
public final class ChannelException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public ChannelException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
