package io.millrace.server.security;

import io.millrace.server.security.CallerIdentity.AuthMethod;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/** The table of login sessions, shared by all nodes. */
final class SessionStore {

  /** Shortest interval between two records of a session's use. */
  private static final Duration NOTE = Duration.ofMinutes(1);

  private final Transactions transactions;
  private final InstantSource clock;
  private final Duration longest;
  private final Duration idle;

  /**
   * @param longest time after the login at which a session ends
   * @param idle time without use after which a session ends
   */
  SessionStore(Transactions transactions, InstantSource clock, Duration longest, Duration idle) {
    this.transactions = transactions;
    this.clock = clock;
    this.longest = longest;
    this.idle = idle;
  }

  /** A session. */
  record Session(String user, Role role, AuthMethod means, Instant expires, Instant lastSeen) {}

  Duration longest() {
    return longest;
  }

  /** Creates a session and returns its token. Removes sessions that have ended. */
  String create(String user, Role role, AuthMethod authMethod) {
    String token = SecureTokens.random();
    return transactions.run(s -> {
      insert(s, token, user, role, authMethod);
      return token;
    });
  }

  /**
   * Creates a session as {@link #create} does, for a user with a password. Empty if the user was
   * removed or changed during the comparison of the password.
   */
  Optional<String> create(String user, UserStore.Login login) {
    String token = SecureTokens.random();
    return transactions.run(s -> {
      boolean same =
          s.one(
                  """
                  SELECT name FROM millrace_user
                  WHERE name = ? AND role = ? AND password_hash = ? FOR UPDATE
                  """,
                  row -> true,
                  user,
                  login.role(),
                  login.password())
              .isPresent();
      if (!same) {
        return Optional.empty();
      }
      insert(s, token, user, login.role(), AuthMethod.PASSWORD);
      return Optional.of(token);
    });
  }

  private void insert(
      Transactions.Statements s, String token, String user, Role role, AuthMethod authMethod)
      throws SQLException {
    Instant now = clock.instant();
    s.change(
        "DELETE FROM millrace_session WHERE expires_at <= ? OR last_seen_at <= ?",
        now,
        now.minus(idle));
    s.change(
        """
        INSERT INTO millrace_session
          (hash, user_name, role, method, created_at, expires_at, last_seen_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        SecureTokens.hash(token),
        user,
        role,
        authMethod.name().toLowerCase(Locale.ROOT),
        now,
        now.plus(longest),
        now);
  }

  /** Finds a session that has not ended, and records its use. */
  Optional<Session> use(String hash) {
    Instant now = clock.instant();
    return transactions.run(s -> {
      Optional<Session> found = find(s, hash, now);
      if (found.isPresent() && !now.isBefore(found.get().lastSeen().plus(NOTE))) {
        s.change("UPDATE millrace_session SET last_seen_at = ? WHERE hash = ?", now, hash);
      }
      return found;
    });
  }

  /** True if a session has not ended; this check does not extend it. */
  boolean holds(String hash) {
    return transactions.run(s -> find(s, hash, clock.instant()).isPresent());
  }

  private Optional<Session> find(Transactions.Statements s, String hash, Instant now)
      throws SQLException {
    return s.one(
            """
            SELECT user_name, role, method, expires_at, last_seen_at
            FROM millrace_session WHERE hash = ?
            """,
            row ->
                new Session(
                    row.getString("user_name"),
                    Transactions.role(row),
                    row.getString("method").equals("oidc") ? AuthMethod.OIDC : AuthMethod.PASSWORD,
                    Transactions.time(row, "expires_at"),
                    Transactions.time(row, "last_seen_at")),
            hash)
        .filter(session -> goesOn(session, now));
  }

  private boolean goesOn(Session session, Instant now) {
    return now.isBefore(session.expires()) && now.isBefore(session.lastSeen().plus(idle));
  }

  void end(String hash) {
    transactions.run(s -> s.change("DELETE FROM millrace_session WHERE hash = ?", hash));
  }
}
