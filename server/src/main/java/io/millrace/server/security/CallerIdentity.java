package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a caller. Immutable.
 *
 * @param actor the name in the audit: {@code anna}, {@code oidc:anna}, {@code key:nightly}
 * @param role null for an anonymous caller
 * @param credentialHash the hash of the credentials, by which their validity is checked again; null
 *     without credentials
 */
public record CallerIdentity(
    String actor, @Nullable Role role, AuthMethod authMethod, @Nullable String credentialHash) {

  /** The way in which the caller was authenticated. */
  public enum AuthMethod {
    /** The caller was not authenticated. */
    NONE,
    /** An API key. */
    KEY,
    /** A session that started with a password. */
    PASSWORD,
    /** A session that started at the issuer. */
    OIDC,
    /** Security is off, so that every caller is an administrator. */
    OPEN
  }

  /** A caller without credentials. */
  public static final CallerIdentity ANONYMOUS =
      new CallerIdentity("anonymous", null, AuthMethod.NONE, null);

  static final CallerIdentity LOCAL_ADMIN =
      new CallerIdentity("local", Role.ADMIN, AuthMethod.OPEN, null);

  /**
   * True if a browser holds the credentials, so that pages of other sites could make it send them.
   */
  public boolean hasSession() {
    return authMethod == AuthMethod.PASSWORD || authMethod == AuthMethod.OIDC;
  }

  @Override
  public String toString() {
    return actor;
  }
}
