package io.millrace.definition;

/**
 * Takes the secrets that an attempt has used so far out of what is told of it. The contexts that
 * interceptors are given are one. Thread-safe.
 */
public interface SecretMask {

  /** The text with {@code ***} in place of secrets. */
  String masked(String text);

  /** Returns the throwable, or a copy without the secrets. */
  Throwable masked(Throwable failure);
}
