package io.millrace.store;

import io.millrace.data.KeyId;
import io.millrace.data.KeyQuery;
import io.millrace.data.KeyValue;
import io.millrace.data.KeyWriteResult;
import io.millrace.store.KeyValueStore.Put;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Conditions for writing a value. Pure; used by every store. */
public final class KeyValueRules {

  private KeyValueRules() {}

  /**
   * A row as it is stored.
   *
   * @param writer of the last write; null for none
   */
  public record StoredValue(KeyValue value, @Nullable String writer) {

    /** Returns the value; null if it has expired. */
    public @Nullable KeyValue at(Instant now) {
      Instant expires = value.expires();
      return expires == null || expires.isAfter(now) ? value : null;
    }
  }

  /** Returns why a write is rejected, or null. */
  public static @Nullable KeyWriteResult objection(
      Put put, @Nullable StoredValue storedValue, Instant now) {
    KeyValue current = storedValue == null ? null : storedValue.at(now);
    if (storedValue != null
        && current != null
        && put.writer() != null
        && put.writer().equals(storedValue.writer)) {
      return new KeyWriteResult.Written(current.version());
    }
    boolean allowed =
        switch (put.when()) {
          case ALWAYS -> true;
          case ABSENT -> current == null;
          case UNCHANGED ->
              current != null && Long.valueOf(current.version()).equals(put.version());
        };
    return allowed ? null : new KeyWriteResult.Refused(current);
  }

  /**
   * Returns the hash by which rows are found and ordered: names may be longer than an index allows.
   */
  public static String hash(String name) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  /** Returns the cursor after a value. */
  public static String cursor(KeyValue value) {
    KeyId id = value.id();
    return new KeyQuery.Cursor(value.modified(), hash(id.key())).text();
  }
}
