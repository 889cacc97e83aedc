package io.millrace.server.security;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.Http;
import io.millrace.server.config.Security;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Users, API keys and sessions in a database, and the {@link Guard} that asks them. Thread-safe.
 */
public final class Accounts {

  private static final String FIRST = "admin";

  /** A session ends when nobody used it for this long. */
  private static final Duration IDLE = Duration.ofHours(2);

  private final Db db;
  private final EngineClock clock;
  private final Passwords passwords;
  private final Users users;
  private final ApiKeys keys;
  private final LoginLinks links;

  private Accounts(DataSource dataSource, EngineClock clock, Passwords passwords) {
    this.db = new Db(dataSource);
    this.clock = clock;
    this.passwords = passwords;
    this.users = new Users(db, clock);
    this.keys = new ApiKeys(db, clock);
    this.links = new LoginLinks(db, clock);
  }

  /**
   * Opens the accounts of a database.
   *
   * @param migrate whether to make the tables, or to fail when they are missing
   * @throws MillraceException the tables are missing or cannot be made
   */
  public static Accounts open(DataSource dataSource, boolean migrate, EngineClock clock) {
    return open(dataSource, migrate, clock, new Passwords());
  }

  static Accounts open(
      DataSource dataSource, boolean migrate, EngineClock clock, Passwords passwords) {
    if (migrate) {
      AccountSchema.migrate(dataSource);
    } else {
      AccountSchema.check(dataSource);
    }
    return new Accounts(dataSource, clock, passwords);
  }

  /** The statements that make the tables, the same for every database. */
  public static String schema() {
    return AccountSchema.print();
  }

  /**
   * Returns a random key that is the same on all nodes of the database.
   *
   * @param name tells keys for different purposes apart
   * @throws Refusal if the database does not answer
   */
  public String secret(String name) {
    return new ServerSecrets(db).get(name);
  }

  /**
   * Has API keys without an owner, which versions before owners made, end within 90 days.
   *
   * @return those that are still valid, in words; each time until they are replaced
   * @throws Refusal the database does not answer
   */
  public List<String> endKeysWithoutOwner() {
    keys.endWithoutOwner(Duration.ofDays(ApiKeys.MOST_DAYS_WITHOUT_OWNER));
    return keysWithoutOwner();
  }

  /** Returns the valid API keys without an owner, in words. */
  public List<String> keysWithoutOwner() {
    return keys.withoutOwner().stream()
        .map(key -> "'" + key.name() + "' (" + key.prefix() + "..., " + end(key) + ")")
        .toList();
  }

  private static String end(ApiKeys.ApiKey key) {
    return key.expires() == null ? "never expires" : "expires " + key.expires();
  }

  /**
   * Whether anybody could log in with a password.
   *
   * @throws Refusal the database does not answer
   */
  public boolean hasUsers() {
    return !users.isEmpty();
  }

  /**
   * Makes the first admin where there are no users: the configured one, or else one with a password
   * that was made up.
   *
   * @return what to show once; empty when there are users, or the password is the configured one
   * @throws Refusal the database does not answer
   * @throws MillraceException the configured name is none for a user, or the configured password is
   *     easy to guess
   */
  public Optional<NewLogin> first(Security.@Nullable Admin configured) {
    if (hasUsers()) {
      return Optional.empty();
    }
    if (configured != null) {
      String name = nameOf(configured);
      if (PasswordRules.isWeak(configured.password(), name)) {
        throw new MillraceException("security.admin.password " + PasswordRules.ADVICE);
      }
      users.add(name, Role.ADMIN, passwords.hash(configured.password()));
      return Optional.empty();
    }
    String password = Passwords.generate();
    return users
        .add(FIRST, Role.ADMIN, passwords.hash(password))
        .map(user -> new NewLogin(user.name(), password));
  }

  private static String nameOf(Security.Admin configured) {
    try {
      return Users.name(configured.user());
    } catch (Refusal e) {
      throw new MillraceException(
          "security.admin.user = " + configured.user() + ": " + e.detail(), e);
    }
  }

  /**
   * Makes a user with a new password, in place of one of that name, whose sessions end.
   *
   * @throws Refusal the database does not answer
   */
  public NewLogin renew(String name, Role role) {
    String password = Passwords.generate();
    Users.User user = users.replace(Users.name(name), role, passwords.hash(password));
    return new NewLogin(user.name(), password);
  }

  /**
   * Creates a link that logs a user in once, within ten minutes, and returns its token. No
   * operation of the HTTP interface creates links.
   *
   * @throws Refusal if the database does not answer
   */
  public String loginLink(String user) {
    return links.create(Users.name(user));
  }

  /**
   * Creates an API key of a user in place of the one that has the same name and owner, and returns
   * it.
   *
   * @throws Refusal if the database does not answer
   */
  public String renewKey(String name, Role role, int days, String owner) {
    return keys.replace(name, role, days, Users.name(owner)).secret();
  }

  /**
   * The guard of a server.
   *
   * @throws MillraceException security is off on an address that others can reach
   */
  public Guard guard(Http http, Security security, About about, SecurityAudit audit) {
    boolean open = !security.enabled();
    if (open && !Origins.isLocal(http)) {
      throw new MillraceException(
          "security.enabled = false is for this machine alone: set http.bind = 127.0.0.1 and no"
              + " http.tls.mode = proxy, or security.enabled = true.");
    }
    Security.@Nullable Oidc oidc = open ? null : security.oidc();
    URI outside = oidc == null ? null : oidc.redirectBase();
    Sessions sessions =
        new Sessions(
            db,
            clock,
            security.session(),
            security.session().compareTo(IDLE) < 0 ? security.session() : IDLE);
    Desk desk =
        new Desk(
            this,
            new Credentials(keys, sessions, clock),
            sessions,
            new LoginLimits(clock, security.loginAttempts()),
            new KeyFailures(clock, audit),
            new Desk.Site(
                Origins.of(http, outside),
                new SessionCookies(http),
                http.tls().mode() == Http.TlsMode.PROXY ? http.trustedProxies() : List.of(),
                open),
            audit);
    List<SecurityRoute> routes = new ArrayList<>();
    routes.addAll(new SessionRoutes(desk, about, methods(security)).routes());
    routes.addAll(oidc == null ? OidcRoutes.none() : oidc(desk, oidc).routes());
    routes.addAll(new AccountRoutes(desk).routes());
    return new AccountGuard(desk, new SecurityHeaders(http.tls().https()), List.copyOf(routes));
  }

  private OidcRoutes oidc(Desk desk, Security.Oidc settings) {
    return new OidcRoutes(
        desk,
        settings,
        new OidcIssuer(settings, OidcRoutes.callback(settings), clock),
        new OidcLogins(db, clock));
  }

  private static List<String> methods(Security security) {
    if (!security.enabled()) {
      return List.of();
    }
    return security.oidc() == null ? List.of("password") : List.of("password", "oidc");
  }

  Users users() {
    return users;
  }

  ApiKeys keys() {
    return keys;
  }

  LoginLinks links() {
    return links;
  }

  Passwords passwords() {
    return passwords;
  }
}
