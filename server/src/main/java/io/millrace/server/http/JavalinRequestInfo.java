package io.millrace.server.http;

import io.javalin.http.Context;
import io.millrace.server.security.RequestInfo;
import java.util.Collections;
import java.util.Enumeration;
import org.jspecify.annotations.Nullable;

/** The part of a request that security checks. */
record JavalinRequestInfo(Context context) implements RequestInfo {

  /**
   * Returns the method by which the router has chosen the route, whatever the request line says.
   */
  @Override
  public String method() {
    return context.method().name();
  }

  @Override
  public String remoteAddress() {
    return context.req().getRemoteAddr();
  }

  @Override
  public @Nullable String header(String name) {
    Enumeration<String> lines = context.req().getHeaders(name);
    return lines.hasMoreElements() ? String.join(", ", Collections.list(lines)) : null;
  }

  @Override
  public @Nullable String cookie(String name) {
    return context.cookie(name);
  }
}
