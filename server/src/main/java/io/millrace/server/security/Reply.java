package io.millrace.server.security;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An answer.
 *
 * @param body a {@link Page}, or something to be written as JSON; null for none
 * @param headers beside those of every answer
 * @param cookies whole values of {@code Set-Cookie}
 */
public record Reply(
    int status, @Nullable Object body, Map<String, String> headers, List<String> cookies) {

  /** For people. */
  public record Page(String html) {}

  static Reply ok(Object body) {
    return new Reply(200, body, Map.of(), List.of());
  }

  static Reply created(Object body) {
    return new Reply(201, body, Map.of(), List.of());
  }

  static Reply nothing() {
    return new Reply(204, null, Map.of(), List.of());
  }

  static Reply redirect(String location) {
    return new Reply(302, null, Map.of("Location", location), List.of());
  }

  Reply with(String... setCookies) {
    return new Reply(status, body, headers, List.of(setCookies));
  }
}
