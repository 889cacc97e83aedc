package io.millrace.data;

/**
 * The address of a value. Groups and keys are case-sensitive.
 *
 * @param group 1 to 1,000 characters
 * @param key 1 to 1,000 characters, unique within its group
 */
public record KeyId(String group, String key) {

  public static final int MAX_LENGTH = 1_000;

  /**
   * @throws io.millrace.instance.InvalidRequestException if either is blank, too long, or contains
   *     characters that a database cannot store
   */
  public KeyId {
    DataValidation.name("group", group, MAX_LENGTH);
    DataValidation.name("key", key, MAX_LENGTH);
  }
}
