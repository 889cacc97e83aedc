package io.millrace.server.security;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.server.config.Http;
import io.millrace.server.config.Security;
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

/** Accounts in an empty database with a guard before them, a clock to set, and an audit to read. */
final class Kit implements AutoCloseable {

  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final JsonMapper JSON = JsonMapper.builder().build();
  static final Http LOCAL = http("127.0.0.1", null);
  static final About ABOUT = new About("1.2.3", null);

  final Database database;
  final HikariDataSource pool;
  final SettableClock clock = SettableClock.at(START);
  final List<String> audit = new CopyOnWriteArrayList<>();
  final Accounts accounts;
  final Guard guard;

  Kit(Database database) {
    this(database, LOCAL, security(null));
  }

  Kit(Database database, Http http, Security security) {
    // The time that hashing takes is no part of what these tests look at.
    this(database, http, security, new Passwords(1_000));
  }

  Kit(Database database, Http http, Security security, Passwords passwords) {
    this.database = database;
    this.pool = database.open();
    this.accounts = Accounts.open(pool, true, clock, passwords);
    this.guard = accounts.guard(http, security, ABOUT, this::note);
  }

  private void note(String actor, String action, @Nullable String target, @Nullable String reason) {
    audit.add(actor + " " + action + " " + target + " " + reason);
  }

  static Http http(String bind, Http.@Nullable TlsMode tls) {
    return new Http(
        bind,
        7500,
        "/",
        new Http.Limits(1 << 20, Duration.ofSeconds(30)),
        new Http.Tls(tls, null, null));
  }

  static Security security(Security.@Nullable Oidc oidc) {
    return new Security(true, Duration.ofHours(12), 10, null, oidc);
  }

  /** Another node on the same database. */
  Guard otherNode() {
    return Accounts.open(pool, true, clock, new Passwords(1_000))
        .guard(LOCAL, security(null), ABOUT, this::note);
  }

  /** Makes a key with that role. */
  String key(Role role) {
    return accounts.keys().add(role.text(), role, null).secret();
  }

  /** Sends a request as the HTTP layer does: first admitted, then answered. */
  Reply send(String operation, FakeRequest request, @Nullable String json) {
    return send(operation, request, json, Map.of());
  }

  Reply send(
      String operation, FakeRequest request, @Nullable String json, Map<String, String> values) {
    SecurityRoute route =
        guard.routes().stream()
            .filter(r -> r.operationId().equals(operation))
            .findFirst()
            .orElseThrow();
    FakeRequest sent = request.method(route.method());
    Caller caller = guard.admit(sent, route.permission());
    JsonNode body = json == null ? null : JSON.readTree(json);
    return route
        .handler()
        .answer(new SecurityRoute.Call(sent, caller, body, values::get, values::get));
  }

  /** How a request is refused. */
  Refusal refusal(String operation, FakeRequest request, @Nullable String json) {
    return refusal(() -> send(operation, request, json));
  }

  static Refusal refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return catchThrowableOfType(Refusal.class, call);
  }

  /** A user, and a browser in which that user is logged in. */
  FakeRequest loggedIn(String user, Role role) {
    return logIn(accounts.renew(user, role));
  }

  FakeRequest logIn(NewLogin login) {
    Reply reply = send("logIn", FakeRequest.of("POST"), login(login.user(), login.password()));
    return browser(reply);
  }

  static String login(String user, String password) {
    return JSON.writeValueAsString(Map.of("user", user, "password", password));
  }

  /** A browser that has kept the cookie of an answer, and whose page knows the CSRF token. */
  static FakeRequest browser(Reply reply) {
    String cookie = cookie(reply, Credentials.COOKIE);
    FakeRequest request = FakeRequest.of("GET").cookie(Credentials.COOKIE, cookie);
    return reply.body() instanceof SessionRoutes.View view && view.csrfToken() != null
        ? request.header("X-CSRF-Token", view.csrfToken())
        : request;
  }

  static String cookie(Reply reply, String name) {
    String start = name + "=";
    return reply.cookies().stream()
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
