package io.millrace.server.security;

import io.millrace.server.security.Caller.Means;
import io.millrace.server.security.SecurityRoute.Call;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Login with a password, logout, and who is logged in. */
final class SessionRoutes {

  private static final String UNKNOWN_USER = "unknown user";
  private static final int LONGEST_TOKEN = 100;

  private final Desk desk;
  private final About about;
  private final List<String> methods;

  /**
   * @param methods the ways to log in, as the HTTP contract names them
   */
  SessionRoutes(Desk desk, About about, List<String> methods) {
    this.desk = desk;
    this.about = about;
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

  private Reply whoAmI(Call call) {
    Caller caller = desk.identify(call.request());
    String token = caller.hasSession() ? call.request().cookie(Credentials.COOKIE) : null;
    return Reply.ok(view(caller, token));
  }

  private View view(Caller caller, @Nullable String token) {
    return new View(
        caller.role() == null ? null : caller.actor(),
        caller.role() == null ? null : caller.role().text(),
        token == null ? null : Tokens.csrf(token),
        methods,
        about.version(),
        about.notice());
  }

  private Reply logIn(Call call) {
    RequestFacts request = call.request();
    admit(request);
    Fields fields = Fields.of(call.body(), Set.of("user", "password"));
    String user = Users.plain(fields.text("user", 0, 100));
    String password = fields.text("password", 0, Passwords.LONGEST);
    String address = desk.address(request);
    desk.limits().admit(address, user);
    Optional<Users.Login> known = desk.accounts().users().find(user);
    Optional<Users.Login> login = desk.check(known, password);
    Optional<String> token = login.flatMap(found -> desk.sessions().begin(user, found));
    if (login.isEmpty() || token.isEmpty()) {
      // What is typed as a name is often a password.
      noteFailure(known.isPresent() ? user : UNKNOWN_USER, "from " + address);
      throw Refusal.unauthorized("The name or the password is wrong.");
    }
    return loggedIn(request, user, login.get().role(), token.get(), "from " + address);
  }

  private Reply logInByLink(Call call) {
    RequestFacts request = call.request();
    admit(request);
    String linkToken = Fields.of(call.body(), Set.of("token")).text("token", 0, LONGEST_TOKEN);
    String address = desk.address(request);
    String origin = "from " + address + " by a login link";
    desk.limits().admit(address);
    Optional<LoginLinks.Use> use = desk.accounts().links().use(linkToken);
    if (use.isEmpty() || !use.get().admitted()) {
      noteFailure(use.map(LoginLinks.Use::user).orElse(UNKNOWN_USER), origin);
      throw Refusal.unauthorized(
          (use.isEmpty()
                  ? "This login link is unknown or has expired."
                  : "This login link was used already.")
              + " Log in with the name and the password.");
    }
    String user = use.get().user();
    Optional<Users.Login> login = desk.accounts().users().find(user);
    Optional<String> token = login.flatMap(found -> desk.sessions().begin(user, found));
    if (token.isEmpty()) {
      noteFailure(user, origin);
      throw Refusal.unauthorized(
          "The user of this login link was changed or removed meanwhile. Log in with the name and"
              + " the password.");
    }
    return loggedIn(request, user, login.get().role(), token.get(), origin);
  }

  private void admit(RequestFacts request) {
    desk.origins().refuseOtherSites(request);
    if (!methods.contains("password")) {
      throw Refusal.conflict("Nobody needs to log in here: security is off.");
    }
  }

  private void noteFailure(String target, String origin) {
    if (desk.limits().isNoted()) {
      desk.audit().append(Caller.NOBODY.actor(), "loginFailed", target, origin);
    }
  }

  private Reply loggedIn(
      RequestFacts request, String user, Role role, String token, String origin) {
    desk.endSession(request);
    desk.audit().append(user, "login", null, origin);
    Caller caller = new Caller(user, role, Means.PASSWORD, Tokens.hash(token));
    return Reply.ok(view(caller, token)).with(desk.sessionCookie(token));
  }

  private Reply logOut(Call call) {
    Caller caller = desk.identify(call.request());
    if (caller.hasSession()) {
      desk.checkCsrf(call.request());
      desk.endSession(call.request());
      desk.audit().append(caller.actor(), "logout", null, null);
    }
    return Reply.nothing().with(desk.cookies().remove(Credentials.COOKIE));
  }

  private Reply changePassword(Call call) {
    Caller caller = call.caller();
    String session = caller.ticket();
    if (caller.means() != Means.PASSWORD || session == null) {
      throw Refusal.forbidden(
          "Only somebody who logged in with a password here has one that can be changed.");
    }
    Fields fields = Fields.of(call.body(), Set.of("old", "new"));
    String old = fields.text("old", 0, Passwords.LONGEST);
    String fresh = fields.text("new", Passwords.SHORTEST, Passwords.LONGEST);
    if (fresh.equals(old)) {
      throw Refusal.invalid("new is the old password; choose another one.");
    }
    if (PasswordRules.isWeak(fresh, caller.actor())) {
      throw Refusal.invalid("new " + PasswordRules.ADVICE);
    }
    String address = desk.address(call.request());
    desk.limits().admit(address, caller.actor());
    if (desk.check(caller.actor(), old).isEmpty()) {
      if (desk.limits().isNoted()) {
        String reason = "old password is wrong, from " + address;
        desk.audit().append(caller.actor(), "passwordRefused", null, reason);
      }
      throw Refusal.forbidden("old is not the password of " + caller.actor() + ".");
    }
    desk.changePassword(caller.actor(), fresh, session);
    desk.audit().append(caller.actor(), "passwordChanged", null, null);
    return Reply.nothing();
  }
}
