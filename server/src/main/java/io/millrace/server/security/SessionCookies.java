package io.millrace.server.security;

import io.millrace.server.config.HttpConfig;
import java.time.Duration;

/** The cookies, which scripts cannot read. */
final class SessionCookies {

  /** Binds a login at the issuer to the browser that began it. */
  static final String OIDC = "millrace_oidc";

  private final String attributes;

  /**
   * Lax and not Strict: a browser that comes back from the issuer, or that follows a link in a
   * chat, would send no Strict cookie with the first page and seem logged out. What changes
   * anything needs the CSRF token as well.
   */
  SessionCookies(HttpConfig httpConfig) {
    this.attributes =
        "; Path="
            + httpConfig.contextPath()
            + "; HttpOnly; SameSite=Lax"
            + (httpConfig.tls().https() ? "; Secure" : "");
  }

  String set(String name, String value, Duration lifetime) {
    return name + "=" + value + attributes + "; Max-Age=" + lifetime.toSeconds();
  }

  String remove(String name) {
    return name + "=" + attributes + "; Max-Age=0";
  }
}
