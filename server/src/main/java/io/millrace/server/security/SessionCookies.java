package io.millrace.server.security;

import io.millrace.server.config.HttpConfig;
import java.time.Duration;

/** The cookies of sessions and logins, which scripts cannot read. */
final class SessionCookies {

  /** The cookie that binds a login at the issuer to the browser that started it. */
  static final String OIDC = "millrace_oidc";

  private final String attributes;

  /**
   * Creates the cookies. They are Lax and not Strict: a browser that returns from the issuer, or
   * follows a link in a chat, would not send a Strict cookie with the first request and would
   * appear logged out. Every change requires the CSRF token in addition.
   */
  SessionCookies(HttpConfig http) {
    this.attributes =
        "; Path="
            + http.contextPath()
            + "; HttpOnly; SameSite=Lax"
            + (http.tls().https() ? "; Secure" : "");
  }

  String set(String name, String value, Duration lifetime) {
    return name + "=" + value + attributes + "; Max-Age=" + lifetime.toSeconds();
  }

  String remove(String name) {
    return name + "=" + attributes + "; Max-Age=0";
  }
}
