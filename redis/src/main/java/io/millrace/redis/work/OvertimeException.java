package io.millrace.redis.work;

/** A handler ran longer than its queue allows. Its stack would say nothing. */
final class OvertimeException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  OvertimeException(String message) {
    super(message, null, false, false);
  }
}
