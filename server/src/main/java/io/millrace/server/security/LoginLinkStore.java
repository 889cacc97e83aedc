package io.millrace.server.security;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The table of links that log a user in once. */
final class LoginLinkStore {

  static final Duration LIFETIME = Duration.ofMinutes(10);

  private final Transactions transactions;
  private final InstantSource clock;

  LoginLinkStore(Transactions transactions, InstantSource clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * The result of using a link.
   *
   * @param user the user of the link
   * @param admitted true for the first use, false for every later one
   */
  record Use(String user, boolean admitted) {}

  /** Creates a link and returns its token. Removes expired links. */
  String create(String user) {
    String token = SecureTokens.random();
    Instant now = clock.instant();
    return transactions.run(s -> {
      s.change("DELETE FROM millrace_login_link WHERE expires_at <= ?", now);
      s.change(
          "INSERT INTO millrace_login_link (hash, user_name, expires_at) VALUES (?, ?, ?)",
          SecureTokens.hash(token),
          user,
          now.plus(LIFETIME));
      return token;
    });
  }

  /** Uses a link; empty if no link with this token exists, or if it has expired. */
  Optional<Use> use(String token) {
    String hash = SecureTokens.hash(token);
    Instant now = clock.instant();
    return transactions.run(s -> {
      int changed =
          s.change(
              """
              UPDATE millrace_login_link SET used_at = ?
              WHERE hash = ? AND used_at IS NULL AND expires_at > ?
              """,
              now,
              hash,
              now);
      return s.one(
          "SELECT user_name FROM millrace_login_link WHERE hash = ? AND expires_at > ?",
          row -> new Use(row.getString("user_name"), changed == 1),
          hash,
          now);
    });
  }
}
