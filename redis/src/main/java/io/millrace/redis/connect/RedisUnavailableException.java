package io.millrace.redis.connect;

import io.millrace.instance.MillraceException;
import org.jspecify.annotations.Nullable;

/** The server cannot be reached or does not answer; what was sent may have been executed. */
public final class RedisUnavailableException extends MillraceException {

  private static final long serialVersionUID = 1L;

  public RedisUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
