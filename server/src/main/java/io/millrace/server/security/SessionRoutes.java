package io.millrace.server.security;

import io.millrace.server.security.Caller.Means;
import io.millrace.server.security.SecurityRoute.Call;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Login with a password, logout, and who is logged in. */
final class SessionRoutes {

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
    desk.origins().refuseOtherSites(request);
    if (!methods.contains("password")) {
      throw Refusal.conflict("Nobody needs to log in here: security is off.");
    }
    Fields fields = Fields.of(call.body(), Set.of("user", "password"));
    String user = Users.plain(fields.text("user", 0, 100));
    String password = fields.text("password", 0, Passwords.LONGEST);
    String address = desk.address(request);
    desk.limits().admit(address, user);
    Optional<Users.Login> login = desk.check(user, password);
    Optional<String> token = login.flatMap(found -> desk.sessions().begin(user, found));
    if (login.isEmpty() || token.isEmpty()) {
      if (desk.limits().isNoted()) {
        desk.audit().append(Caller.NOBODY.actor(), "loginFailed", user, "from " + address);
      }
      throw Refusal.unauthorized("The name or the password is wrong.");
    }
    desk.endSession(request);
    desk.audit().append(user, "login", null, "from " + address);
    Caller caller = new Caller(user, login.get().role(), Means.PASSWORD, Tokens.hash(token.get()));
    return Reply.ok(view(caller, token.get())).with(desk.sessionCookie(token.get()));
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
    if (fresh.equals(old) || Users.plain(fresh).equals(caller.actor())) {
      throw Refusal.invalid("new is the old password or the name; choose another one.");
    }
    desk.limits().admit(desk.address(call.request()), caller.actor());
    if (desk.check(caller.actor(), old).isEmpty()) {
      throw Refusal.forbidden("old is not the password of " + caller.actor() + ".");
    }
    desk.changePassword(caller.actor(), fresh, session);
    desk.audit().append(caller.actor(), "passwordChanged", null, null);
    return Reply.nothing();
  }
}
