package io.millrace.redis.work;

/** Signals that a handler ran longer than its queue allows. It has no stack trace. */
final class JobTimeoutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  JobTimeoutException(String message) {
    super(message, null, false, false);
  }
}
