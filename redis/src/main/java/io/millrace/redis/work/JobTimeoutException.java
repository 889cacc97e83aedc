package io.millrace.redis.work;

/** A handler ran longer than its queue allows. Its stack would say nothing. */
final class JobTimeoutException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  JobTimeoutException(String message) {
    super(message, null, false, false);
  }
}
