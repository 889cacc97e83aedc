package io.millrace.data;

import java.time.Instant;

/**
 * A group of records that are compared with each other.
 *
 * @param generation grows with every reset, from 1
 * @param committed how many keys have been committed
 * @param pending how many are reserved now
 * @param modified when records were last compared or committed
 */
public record ReduceGroup(
    String name, int generation, long committed, long pending, Instant created, Instant modified) {

  /** Longest name, in characters. */
  public static final int MAX_NAME = 200;

  /**
   * Returns the name after validation.
   *
   * @throws io.millrace.instance.InvalidRequestException if it is blank or too long
   */
  public static String checked(String name) {
    return DataValidation.name("group of records", name, MAX_NAME);
  }
}
