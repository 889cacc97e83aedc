package io.millrace.codec;

import io.millrace.instance.InvalidRequestException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys under which secret values are stored: one to write with, and older ones to read what was
 * written before. Immutable; never shows a key.
 */
public final class SecretKeys {

  /** Length of a key in bytes. */
  public static final int LENGTH = 32;

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,40}");

  private final String active;
  private final Map<String, SecretKey> keys;

  private SecretKeys(String active, Map<String, SecretKey> keys) {
    this.active = active;
    this.keys = Collections.unmodifiableMap(keys);
  }

  /**
   * Returns keys with one key, to write and to read with.
   *
   * @param id names the key beside each value: 1 to 40 letters, digits, dots, hyphens, underscores
   * @param key 32 random bytes, not a password
   * @throws InvalidRequestException if either is invalid
   */
  public static SecretKeys of(String id, byte[] key) {
    return new SecretKeys(id, with(Map.of(), id, key));
  }

  /** Returns a copy with an older key, which only decrypts. */
  public SecretKeys reading(String id, byte[] key) {
    return new SecretKeys(active, with(keys, id, key));
  }

  private static Map<String, SecretKey> with(Map<String, SecretKey> before, String id, byte[] key) {
    if (!ID.matcher(id).matches() || before.containsKey(id)) {
      throw new InvalidRequestException(
          "The id of a secret key is invalid or used twice; expected 1 to 40 letters, digits, dots, hyphens or"
              + " underscores, and another one for each key.");
    }
    if (key.length != LENGTH) {
      throw new InvalidRequestException(
          "Secret key '"
              + id
              + "' has "
              + key.length
              + " bytes, expected "
              + LENGTH
              + ". Make one with 'openssl rand -base64 32' and pass it decoded.");
    }
    Map<String, SecretKey> all = new LinkedHashMap<>(before);
    all.put(id, new SecretKeySpec(key, "AES"));
    return all;
  }

  String active() {
    return active;
  }

  Map<String, SecretKey> keys() {
    return keys;
  }

  /** Returns the names of the keys, the one to write with first. */
  public Set<String> ids() {
    return keys.keySet();
  }

  @Override
  public String toString() {
    return "SecretKeys" + keys.keySet();
  }
}
