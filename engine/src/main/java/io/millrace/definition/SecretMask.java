package io.millrace.definition;

/**
 * A context that removes the secrets an attempt has used so far from texts about it. The contexts
 * of interceptors implement it. Thread-safe.
 */
public interface SecretMask {

  /** Returns the text with {@code ***} in place of secrets. */
  String masked(String text);

  /** Returns the throwable, or a copy without the secrets. */
  Throwable masked(Throwable failure);
}
