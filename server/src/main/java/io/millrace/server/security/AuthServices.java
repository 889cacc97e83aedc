package io.millrace.server.security;

import io.millrace.server.config.IpNetwork;
import java.util.List;
import java.util.Optional;

/** The services that the routes about sessions, users and keys use. */
record AuthServices(
    Accounts accounts,
    CallerAuthenticator credentials,
    SessionStore sessions,
    LoginLimits limits,
    InvalidKeyCounter keyFailures,
    ServerAddress site,
    SecurityAudit audit) {

  /**
   * The address of the server, and the checks that depend on it.
   *
   * @param trustedProxies proxies that are trusted to report the caller's address; empty without a
   *     proxy
   * @param open true if security is off
   */
  record ServerAddress(
      OriginCheck origins, SessionCookies cookies, List<IpNetwork> trustedProxies, boolean open) {
    ServerAddress {
      trustedProxies = List.copyOf(trustedProxies);
    }
  }

  OriginCheck origins() {
    return site.origins();
  }

  SessionCookies cookies() {
    return site.cookies();
  }

  /**
   * Returns the caller; an anonymous caller for invalid credentials.
   *
   * @throws RejectedRequestException with 429 if there are too many invalid keys from this network
   */
  CallerIdentity identify(RequestInfo request) {
    if (site.open()) {
      return CallerIdentity.LOCAL_ADMIN;
    }
    keyFailures.recordEnded();
    CallerIdentity callerIdentity = credentials.identify(request);
    if (callerIdentity.role() == null && CallerAuthenticator.hasKey(request)) {
      keyFailures.add(address(request));
    }
    return callerIdentity;
  }

  String address(RequestInfo request) {
    return ClientAddress.of(request, site.trustedProxies());
  }

  String sessionCookie(String token) {
    return cookies().set(CallerAuthenticator.COOKIE, token, sessions.longest());
  }

  /**
   * Returns the user if the password is correct. It takes the same time if there is no such user.
   */
  Optional<UserStore.Login> check(String user, String password) {
    return check(accounts.users().find(user), password);
  }

  /**
   * Checks a password as {@link #check(String, String)} does, for a user who was looked up; empty
   * for an unknown name.
   */
  Optional<UserStore.Login> check(Optional<UserStore.Login> login, String password) {
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
    credentials.clearCache();
    if (!changed) {
      throw RejectedRequestException.unauthorized("There is no user " + user + " any more.");
    }
  }

  /** Ends the session of the browser, if any, so that a login never continues an old session. */
  void endSession(RequestInfo request) {
    String token = request.cookie(CallerAuthenticator.COOKIE);
    if (token != null) {
      sessions.end(SecureTokens.hash(token));
      credentials.clearCache();
    }
  }

  /**
   * Checks the CSRF token. A page of another site can make a browser send the cookie, but cannot
   * read the token.
   */
  void checkCsrf(RequestInfo request) {
    site.origins().refuseOtherSites(request);
    String session = request.cookie(CallerAuthenticator.COOKIE);
    String given = request.header("X-CSRF-Token");
    if (session == null
        || given == null
        || !ConstantTime.areEqual(given, SecureTokens.csrf(session))) {
      throw RejectedRequestException.forbidden(
          "The header X-CSRF-Token is missing or not the one of this session; GET /session tells"
              + " it. Programs use an API key instead.");
    }
  }
}
