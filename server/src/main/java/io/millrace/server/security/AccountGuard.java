package io.millrace.server.security;

import java.util.List;
import java.util.Map;

/** The guard of a server with accounts, or of a server on this machine with security off. */
final class AccountGuard implements Guard {

  private final AuthServices authServices;
  private final SecurityHeaders headers;
  private final List<SecurityRoute> routes;

  AccountGuard(AuthServices authServices, SecurityHeaders headers, List<SecurityRoute> routes) {
    this.authServices = authServices;
    this.headers = headers;
    this.routes = routes;
  }

  @Override
  public CallerIdentity admit(RequestInfo request, Permission needed) {
    authServices.origins().refuseOtherNames(request);
    if (authServices.site().open()) {
      if (OriginCheck.isMutation(request)) {
        authServices.origins().refuseOtherSites(request);
      }
      return CallerIdentity.LOCAL_ADMIN;
    }
    if (needed == Permission.PUBLIC) {
      if (OriginCheck.isMutation(request)) {
        authServices.origins().refuseOtherSites(request);
      }
      return CallerIdentity.ANONYMOUS;
    }
    CallerIdentity callerIdentity = authServices.identify(request);
    if (callerIdentity.role() == null) {
      throw RejectedRequestException.unauthorized(
          "Log in, or send an API key that has not ended as Authorization: Bearer mr_...");
    }
    if (callerIdentity.hasSession() && OriginCheck.isMutation(request)) {
      authServices.checkCsrf(request);
    }
    if (!needed.allows(callerIdentity.role())) {
      throw RejectedRequestException.forbidden(
          "This needs the role "
              + needed.text()
              + "; "
              + callerIdentity.actor()
              + " is "
              + callerIdentity.role().text()
              + ".");
    }
    return callerIdentity;
  }

  @Override
  public boolean isStillValid(CallerIdentity callerIdentity) {
    try {
      return authServices.credentials().stillHolds(callerIdentity);
    } catch (RejectedRequestException e) {
      return false;
    }
  }

  @Override
  public void onCredentialsEnded(Runnable listener) {
    authServices.credentials().onEnded(listener);
  }

  @Override
  public void forgetCredentials() {
    authServices.credentials().forget();
  }

  @Override
  public Map<String, String> headers(boolean api) {
    return headers.of(api);
  }

  @Override
  public ClientNetwork network(RequestInfo request) {
    return ClientNetwork.of(authServices.address(request));
  }

  @Override
  public List<SecurityRoute> routes() {
    return routes;
  }
}
