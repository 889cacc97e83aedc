package io.millrace.server.security;

import io.millrace.server.config.IpNetwork;
import java.util.List;
import java.util.Optional;

/** What the routes about sessions, users and keys work with. */
record Desk(
    Accounts accounts,
    Credentials credentials,
    Sessions sessions,
    LoginLimits limits,
    KeyFailures keyFailures,
    Site site,
    SecurityAudit audit) {

  /**
   * Where the server is found, and what follows from it.
   *
   * @param trustedProxies whose word on the caller's address counts; none where there is no proxy
   * @param open true when security is off
   */
  record Site(
      Origins origins, SessionCookies cookies, List<IpNetwork> trustedProxies, boolean open) {
    Site {
      trustedProxies = List.copyOf(trustedProxies);
    }
  }

  Origins origins() {
    return site.origins();
  }

  SessionCookies cookies() {
    return site.cookies();
  }

  /**
   * Returns the caller; nobody for credentials that are not valid.
   *
   * @throws Refusal with 429 if there are too many invalid keys from this network
   */
  Caller identify(RequestFacts request) {
    if (site.open()) {
      return Caller.ANYBODY;
    }
    keyFailures.recordEnded();
    Caller caller = credentials.identify(request);
    if (caller.role() == null && Credentials.hasKey(request)) {
      keyFailures.add(address(request));
    }
    return caller;
  }

  String address(RequestFacts request) {
    return ClientAddress.of(request, site.trustedProxies());
  }

  String sessionCookie(String token) {
    return cookies().set(Credentials.COOKIE, token, sessions.longest());
  }

  /** The user as found, if the password is right; takes as long if there is no such user. */
  Optional<Users.Login> check(String user, String password) {
    return check(accounts.users().find(user), password);
  }

  /** As {@link #check(String, String)}, for a user who was looked up; empty for an unknown name. */
  Optional<Users.Login> check(Optional<Users.Login> login, String password) {
    return limits.hash(() -> {
      if (login.isEmpty()) {
        accounts.passwords().matchNobody(password);
        return Optional.empty();
      }
      return accounts.passwords().matches(password, login.get().password())
          ? login
          : Optional.empty();
    });
  }

  void changePassword(String user, String password, String keptSession) {
    String hash = limits.hash(() -> accounts.passwords().hash(password));
    boolean changed = accounts.users().changePassword(user, hash, keptSession);
    credentials.forget();
    if (!changed) {
      throw Refusal.unauthorized("There is no user " + user + " any more.");
    }
  }

  /** Ends the session that the browser shows, if any, so that no login takes an old one over. */
  void endSession(RequestFacts request) {
    String token = request.cookie(Credentials.COOKIE);
    if (token != null) {
      sessions.end(Tokens.hash(token));
      credentials.forget();
    }
  }

  /** A page of another site can make a browser send the cookie, but cannot read the token. */
  void checkCsrf(RequestFacts request) {
    site.origins().refuseOtherSites(request);
    String session = request.cookie(Credentials.COOKIE);
    String given = request.header("X-CSRF-Token");
    if (session == null || given == null || !Tokens.areEqual(given, Tokens.csrf(session))) {
      throw Refusal.forbidden(
          "The header X-CSRF-Token is missing or not the one of this session; GET /session tells"
              + " it. Programs use an API key instead.");
    }
  }
}
