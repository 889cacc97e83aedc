package io.millrace.server.security;

import io.millrace.server.security.ApiKeyStore.ApiKey;
import io.millrace.server.security.SecurityRoute.Request;
import io.millrace.server.security.UserStore.User;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The routes about users and API keys, for administrators. */
final class AccountRoutes {

  private static final int MAX_NAME = 100;
  private static final int MAX_DAYS = 3650;

  /** Default lifetime of a key in days. */
  private static final int DAYS = 365;

  private final AuthServices authServices;

  AccountRoutes(AuthServices authServices) {
    this.authServices = authServices;
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

  private SecurityResponse listUsers(Request request) {
    return SecurityResponse.ok(
        authServices.accounts().users().list().stream().map(UserView::of).toList());
  }

  private SecurityResponse createUser(Request request) {
    BodyFields bodyFields = BodyFields.of(request.body(), Set.of("name", "role"));
    String name = UserStore.name(bodyFields.text("name", 1, MAX_NAME));
    Role role = bodyFields.role();
    String password = PasswordHasher.generate();
    String hash =
        authServices.limits().hash(() -> authServices.accounts().passwords().hash(password));
    User user =
        authServices
            .accounts()
            .users()
            .add(name, role, hash)
            .orElseThrow(
                () -> RejectedRequestException.conflict("There is a user " + name + " already."));
    authServices.audit().append(request.caller().actor(), "userCreated", name, "as " + role.text());
    UserView view = UserView.of(user);
    return SecurityResponse.created(
        new NewUserView(view.name(), view.role(), view.created(), password));
  }

  private SecurityResponse deleteUser(Request request) {
    String name = userIn(request);
    requireDone(
        authServices.accounts().users().remove(name),
        name + " is the only admin. Add another admin first, then remove this one.");
    authServices.audit().append(request.caller().actor(), "userDeleted", name, null);
    return SecurityResponse.nothing();
  }

  private SecurityResponse changeRole(Request request) {
    String name = userIn(request);
    Role role = BodyFields.of(request.body(), Set.of("role")).role();
    requireDone(
        authServices.accounts().users().changeRole(name, role),
        name + " is the only admin. Make another user admin first, then change this one.");
    authServices
        .audit()
        .append(request.caller().actor(), "roleChanged", name, "now " + role.text());
    return SecurityResponse.nothing();
  }

  private static String userIn(Request request) {
    return UserStore.normalize(String.valueOf(request.path().apply("name")));
  }

  private void requireDone(UserStore.Outcome outcome, String lastAdmin) {
    authServices.credentials().clearCache();
    switch (outcome) {
      case UNKNOWN -> throw RejectedRequestException.notFound("There is no user of that name.");
      case LAST_ADMIN -> throw RejectedRequestException.conflict(lastAdmin);
      case DONE -> {}
    }
  }

  private SecurityResponse listKeys(Request request) {
    return SecurityResponse.ok(
        authServices.accounts().keys().list().stream().map(KeyView::of).toList());
  }

  private SecurityResponse createKey(Request request) {
    BodyFields bodyFields = BodyFields.of(request.body(), Set.of("name", "role", "days"));
    String name = bodyFields.text("name", 1, MAX_NAME).strip();
    if (name.isEmpty() || name.chars().anyMatch(Character::isISOControl)) {
      throw RejectedRequestException.invalid("name is empty or holds control characters.");
    }
    Role role = bodyFields.role();
    String owner = ownerOf(request.caller());
    int days = days(bodyFields.numberOrNull("days", 1, MAX_DAYS), owner);
    ApiKeyStore.CreatedKey createdKey = authServices.accounts().keys().add(name, role, days, owner);
    authServices.audit().append(request.caller().actor(), "keyCreated", name, "as " + role.text());
    KeyView view = KeyView.of(createdKey.key());
    return SecurityResponse.created(
        new NewKeyView(
            view.id(),
            view.name(),
            view.role(),
            view.prefix(),
            view.created(),
            view.expires(),
            view.owner(),
            createdKey.secret()));
  }

  /** Returns the owner of a new key. A key that creates a key passes its own owner on. */
  private @Nullable String ownerOf(CallerIdentity callerIdentity) {
    return switch (callerIdentity.authMethod()) {
      case PASSWORD, OIDC -> callerIdentity.actor();
      case KEY ->
          authServices
              .accounts()
              .keys()
              .owner(String.valueOf(callerIdentity.credentialHash()))
              .orElse(null);
      case NONE, OPEN -> null;
    };
  }

  /**
   * Returns the lifetime of a key in days. A key is limited to a short time if no user of this
   * server owns it: an issuer does not report when its users leave, and a key without an owner does
   * not end with any user.
   */
  private static int days(@Nullable Integer wanted, @Nullable String owner) {
    boolean endsWithUser = owner != null && !owner.startsWith(ApiKeyStore.OIDC_OWNER);
    int most = endsWithUser ? MAX_DAYS : ApiKeyStore.MAX_DAYS_WITHOUT_OWNER;
    if (wanted != null && wanted > most) {
      throw RejectedRequestException.invalid(
          "days is "
              + wanted
              + "; expected 1 to "
              + most
              + (owner == null ? " for a key without an owner." : " for a key of " + owner + "."));
    }
    return wanted == null ? Math.min(DAYS, most) : wanted;
  }

  private SecurityResponse deleteKey(Request request) {
    String name =
        authServices
            .accounts()
            .keys()
            .remove(id(String.valueOf(request.path().apply("id"))))
            .orElseThrow(
                () -> RejectedRequestException.notFound("There is no API key with that id."));
    authServices.credentials().clearCache();
    authServices.audit().append(request.caller().actor(), "keyDeleted", name, null);
    return SecurityResponse.nothing();
  }

  private static long id(String text) {
    if (!text.matches("[1-9]\\d{0,17}")) {
      throw RejectedRequestException.invalid("id is no number from 1 on.");
    }
    return Long.parseLong(text);
  }
}
