package io.millrace.server.security;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response of a security route.
 *
 * @param body a {@link Page}, or a value to be written as JSON; null for none
 * @param headers headers in addition to those of every response
 * @param cookies complete values of {@code Set-Cookie}
 */
public record SecurityResponse(
    int status, @Nullable Object body, Map<String, String> headers, List<String> cookies) {

  /** An HTML page for people. */
  public record Page(String html) {}

  static SecurityResponse ok(Object body) {
    return new SecurityResponse(200, body, Map.of(), List.of());
  }

  static SecurityResponse created(Object body) {
    return new SecurityResponse(201, body, Map.of(), List.of());
  }

  static SecurityResponse nothing() {
    return new SecurityResponse(204, null, Map.of(), List.of());
  }

  static SecurityResponse redirect(String location) {
    return new SecurityResponse(302, null, Map.of("Location", location), List.of());
  }

  SecurityResponse with(String... setCookies) {
    return new SecurityResponse(status, body, headers, List.of(setCookies));
  }
}
