package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import org.jspecify.annotations.Nullable;

/**
 * The state of a record at its comparison, committed after it was processed. It stands for the
 * loaded content, whatever the source has now.
 *
 * @param keyHash of the record's key; without keys, of its content
 * @param valueHash of the compared content
 * @param generation of the group at that time; a reset since then makes the token void
 * @param sourceSeq grows with every comparison of the group: an older token never overwrites a
 *     commit of a newer one
 * @param keyText kept to report deleted records; null not to keep it
 */
public record ReduceToken(
    String keyHash, String valueHash, int generation, long sourceSeq, @Nullable String keyText) {

  /** Longest hash, in characters. */
  public static final int MAX_HASH = 64;

  /**
   * @throws InvalidRequestException if a hash is invalid
   */
  public ReduceToken {
    DataValidation.name("hash of a key", keyHash, MAX_HASH);
    DataValidation.name("hash of a value", valueHash, MAX_HASH);
  }

  /** Creates a token without the key. */
  public ReduceToken(String keyHash, String valueHash, int generation, long sourceSeq) {
    this(keyHash, valueHash, generation, sourceSeq, null);
  }

  /** Returns the token as text, without the key. */
  public String valueText() {
    return generation + "." + sourceSeq + "." + valueHash;
  }

  /**
   * Reads the texts of {@link #keyHash} and {@link #valueText}.
   *
   * @throws InvalidRequestException if they are not a token
   */
  public static ReduceToken parse(String key, String value) {
    String[] parts = value.split("\\.", 3);
    try {
      return new ReduceToken(key, parts[2], Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new InvalidRequestException(
          "'"
              + value
              + "' is no token of a reduced record; expected what ReduceWithTokens gave, such as"
              + " 1.17.9f86d081…");
    }
  }
}
