package io.millrace.data;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TimeLimits;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The options of the comparison of a group's records.
 *
 * @param key path of a record's key; null to identify records by their content
 * @param ignored paths that do not count
 * @param only the only paths that count; empty for all
 * @param secret key of the hashes; empty for none
 * @param maxDeletePercent how much may be missing; -1 if the records are not all that there is
 * @param keeping retention of what is known about records
 */
public record ReduceOptions(
    @Nullable String key,
    List<String> ignored,
    List<String> only,
    boolean canonical,
    List<Byte> secret,
    int maxDeletePercent,
    Retention keeping) {

  /**
   * The retention of what is known about records.
   *
   * @param lease of the records that are passed on; null for none
   * @param retention of what was committed; null for ever
   * @param maxEntries how many committed records are kept, the last ones; 0 for all
   */
  public record Retention(@Nullable Duration lease, @Nullable Duration retention, long maxEntries) {

    static final Retention DEFAULT = new Retention(null, null, 0);

    /**
     * @throws InvalidRequestException if a part of it is out of range
     */
    public Retention {
      DataValidation.positive("The lease of records", lease);
      DataValidation.positive("The retention of records", retention);
      lease = TimeLimits.limitedOrNull(lease);
      retention = TimeLimits.limitedOrNull(retention);
      if (maxEntries < 0) {
        throw new InvalidRequestException(
            "The number of records that a group keeps is "
                + maxEntries
                + ", expected 1 or more, or 0 for all.");
      }
    }

    /** Returns true if committed records are forgotten over time. */
    public boolean isLimited() {
      return retention != null || maxEntries > 0;
    }
  }

  /** Comparison by content, in canonical form. */
  public static final ReduceOptions DEFAULT =
      new ReduceOptions(null, List.of(), List.of(), true, List.of(), -1, Retention.DEFAULT);

  /** Longest key of a record, in characters. */
  public static final int MAX_KEY = 1_000;

  /**
   * @throws InvalidRequestException if a part of it is out of range
   */
  public ReduceOptions {
    DataValidation.between("The percentage that may be missing", maxDeletePercent, -1, 100);
    ignored = List.copyOf(ignored);
    only = List.copyOf(only);
    secret = List.copyOf(secret);
  }

  public ReduceOptions key(String path) {
    return new ReduceOptions(path, ignored, only, canonical, secret, maxDeletePercent, keeping);
  }

  public ReduceOptions ignored(List<String> paths) {
    return new ReduceOptions(key, paths, only, canonical, secret, maxDeletePercent, keeping);
  }

  public ReduceOptions only(List<String> paths) {
    return new ReduceOptions(key, ignored, paths, canonical, secret, maxDeletePercent, keeping);
  }

  public ReduceOptions canonical(boolean wanted) {
    return new ReduceOptions(key, ignored, only, wanted, secret, maxDeletePercent, keeping);
  }

  public ReduceOptions secret(List<Byte> bytes) {
    return new ReduceOptions(key, ignored, only, canonical, bytes, maxDeletePercent, keeping);
  }

  /** Returns the lease of returned records; null for none. */
  public @Nullable Duration lease() {
    return keeping.lease();
  }

  public ReduceOptions keeping(Retention changed) {
    return new ReduceOptions(key, ignored, only, canonical, secret, maxDeletePercent, changed);
  }

  public ReduceOptions full(int percent) {
    return new ReduceOptions(key, ignored, only, canonical, secret, percent, keeping);
  }

  /** Returns true if missing records are reported as deleted. */
  public boolean isFull() {
    return maxDeletePercent >= 0;
  }

  /**
   * Returns the key after validation.
   *
   * @throws InvalidRequestException if it is blank or too long
   */
  public String checkedKey(String text) {
    return DataValidation.name("key of a record", text, MAX_KEY);
  }

  /** Returns the hash of a text, 43 characters, keyed by the secret if there is one. */
  public String hash(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash;
      if (secret.isEmpty()) {
        hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      } else {
        byte[] key = new byte[secret.size()];
        for (int i = 0; i < key.length; i++) {
          key[i] = secret.get(i);
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        hash = mac.doFinal(bytes);
      }
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
