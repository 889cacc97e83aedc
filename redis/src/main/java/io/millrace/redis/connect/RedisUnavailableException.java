package io.millrace.redis.connect;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/**
 * Signals that the server cannot be reached or does not answer. The command may have been executed
 * unless {@link #unexecuted}.
 */
public final class RedisUnavailableException extends MillraceException {

  private static final long serialVersionUID = 1L;

  private final boolean unexecuted;

  /** Creates an exception for a server that did not answer a command. */
  public RedisUnavailableException(String message, @Nullable Throwable cause) {
    this(message, false, cause);
  }

  private RedisUnavailableException(String message, boolean unexecuted, @Nullable Throwable cause) {
    super(message, cause);
    this.unexecuted = unexecuted;
  }

  /** Returns an exception for a command that was not sent to its end, or was refused as a whole. */
  public static RedisUnavailableException unexecuted(String message, @Nullable Throwable cause) {
    return new RedisUnavailableException(message, true, cause);
  }

  /** Returns true if nothing was executed, so that a retry executes the command once. */
  public boolean unexecuted() {
    return unexecuted;
  }
}
