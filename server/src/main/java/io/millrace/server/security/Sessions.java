package io.millrace.server.security;

import io.millrace.server.security.Caller.Means;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/** The table of login sessions, common to all nodes. */
final class Sessions {

  /** The use of a session is noted at most this often. */
  private static final Duration NOTE = Duration.ofMinutes(1);

  private final Db db;
  private final InstantSource clock;
  private final Duration longest;
  private final Duration idle;

  /**
   * @param longest a session ends this long after its login
   * @param idle a session ends when it was not used for this long
   */
  Sessions(Db db, InstantSource clock, Duration longest, Duration idle) {
    this.db = db;
    this.clock = clock;
    this.longest = longest;
    this.idle = idle;
  }

  /** A session. */
  record Session(String user, Role role, Means means, Instant expires, Instant lastSeen) {}

  Duration longest() {
    return longest;
  }

  /** Begins a session and answers with its token. Removes those that have ended. */
  String begin(String user, Role role, Means means) {
    String token = Tokens.random();
    return db.run(s -> {
      insert(s, token, user, role, means);
      return token;
    });
  }

  /**
   * As {@link #begin}, for a user with a password. Empty when the user was removed or changed while
   * the password was compared.
   */
  Optional<String> begin(String user, Users.Login login) {
    String token = Tokens.random();
    return db.run(s -> {
      boolean same =
          s.one(
                  """
                  SELECT name FROM millrace_user
                  WHERE name = ? AND role = ? AND password = ? FOR UPDATE
                  """,
                  row -> true,
                  user,
                  login.role(),
                  login.password())
              .isPresent();
      if (!same) {
        return Optional.empty();
      }
      insert(s, token, user, login.role(), Means.PASSWORD);
      return Optional.of(token);
    });
  }

  private void insert(Db.Statements s, String token, String user, Role role, Means means)
      throws SQLException {
    Instant now = clock.instant();
    s.change(
        "DELETE FROM millrace_session WHERE expires <= ? OR last_seen <= ?", now, now.minus(idle));
    s.change(
        """
        INSERT INTO millrace_session
          (hash, user_name, role, method, created, expires, last_seen)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        Tokens.hash(token),
        user,
        role,
        means.name().toLowerCase(Locale.ROOT),
        now,
        now.plus(longest),
        now);
  }

  /** Finds a session that goes on, and notes that it is used. */
  Optional<Session> use(String hash) {
    Instant now = clock.instant();
    return db.run(s -> {
      Optional<Session> found = find(s, hash, now);
      if (found.isPresent() && !now.isBefore(found.get().lastSeen().plus(NOTE))) {
        s.change("UPDATE millrace_session SET last_seen = ? WHERE hash = ?", now, hash);
      }
      return found;
    });
  }

  /** Whether a session goes on; asking does not prolong it. */
  boolean holds(String hash) {
    return db.run(s -> find(s, hash, clock.instant()).isPresent());
  }

  private Optional<Session> find(Db.Statements s, String hash, Instant now) throws SQLException {
    return s.one(
            """
            SELECT user_name, role, method, expires, last_seen
            FROM millrace_session WHERE hash = ?
            """,
            row ->
                new Session(
                    row.getString("user_name"),
                    Db.role(row),
                    row.getString("method").equals("oidc") ? Means.OIDC : Means.PASSWORD,
                    Db.time(row, "expires"),
                    Db.time(row, "last_seen")),
            hash)
        .filter(session -> goesOn(session, now));
  }

  private boolean goesOn(Session session, Instant now) {
    return now.isBefore(session.expires()) && now.isBefore(session.lastSeen().plus(idle));
  }

  void end(String hash) {
    db.run(s -> s.change("DELETE FROM millrace_session WHERE hash = ?", hash));
  }
}
