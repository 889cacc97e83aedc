package io.millrace.server.security;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The table of logins that are at the issuer. Each comes back once, to the browser that left. */
final class OidcLogins {

  static final Duration LIFETIME = Duration.ofMinutes(10);

  private final Db db;
  private final InstantSource clock;

  OidcLogins(Db db, InstantSource clock) {
    this.db = db;
    this.clock = clock;
  }

  /**
   * A login that has begun.
   *
   * @param browser what the browser keeps as a cookie
   * @param nonce what the ID token has to hold
   * @param verifier what shows the issuer that the code came to whom asked for it
   * @param returnTo where in the UI it ends
   */
  record Begun(String state, String browser, String nonce, String verifier, String returnTo) {
    static Begun to(String returnTo) {
      return new Begun(
          Tokens.random(), Tokens.random(), Tokens.random(), Tokens.random(), returnTo);
    }
  }

  /** Keeps a login. Removes those that did not come back in time. */
  void keep(Begun begun) {
    Instant now = clock.instant();
    db.run(s -> {
      s.change("DELETE FROM millrace_oidc_login WHERE expires <= ?", now);
      return s.change(
          """
          INSERT INTO millrace_oidc_login
            (state_hash, browser_hash, nonce, verifier, return_to, expires)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
          Tokens.hash(begun.state()),
          Tokens.hash(begun.browser()),
          begun.nonce(),
          begun.verifier(),
          begun.returnTo(),
          now.plus(LIFETIME));
    });
  }

  /** Takes a login out; empty when there is none, or another browser began it. */
  Optional<Begun> take(String state, String browser) {
    return db.run(s -> {
      Optional<Begun> found = find(s, state, browser);
      // Of two that come at once, the one that removes the row goes on.
      boolean first =
          s.change("DELETE FROM millrace_oidc_login WHERE state_hash = ?", Tokens.hash(state)) == 1;
      return first ? found : Optional.empty();
    });
  }

  private Optional<Begun> find(Db.Statements s, String state, String browser) throws SQLException {
    return s.one(
        """
        SELECT nonce, verifier, return_to FROM millrace_oidc_login
        WHERE state_hash = ? AND browser_hash = ? AND expires > ?
        """,
        row ->
            new Begun(
                state,
                browser,
                row.getString("nonce"),
                row.getString("verifier"),
                row.getString("return_to")),
        Tokens.hash(state),
        Tokens.hash(browser),
        clock.instant());
  }
}
