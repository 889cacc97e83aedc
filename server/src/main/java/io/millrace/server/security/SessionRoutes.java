package io.millrace.server.security;

import io.millrace.server.security.CallerIdentity.AuthMethod;
import io.millrace.server.security.SecurityRoute.Request;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes of login with a password, logout, and the current session. */
final class SessionRoutes {

  private static final String UNKNOWN_USER = "unknown user";
  private static final int MAX_TOKEN = 100;

  private final AuthServices authServices;
  private final PublicServerInfo publicServerInfo;
  private final List<String> methods;

  /**
   * @param methods ways to log in, as the HTTP contract names them
   */
  SessionRoutes(
      AuthServices authServices, PublicServerInfo publicServerInfo, List<String> methods) {
    this.authServices = authServices;
    this.publicServerInfo = publicServerInfo;
    this.methods = methods;
  }

  /** The session as the HTTP contract shows it. */
  record View(
      @Nullable String user,
      @Nullable String role,
      @Nullable String csrfToken,
      List<String> methods,
      String version,
      @Nullable String notice) {}

  List<SecurityRoute> routes() {
    return List.of(
        new SecurityRoute("whoAmI", "GET", "/session", Permission.PUBLIC, this::whoAmI),
        new SecurityRoute("logIn", "POST", "/session", Permission.PUBLIC, this::logIn),
        new SecurityRoute(
            "logInByLink", "POST", "/session/link", Permission.PUBLIC, this::logInByLink),
        new SecurityRoute("logOut", "DELETE", "/session", Permission.PUBLIC, this::logOut),
        new SecurityRoute(
            "changePassword", "PUT", "/session/password", Permission.VIEWER, this::changePassword));
  }

  private SecurityResponse whoAmI(Request request) {
    CallerIdentity callerIdentity = authServices.identify(request.request());
    String token =
        callerIdentity.hasSession() ? request.request().cookie(CallerAuthenticator.COOKIE) : null;
    return SecurityResponse.ok(view(callerIdentity, token));
  }

  private View view(CallerIdentity callerIdentity, @Nullable String token) {
    return new View(
        callerIdentity.role() == null ? null : callerIdentity.actor(),
        callerIdentity.role() == null ? null : callerIdentity.role().text(),
        token == null ? null : SecureTokens.csrf(token),
        methods,
        publicServerInfo.version(),
        publicServerInfo.notice());
  }

  private SecurityResponse logIn(Request call) {
    RequestInfo request = call.request();
    admit(request);
    BodyFields bodyFields = BodyFields.of(call.body(), Set.of("user", "password"));
    String user = UserStore.normalize(bodyFields.text("user", 0, 100));
    String password = bodyFields.text("password", 0, PasswordHasher.MAX_LENGTH);
    String address = authServices.address(request);
    authServices.limits().admit(address, user);
    Optional<UserStore.Login> known = authServices.accounts().users().find(user);
    Optional<UserStore.Login> login = authServices.check(known, password);
    Optional<String> token = login.flatMap(found -> authServices.sessions().create(user, found));
    if (login.isEmpty() || token.isEmpty()) {
      // Users often type a password in place of the name.
      noteFailure(known.isPresent() ? user : UNKNOWN_USER, "from " + address);
      throw RejectedRequestException.unauthorized("The name or the password is wrong.");
    }
    return loggedIn(request, user, login.get().role(), token.get(), "from " + address);
  }

  private SecurityResponse logInByLink(Request call) {
    RequestInfo request = call.request();
    admit(request);
    String linkToken = BodyFields.of(call.body(), Set.of("token")).text("token", 0, MAX_TOKEN);
    String address = authServices.address(request);
    String origin = "from " + address + " by a login link";
    authServices.limits().admit(address);
    Optional<LoginLinkStore.Use> use = authServices.accounts().links().use(linkToken);
    if (use.isEmpty() || !use.get().admitted()) {
      noteFailure(use.map(LoginLinkStore.Use::user).orElse(UNKNOWN_USER), origin);
      throw RejectedRequestException.unauthorized(
          (use.isEmpty()
                  ? "This login link is unknown or has expired."
                  : "This login link was used already.")
              + " Log in with the name and the password.");
    }
    String user = use.get().user();
    Optional<UserStore.Login> login = authServices.accounts().users().find(user);
    Optional<String> token = login.flatMap(found -> authServices.sessions().create(user, found));
    if (token.isEmpty()) {
      noteFailure(user, origin);
      throw RejectedRequestException.unauthorized(
          "The user of this login link was changed or removed meanwhile. Log in with the name and"
              + " the password.");
    }
    return loggedIn(request, user, login.get().role(), token.get(), origin);
  }

  private void admit(RequestInfo request) {
    authServices.origins().refuseOtherSites(request);
    authServices.origins().refuseUselessCookie(request);
    if (!methods.contains("password")) {
      throw RejectedRequestException.conflict("Nobody needs to log in here: security is off.");
    }
  }

  private void noteFailure(String target, String origin) {
    if (authServices.limits().isNoted()) {
      authServices.audit().append(CallerIdentity.ANONYMOUS.actor(), "loginFailed", target, origin);
    }
  }

  private SecurityResponse loggedIn(
      RequestInfo request, String user, Role role, String token, String origin) {
    authServices.endSession(request);
    authServices.audit().append(user, "login", null, origin);
    CallerIdentity callerIdentity =
        new CallerIdentity(user, role, AuthMethod.PASSWORD, SecureTokens.hash(token));
    return SecurityResponse.ok(view(callerIdentity, token)).with(authServices.sessionCookie(token));
  }

  private SecurityResponse logOut(Request request) {
    CallerIdentity callerIdentity = authServices.identify(request.request());
    if (callerIdentity.hasSession()) {
      authServices.checkCsrf(request.request());
      authServices.endSession(request.request());
      authServices.audit().append(callerIdentity.actor(), "logout", null, null);
    }
    return SecurityResponse.nothing()
        .with(authServices.cookies().remove(CallerAuthenticator.COOKIE));
  }

  private SecurityResponse changePassword(Request request) {
    CallerIdentity callerIdentity = request.caller();
    String session = callerIdentity.credentialHash();
    if (callerIdentity.authMethod() != AuthMethod.PASSWORD || session == null) {
      throw RejectedRequestException.forbidden(
          "Only a user who logged in with a password of this server can change it.");
    }
    BodyFields bodyFields = BodyFields.of(request.body(), Set.of("old", "new"));
    String old = bodyFields.text("old", 0, PasswordHasher.MAX_LENGTH);
    String fresh = bodyFields.text("new", PasswordHasher.MIN, PasswordHasher.MAX_LENGTH);
    if (fresh.equals(old)) {
      throw RejectedRequestException.invalid("new is the old password; choose another one.");
    }
    if (PasswordRules.isWeak(fresh, callerIdentity.actor())) {
      throw RejectedRequestException.invalid("new " + PasswordRules.ADVICE);
    }
    String address = authServices.address(request.request());
    authServices.limits().admit(address, callerIdentity.actor());
    if (authServices.check(callerIdentity.actor(), old).isEmpty()) {
      if (authServices.limits().isNoted()) {
        String reason = "old password is wrong, from " + address;
        authServices.audit().append(callerIdentity.actor(), "passwordRefused", null, reason);
      }
      throw RejectedRequestException.forbidden(
          "old is not the password of " + callerIdentity.actor() + ".");
    }
    authServices.changePassword(callerIdentity.actor(), fresh, session);
    authServices.audit().append(callerIdentity.actor(), "passwordChanged", null, null);
    return SecurityResponse.nothing();
  }
}
