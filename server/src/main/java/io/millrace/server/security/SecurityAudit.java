package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/** The audit of security actions. Thread-safe. */
@FunctionalInterface
public interface SecurityAudit {

  /**
   * Adds an entry.
   *
   * @param actor the user or key that did it, or tried to
   * @param action such as {@code login}, {@code loginFailed}, {@code userCreated}
   * @param target the user or key that was changed; null if that is the actor
   * @param reason further details as text; null for none
   */
  void append(String actor, String action, @Nullable String target, @Nullable String reason);
}
