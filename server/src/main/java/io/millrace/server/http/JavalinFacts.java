package io.millrace.server.http;

import io.javalin.http.Context;
import io.millrace.server.security.RequestFacts;
import org.jspecify.annotations.Nullable;

/** What security sees of a request. */
record JavalinFacts(Context context) implements RequestFacts {

  @Override
  public String method() {
    return context.req().getMethod();
  }

  @Override
  public String remoteAddress() {
    return context.req().getRemoteAddr();
  }

  @Override
  public @Nullable String header(String name) {
    return context.header(name);
  }

  @Override
  public @Nullable String cookie(String name) {
    return context.cookie(name);
  }
}
