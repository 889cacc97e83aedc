package io.millrace.server.security;

import io.millrace.server.security.ApiKeys.ApiKey;
import io.millrace.server.security.SecurityRoute.Call;
import io.millrace.server.security.Users.User;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Users and API keys, for admins. */
final class AccountRoutes {

  private static final int LONGEST_NAME = 100;
  private static final int MOST_DAYS = 3650;

  /** Unless the request says how many. */
  private static final int DAYS = 365;

  private final Desk desk;

  AccountRoutes(Desk desk) {
    this.desk = desk;
  }

  /** A user as the HTTP contract shows it. */
  record UserView(String name, String role, String created) {
    static UserView of(User user) {
      return new UserView(user.name(), user.role().text(), user.created().toString());
    }
  }

  /** A new user. */
  record NewUserView(String name, String role, String created, String password) {}

  /** A key as the HTTP contract shows it. */
  record KeyView(
      long id,
      String name,
      String role,
      String prefix,
      String created,
      @Nullable String expires,
      @Nullable String lastUsed,
      @Nullable String owner) {

    static KeyView of(ApiKey key) {
      return new KeyView(
          key.id(),
          key.name(),
          key.role().text(),
          key.prefix(),
          key.created().toString(),
          key.expires() == null ? null : key.expires().toString(),
          key.lastUsed() == null ? null : key.lastUsed().toString(),
          key.owner());
    }
  }

  /** A new key. */
  record NewKeyView(
      long id,
      String name,
      String role,
      String prefix,
      String created,
      @Nullable String expires,
      @Nullable String owner,
      String key) {}

  List<SecurityRoute> routes() {
    return List.of(
        route("listUsers", "GET", "/users", this::listUsers),
        route("createUser", "POST", "/users", this::createUser),
        route("changeRole", "PATCH", "/users/{name}", this::changeRole),
        route("deleteUser", "DELETE", "/users/{name}", this::deleteUser),
        route("listKeys", "GET", "/keys", this::listKeys),
        route("createKey", "POST", "/keys", this::createKey),
        route("deleteKey", "DELETE", "/keys/{id}", this::deleteKey));
  }

  private static SecurityRoute route(
      String operation, String method, String path, SecurityRoute.Handler handler) {
    return new SecurityRoute(operation, method, path, Permission.ADMIN, handler);
  }

  private Reply listUsers(Call call) {
    return Reply.ok(desk.accounts().users().list().stream().map(UserView::of).toList());
  }

  private Reply createUser(Call call) {
    Fields fields = Fields.of(call.body(), Set.of("name", "role"));
    String name = Users.name(fields.text("name", 1, LONGEST_NAME));
    Role role = fields.role();
    String password = Passwords.generate();
    String hash = desk.limits().hash(() -> desk.accounts().passwords().hash(password));
    User user =
        desk.accounts()
            .users()
            .add(name, role, hash)
            .orElseThrow(() -> Refusal.conflict("There is a user " + name + " already."));
    desk.audit().append(call.caller().actor(), "userCreated", name, "as " + role.text());
    UserView view = UserView.of(user);
    return Reply.created(new NewUserView(view.name(), view.role(), view.created(), password));
  }

  private Reply deleteUser(Call call) {
    String name = userIn(call);
    settle(
        desk.accounts().users().remove(name),
        name + " is the only admin. Add another admin first, then remove this one.");
    desk.audit().append(call.caller().actor(), "userDeleted", name, null);
    return Reply.nothing();
  }

  private Reply changeRole(Call call) {
    String name = userIn(call);
    Role role = Fields.of(call.body(), Set.of("role")).role();
    settle(
        desk.accounts().users().changeRole(name, role),
        name + " is the only admin. Make somebody else admin first, then change this one.");
    desk.audit().append(call.caller().actor(), "roleChanged", name, "now " + role.text());
    return Reply.nothing();
  }

  private static String userIn(Call call) {
    return Users.plain(String.valueOf(call.path().apply("name")));
  }

  private void settle(Users.Outcome outcome, String lastAdmin) {
    desk.credentials().forget();
    switch (outcome) {
      case UNKNOWN -> throw Refusal.notFound("There is no user of that name.");
      case LAST_ADMIN -> throw Refusal.conflict(lastAdmin);
      case DONE -> {}
    }
  }

  private Reply listKeys(Call call) {
    return Reply.ok(desk.accounts().keys().list().stream().map(KeyView::of).toList());
  }

  private Reply createKey(Call call) {
    Fields fields = Fields.of(call.body(), Set.of("name", "role", "days"));
    String name = fields.text("name", 1, LONGEST_NAME).strip();
    if (name.isEmpty() || name.chars().anyMatch(Character::isISOControl)) {
      throw Refusal.invalid("name is empty or holds control characters.");
    }
    Role role = fields.role();
    String owner = ownerOf(call.caller());
    int days = days(fields.numberOrNull("days", 1, MOST_DAYS), owner);
    ApiKeys.Made made = desk.accounts().keys().add(name, role, days, owner);
    desk.audit().append(call.caller().actor(), "keyCreated", name, "as " + role.text());
    KeyView view = KeyView.of(made.key());
    return Reply.created(
        new NewKeyView(
            view.id(),
            view.name(),
            view.role(),
            view.prefix(),
            view.created(),
            view.expires(),
            view.owner(),
            made.secret()));
  }

  /** A key that makes a key passes its own owner on. */
  private @Nullable String ownerOf(Caller caller) {
    return switch (caller.means()) {
      case PASSWORD, OIDC -> caller.actor();
      case KEY -> desk.accounts().keys().owner(String.valueOf(caller.ticket())).orElse(null);
      case NONE, OPEN -> null;
    };
  }

  /**
   * Nobody tells this server when the issuer's users leave, and keys without an owner end with no
   * user, so that these keys end soon.
   */
  private static int days(@Nullable Integer wanted, @Nullable String owner) {
    boolean endsWithUser = owner != null && !owner.startsWith(ApiKeys.OIDC_OWNER);
    int most = endsWithUser ? MOST_DAYS : ApiKeys.MOST_DAYS_WITHOUT_OWNER;
    if (wanted != null && wanted > most) {
      throw Refusal.invalid(
          "days is "
              + wanted
              + "; expected 1 to "
              + most
              + (owner == null ? " for a key without an owner." : " for a key of " + owner + "."));
    }
    return wanted == null ? Math.min(DAYS, most) : wanted;
  }

  private Reply deleteKey(Call call) {
    String name =
        desk.accounts()
            .keys()
            .remove(id(String.valueOf(call.path().apply("id"))))
            .orElseThrow(() -> Refusal.notFound("There is no API key with that id."));
    desk.credentials().forget();
    desk.audit().append(call.caller().actor(), "keyDeleted", name, null);
    return Reply.nothing();
  }

  private static long id(String text) {
    if (!text.matches("[1-9]\\d{0,17}")) {
      throw Refusal.invalid("id is no number from 1 on.");
    }
    return Long.parseLong(text);
  }
}
