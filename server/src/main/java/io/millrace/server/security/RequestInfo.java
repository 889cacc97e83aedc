package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/** What security needs to know of a request. */
public interface RequestInfo {

  /** The HTTP method, in capitals. */
  String method();

  /** The address at the other end of the connection. */
  String remoteAddress();

  /**
   * The value of a header, its name in any case; null when there is none. Several lines of one name
   * are one value, with commas between: some proxies add a line of their own.
   */
  @Nullable String header(String name);

  /** The value of a cookie; null when there is none. */
  @Nullable String cookie(String name);
}
