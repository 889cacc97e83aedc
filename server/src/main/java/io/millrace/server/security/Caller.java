package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/**
 * Who makes a request. Immutable.
 *
 * @param actor the name in the audit: {@code anna}, {@code oidc:anna}, {@code key:nightly}
 * @param role null for nobody
 * @param ticket the hash of what was shown, to ask again whether it still holds; null where nothing
 *     was shown
 */
public record Caller(String actor, @Nullable Role role, Means means, @Nullable String ticket) {

  /** How the caller is known. */
  public enum Means {
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
  public static final Caller NOBODY = new Caller("anonymous", null, Means.NONE, null);

  static final Caller ANYBODY = new Caller("local", Role.ADMIN, Means.OPEN, null);

  /** True when a browser holds the credentials, so that other sites could make it send them. */
  public boolean hasSession() {
    return means == Means.PASSWORD || means == Means.OIDC;
  }

  @Override
  public String toString() {
    return actor;
  }
}
