package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/** Where actions of security are written down. Thread-safe. */
@FunctionalInterface
public interface SecurityAudit {

  /**
   * Adds a row.
   *
   * @param actor who did it, or tried
   * @param action such as {@code login}, {@code loginFailed}, {@code userCreated}
   * @param target the user or key that it was done to; null where that is the actor
   * @param reason what more there is to say, in words; null for nothing
   */
  void append(String actor, String action, @Nullable String target, @Nullable String reason);
}
