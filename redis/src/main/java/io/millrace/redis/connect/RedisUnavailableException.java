package io.millrace.redis.connect;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * The server cannot be reached or does not answer; what was asked for may have been done unless
 * {@link #unexecuted}.
 */
public final class RedisUnavailableException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final boolean unexecuted;

  /** A server that did not answer what it was sent. */
  public RedisUnavailableException(String message, @Nullable Throwable cause) {
    this(message, false, cause);
  }

  private RedisUnavailableException(String message, boolean unexecuted, @Nullable Throwable cause) {
    super(message, cause);
    this.unexecuted = unexecuted;
  }

  /** Returns the error for what was not sent, or was refused as a whole. */
  public static RedisUnavailableException unexecuted(String message, @Nullable Throwable cause) {
    return new RedisUnavailableException(message, true, cause);
  }

  /** True if nothing has been done, so that asking again does it once. */
  public boolean unexecuted() {
    return unexecuted;
  }
}
