package io.millrace.server.api;

import io.millrace.server.security.CallerIdentity;
import io.millrace.server.security.ClientNetwork;
import io.millrace.server.security.Guard;
import io.millrace.server.security.Permission;
import io.millrace.server.security.RequestInfo;
import io.millrace.server.security.Role;
import io.millrace.server.security.SecurityRoute;
import java.util.List;
import java.util.Map;

/** A guard that admits every request; the headers X-Role and X-Network set the role and network. */
final class PermissiveGuard implements Guard {

  private final Guard real;

  /**
   * @param real the guard that supplies routes and headers
   */
  PermissiveGuard(Guard real) {
    this.real = real;
  }

  @Override
  public CallerIdentity admit(RequestInfo request, Permission needed) {
    String role = request.header("X-Role");
    return new CallerIdentity(
        "tester",
        Role.of(role == null ? "admin" : role).orElse(Role.ADMIN),
        CallerIdentity.AuthMethod.OPEN,
        null);
  }

  @Override
  public boolean isStillValid(CallerIdentity callerIdentity) {
    return true;
  }

  @Override
  public void onCredentialsEnded(Runnable listener) {
    real.onCredentialsEnded(listener);
  }

  @Override
  public void forgetCredentials() {
    real.forgetCredentials();
  }

  @Override
  public Map<String, String> headers(boolean api) {
    return real.headers(api);
  }

  @Override
  public ClientNetwork network(RequestInfo request) {
    String network = request.header("X-Network");
    return network == null ? real.network(request) : new ClientNetwork(network, network);
  }

  @Override
  public List<SecurityRoute> routes() {
    return real.routes();
  }
}
