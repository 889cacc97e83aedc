package io.millrace.server.security;

import java.util.List;
import java.util.Map;

/** The guard of a server with accounts, or with security off on this machine. */
final class AccountGuard implements Guard {

  private final Desk desk;
  private final SecurityHeaders headers;
  private final List<SecurityRoute> routes;

  AccountGuard(Desk desk, SecurityHeaders headers, List<SecurityRoute> routes) {
    this.desk = desk;
    this.headers = headers;
    this.routes = routes;
  }

  @Override
  public Caller admit(RequestFacts request, Permission needed) {
    desk.origins().refuseOtherNames(request);
    if (desk.site().open()) {
      if (Origins.changes(request)) {
        desk.origins().refuseOtherSites(request);
      }
      return Caller.ANYBODY;
    }
    if (needed == Permission.PUBLIC) {
      if (Origins.changes(request)) {
        desk.origins().refuseOtherSites(request);
      }
      return Caller.NOBODY;
    }
    Caller caller = desk.identify(request);
    if (caller.role() == null) {
      throw Refusal.unauthorized(
          "Log in, or send an API key that has not ended as Authorization: Bearer mr_...");
    }
    if (caller.hasSession() && Origins.changes(request)) {
      desk.checkCsrf(request);
    }
    if (!needed.allows(caller.role())) {
      throw Refusal.forbidden(
          "This needs the role "
              + needed.text()
              + "; "
              + caller.actor()
              + " is "
              + caller.role().text()
              + ".");
    }
    return caller;
  }

  @Override
  public boolean stillHolds(Caller caller) {
    try {
      return desk.credentials().stillHolds(caller);
    } catch (Refusal e) {
      return false;
    }
  }

  @Override
  public Map<String, String> headers(boolean api) {
    return headers.of(api);
  }

  @Override
  public ClientNetwork network(RequestFacts request) {
    return ClientNetwork.of(desk.address(request));
  }

  @Override
  public List<SecurityRoute> routes() {
    return routes;
  }
}
