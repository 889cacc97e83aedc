package io.millrace.server.security;

import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.SecurityConfig;
import io.millrace.store.sql.SchemaMode;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The users, API keys and sessions in a database, and the {@link Guard} that checks them.
 * Thread-safe.
 */
public final class Accounts {

  private static final String FIRST = "admin";

  /** Time without use after which a session ends. */
  private static final Duration IDLE = Duration.ofHours(2);

  private final Transactions transactions;
  private final EngineClock clock;
  private final PasswordHasher passwordHasher;
  private final UserStore userStore;
  private final ApiKeyStore keys;
  private final LoginLinkStore links;

  private Accounts(DataSource dataSource, EngineClock clock, PasswordHasher passwordHasher) {
    this.transactions = new Transactions(dataSource, clock);
    this.clock = clock;
    this.passwordHasher = passwordHasher;
    this.userStore = new UserStore(transactions, clock);
    this.keys = new ApiKeyStore(transactions, clock);
    this.links = new LoginLinkStore(transactions, clock);
  }

  /**
   * Opens the accounts of a database.
   *
   * @param mode how the tables are treated
   * @throws MillraceException if the tables are missing or cannot be created
   */
  public static Accounts open(DataSource dataSource, SchemaMode mode, EngineClock clock) {
    return open(dataSource, mode, clock, new PasswordHasher());
  }

  static Accounts open(
      DataSource dataSource, SchemaMode mode, EngineClock clock, PasswordHasher passwordHasher) {
    AccountSchema.MIGRATIONS.apply(dataSource, mode);
    return new Accounts(dataSource, clock, passwordHasher);
  }

  /**
   * Returns the SQL that creates the tables and records that it did.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public static String schema(String database) {
    return AccountSchema.MIGRATIONS.print(database);
  }

  /**
   * Returns a random key that is the same on all nodes of the database.
   *
   * @param name distinguishes keys for different purposes
   * @throws RejectedRequestException if the database does not answer
   */
  public String secret(String name) {
    return new ServerSecretStore(transactions).get(name);
  }

  /**
   * Limits API keys without an owner, which earlier versions created, to 90 days.
   *
   * @return descriptions of those that are still valid
   * @throws RejectedRequestException if the database does not answer
   */
  public List<String> endKeysWithoutOwner() {
    keys.endWithoutOwner(Duration.ofDays(ApiKeyStore.MAX_DAYS_WITHOUT_OWNER));
    return keysWithoutOwner();
  }

  /** Returns descriptions of the valid API keys without an owner. */
  public List<String> keysWithoutOwner() {
    return keys.withoutOwner().stream()
        .map(key -> "'" + key.name() + "' (" + key.prefix() + "..., " + end(key) + ")")
        .toList();
  }

  private static String end(ApiKeyStore.ApiKey key) {
    return key.expires() == null ? "never expires" : "expires " + key.expires();
  }

  /**
   * True if any user can log in with a password.
   *
   * @throws RejectedRequestException if the database does not answer
   */
  public boolean hasUsers() {
    return !userStore.isEmpty();
  }

  /**
   * Creates the first administrator if there are no users: the configured one, or else one with a
   * generated password.
   *
   * @return the login to show once; empty if there are users, or if the password is the configured
   *     one
   * @throws RejectedRequestException if the database does not answer
   * @throws MillraceException if the configured name is invalid, or the configured password is easy
   *     to guess
   */
  public Optional<GeneratedLogin> createFirstAdmin(SecurityConfig.@Nullable Admin configured) {
    if (hasUsers()) {
      return Optional.empty();
    }
    if (configured != null) {
      String name = nameOf(configured);
      if (PasswordRules.isWeak(configured.password(), name)) {
        throw new MillraceException("security.admin.password " + PasswordRules.ADVICE);
      }
      userStore.add(name, Role.ADMIN, passwordHasher.hash(configured.password()));
      return Optional.empty();
    }
    String password = PasswordHasher.generate();
    return userStore
        .add(FIRST, Role.ADMIN, passwordHasher.hash(password))
        .map(user -> new GeneratedLogin(user.name(), password));
  }

  private static String nameOf(SecurityConfig.Admin configured) {
    try {
      return UserStore.name(configured.user());
    } catch (RejectedRequestException e) {
      throw new MillraceException(
          "security.admin.user = " + configured.user() + ": " + e.detail(), e);
    }
  }

  /**
   * Creates a user with a generated password. Replaces a user of that name, whose sessions end.
   *
   * @throws RejectedRequestException if the database does not answer
   */
  public GeneratedLogin replaceUser(String name, Role role) {
    String password = PasswordHasher.generate();
    UserStore.User user =
        userStore.replace(UserStore.name(name), role, passwordHasher.hash(password));
    return new GeneratedLogin(user.name(), password);
  }

  /**
   * Creates a link that logs a user in once, within ten minutes, and returns its token. No
   * operation of the HTTP interface creates links.
   *
   * @throws RejectedRequestException if the database does not answer
   */
  public String loginLink(String user) {
    return links.create(UserStore.name(user));
  }

  /**
   * Creates an API key of a user in place of the one that has the same name and owner, and returns
   * it.
   *
   * @throws RejectedRequestException if the database does not answer
   */
  public String renewKey(String name, Role role, int days, String owner) {
    return keys.replace(name, role, days, UserStore.name(owner)).secret();
  }

  /**
   * Creates the guard of a server.
   *
   * @throws MillraceException if security is off on an address that other machines can reach
   */
  public Guard guard(
      HttpConfig http,
      SecurityConfig securityConfig,
      PublicServerInfo publicServerInfo,
      SecurityAudit audit) {
    boolean open = !securityConfig.enabled();
    if (open && !OriginCheck.isLocal(http)) {
      throw new MillraceException(
          "security.enabled = false is for this machine alone: set http.bind = 127.0.0.1 and no"
              + " http.tls.mode = proxy, or security.enabled = true.");
    }
    SecurityConfig.@Nullable Oidc oidc = open ? null : securityConfig.oidc();
    URI outside = oidc == null ? null : oidc.redirectBase();
    SessionStore sessionStore =
        new SessionStore(
            transactions,
            clock,
            securityConfig.session(),
            securityConfig.session().compareTo(IDLE) < 0 ? securityConfig.session() : IDLE);
    AuthServices authServices =
        new AuthServices(
            this,
            new CallerAuthenticator(keys, sessionStore, clock),
            sessionStore,
            new LoginLimits(clock, securityConfig.loginAttempts()),
            new InvalidKeyCounter(clock, audit),
            new AuthServices.ServerAddress(
                OriginCheck.of(http, outside),
                new SessionCookies(http),
                http.tls().mode() == HttpConfig.TlsMode.PROXY ? http.trustedProxies() : List.of(),
                open),
            audit);
    List<SecurityRoute> routes = new ArrayList<>();
    routes.addAll(
        new SessionRoutes(authServices, publicServerInfo, methods(securityConfig)).routes());
    routes.addAll(oidc == null ? OidcRoutes.none() : oidc(authServices, oidc).routes());
    routes.addAll(new AccountRoutes(authServices).routes());
    return new AccountGuard(
        authServices, new SecurityHeaders(http.tls().https()), List.copyOf(routes));
  }

  private OidcRoutes oidc(AuthServices authServices, SecurityConfig.Oidc settings) {
    return new OidcRoutes(
        authServices,
        settings,
        new OidcClient(settings, OidcRoutes.callback(settings), clock),
        new OidcLoginStore(transactions, clock),
        clock);
  }

  private static List<String> methods(SecurityConfig securityConfig) {
    if (!securityConfig.enabled()) {
      return List.of();
    }
    return securityConfig.oidc() == null ? List.of("password") : List.of("password", "oidc");
  }

  UserStore users() {
    return userStore;
  }

  ApiKeyStore keys() {
    return keys;
  }

  LoginLinkStore links() {
    return links;
  }

  PasswordHasher passwords() {
    return passwordHasher;
  }
}
