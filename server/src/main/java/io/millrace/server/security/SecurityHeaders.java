package io.millrace.server.security;

import java.util.LinkedHashMap;
import java.util.Map;

/** The security headers of every response. None of them grants anything to other sites. */
final class SecurityHeaders {

  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; font-src 'self'; base-uri 'self'; form-action 'self';"
          + " frame-ancestors 'none'";

  private final Map<String, String> files;
  private final Map<String, String> data;

  /**
   * @param https whether browsers reach the server by https, so that they may be told to use only
   *     https
   */
  SecurityHeaders(boolean https) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Security-Policy", CONTENT_SECURITY_POLICY);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("X-Frame-Options", "DENY");
    headers.put("Referrer-Policy", "no-referrer");
    headers.put("Cross-Origin-Opener-Policy", "same-origin");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    headers.put(
        "Permissions-Policy",
        "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()");
    if (https) {
      headers.put("Strict-Transport-Security", "max-age=31536000");
    }
    this.files = Map.copyOf(headers);
    headers.put("Cache-Control", "no-store");
    this.data = Map.copyOf(headers);
  }

  Map<String, String> of(boolean api) {
    return api ? data : files;
  }
}
