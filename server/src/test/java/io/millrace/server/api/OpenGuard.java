package io.millrace.server.api;

import io.millrace.server.security.Caller;
import io.millrace.server.security.Guard;
import io.millrace.server.security.Permission;
import io.millrace.server.security.RequestFacts;
import io.millrace.server.security.Role;
import io.millrace.server.security.SecurityRoute;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Lets everybody pass; the header X-Role says as what. */
final class OpenGuard implements Guard {

  @Override
  public Caller admit(RequestFacts request, Permission needed) {
    String role = request.header("X-Role");
    return new Caller(
        "tester",
        role == null ? Role.ADMIN : Role.valueOf(role.toUpperCase(Locale.ROOT)),
        Caller.Means.OPEN,
        null);
  }

  @Override
  public boolean stillHolds(Caller caller) {
    return true;
  }

  @Override
  public Map<String, String> headers(boolean api) {
    return api ? Map.of("Cache-Control", "no-store") : Map.of();
  }

  @Override
  public List<SecurityRoute> routes() {
    return List.of();
  }
}
