package io.millrace.server.security;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.server.Patience;
import io.millrace.server.config.HttpConfig;
import io.millrace.server.config.SecurityConfig;
import io.millrace.store.sql.SchemaMode;
import io.millrace.testing.SettableClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Accounts in an empty database with a guard, a settable clock, and a readable audit. */
final class SecurityFixture implements AutoCloseable {

  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final JsonMapper JSON = JsonMapper.builder().build();
  static final HttpConfig LOCAL = http("127.0.0.1", null);
  static final PublicServerInfo ABOUT = new PublicServerInfo("1.2.3", null);

  final AccountDatabase database;
  final HikariDataSource pool;
  final SettableClock clock = SettableClock.at(START);
  final List<String> audit = new CopyOnWriteArrayList<>();
  final Accounts accounts;
  final Guard guard;

  SecurityFixture(AccountDatabase accountDatabase) {
    this(accountDatabase, LOCAL, security(null));
  }

  SecurityFixture(
      AccountDatabase accountDatabase, HttpConfig httpConfig, SecurityConfig securityConfig) {
    // The duration of hashing does not matter in these tests.
    this(accountDatabase, httpConfig, securityConfig, new PasswordHasher(1));
  }

  SecurityFixture(
      AccountDatabase accountDatabase,
      HttpConfig httpConfig,
      SecurityConfig securityConfig,
      PasswordHasher passwordHasher) {
    this.database = accountDatabase;
    this.pool = accountDatabase.open();
    this.accounts = Accounts.open(pool, SchemaMode.CREATE, clock, passwordHasher);
    this.guard = accounts.guard(httpConfig, securityConfig, ABOUT, this::note);
  }

  private void note(String actor, String action, @Nullable String target, @Nullable String reason) {
    audit.add(actor + " " + action + " " + target + " " + reason);
  }

  static HttpConfig http(String bind, HttpConfig.@Nullable TlsMode tls) {
    return new HttpConfig(
        bind,
        7500,
        "/",
        new HttpConfig.Limits(1 << 20, Patience.LIMIT),
        new HttpConfig.Tls(tls, null, null));
  }

  static SecurityConfig security(SecurityConfig.@Nullable Oidc oidc) {
    return new SecurityConfig(true, Duration.ofHours(12), 10, null, oidc);
  }

  /** Returns the guard of another node on the same database. */
  Guard otherNode() {
    return Accounts.open(pool, SchemaMode.CREATE, clock, new PasswordHasher(1))
        .guard(LOCAL, security(null), ABOUT, this::note);
  }

  /** Creates a key with that role. */
  String key(Role role) {
    return accounts.keys().add(role.text(), role, null).secret();
  }

  /** Sends a request as the HTTP layer does: first admitted, then answered. */
  SecurityResponse send(String operation, FakeRequest request, @Nullable String json) {
    return send(operation, request, json, Map.of());
  }

  SecurityResponse send(
      String operation, FakeRequest request, @Nullable String json, Map<String, String> values) {
    SecurityRoute route =
        guard.routes().stream()
            .filter(r -> r.operationId().equals(operation))
            .findFirst()
            .orElseThrow();
    FakeRequest sent = request.method(route.method());
    CallerIdentity callerIdentity = guard.admit(sent, route.permission());
    JsonNode body = json == null ? null : JSON.readTree(json);
    return route
        .handler()
        .answer(new SecurityRoute.Request(sent, callerIdentity, body, values::get, values::get));
  }

  /** Returns the rejection of a request. */
  RejectedRequestException refusal(String operation, FakeRequest request, @Nullable String json) {
    return refusal(() -> send(operation, request, json));
  }

  static RejectedRequestException refusal(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return catchThrowableOfType(RejectedRequestException.class, call);
  }

  /** Creates a user, and returns a browser in which that user is logged in. */
  FakeRequest loggedIn(String user, Role role) {
    return logIn(accounts.replaceUser(user, role));
  }

  FakeRequest logIn(GeneratedLogin login) {
    SecurityResponse securityResponse =
        send("logIn", FakeRequest.of("POST"), login(login.user(), login.password()));
    return browser(securityResponse);
  }

  static String login(String user, String password) {
    return JSON.writeValueAsString(Map.of("user", user, "password", password));
  }

  /**
   * Returns a browser that has kept the cookie of a response, and whose page knows the CSRF token.
   */
  static FakeRequest browser(SecurityResponse securityResponse) {
    String cookie = cookie(securityResponse, CallerAuthenticator.COOKIE);
    FakeRequest request = FakeRequest.of("GET").cookie(CallerAuthenticator.COOKIE, cookie);
    return securityResponse.body() instanceof SessionRoutes.View view && view.csrfToken() != null
        ? request.header("X-CSRF-Token", view.csrfToken())
        : request;
  }

  static String cookie(SecurityResponse securityResponse, String name) {
    String start = name + "=";
    return securityResponse.cookies().stream()
        .filter(c -> c.startsWith(start))
        .map(c -> c.substring(start.length(), c.indexOf(';')))
        .findFirst()
        .orElseThrow();
  }

  void execute(String sql) {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException("'" + sql + "' failed", e);
    }
  }

  @Override
  public void close() {
    if (pool.isClosed()) {
      return;
    }
    database.remove(pool);
  }
}
