package io.millrace.server.security;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request without a network. Immutable; the methods return changed copies. */
record FakeRequest(
    String method, String remoteAddress, Map<String, String> headers, Map<String, String> cookies)
    implements RequestInfo {

  static FakeRequest of(String method) {
    return new FakeRequest(method, "192.0.2.1", Map.of("host", "127.0.0.1:7500"), Map.of());
  }

  FakeRequest method(String name) {
    return new FakeRequest(name, remoteAddress, headers, cookies);
  }

  FakeRequest from(String address) {
    return new FakeRequest(method, address, headers, cookies);
  }

  FakeRequest header(String name, String value) {
    return new FakeRequest(
        method, remoteAddress, with(headers, name.toLowerCase(Locale.ROOT), value), cookies);
  }

  FakeRequest cookie(String name, String value) {
    return new FakeRequest(method, remoteAddress, headers, with(cookies, name, value));
  }

  FakeRequest key(String key) {
    return header("Authorization", "Bearer " + key);
  }

  private static Map<String, String> with(Map<String, String> old, String name, String value) {
    Map<String, String> changed = new HashMap<>(old);
    changed.put(name, value);
    return changed;
  }

  @Override
  public @Nullable String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  @Override
  public @Nullable String cookie(String name) {
    return cookies.get(name);
  }
}
