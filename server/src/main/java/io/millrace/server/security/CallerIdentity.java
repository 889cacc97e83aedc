package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/**
 * Who makes a request. Immutable.
 *
 * @param actor the name in the audit: {@code anna}, {@code oidc:anna}, {@code key:nightly}
 * @param role null for nobody
 * @param credentialHash the hash of what was shown, to ask again whether it still holds; null where
 *     nothing was shown
 */
public record CallerIdentity(
    String actor, @Nullable Role role, AuthMethod authMethod, @Nullable String credentialHash) {

  /** How the caller is known. */
  public enum AuthMethod {
    /** Not at all. */
    NONE,
    /** An API key. */
    KEY,
    /** A session that began with a password. */
    PASSWORD,
    /** A session that began at the issuer. */
    OIDC,
    /** Security is off: whoever reaches the server is admin. */
    OPEN
  }

  /** Somebody without credentials. */
  public static final CallerIdentity ANONYMOUS =
      new CallerIdentity("anonymous", null, AuthMethod.NONE, null);

  static final CallerIdentity LOCAL_ADMIN =
      new CallerIdentity("local", Role.ADMIN, AuthMethod.OPEN, null);

  /** True when a browser holds the credentials, so that other sites could make it send them. */
  public boolean hasSession() {
    return authMethod == AuthMethod.PASSWORD || authMethod == AuthMethod.OIDC;
  }

  @Override
  public String toString() {
    return actor;
  }
}
