package io.millrace.definition;

/**
 * Takes the secrets that an attempt has used so far out of what is told of it. The contexts that
 * interceptors are given are one. Thread-safe.
 */
public interface SecretMask {

  /** The text with {@code ***} in place of secrets. */
  String masked(String text);

  /** The same throwable, or one that tells the same without the secrets. */
  Throwable masked(Throwable failure);
}
