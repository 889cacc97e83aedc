package io.millrace;

/** A check of something that a node needs. Must be thread-safe. */
@FunctionalInterface
public interface HealthCheck {

  /**
   * Returns normally if all is well.
   *
   * @throws Exception if it is not; the message says what is wrong and what to do
   */
  void check() throws Exception;
}
