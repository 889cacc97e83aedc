package io.millrace.server.security;

import org.jspecify.annotations.Nullable;

/** The part of a request that security checks. */
public interface RequestInfo {

  /** Returns the HTTP method, in capitals. */
  String method();

  /** Returns the address at the other end of the connection. */
  String remoteAddress();

  /**
   * Returns the value of a header, whose name is case-insensitive; null if there is none. Several
   * lines of one name are one value, separated by commas, because some proxies add their own line.
   */
  @Nullable String header(String name);

  /** Returns the value of a cookie; null if there is none. */
  @Nullable String cookie(String name);
}
