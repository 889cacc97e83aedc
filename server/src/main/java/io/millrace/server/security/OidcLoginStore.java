package io.millrace.server.security;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The table of pending logins at the issuer. Each can be completed once, by the browser that
 * started it.
 */
final class OidcLoginStore {

  static final Duration LIFETIME = Duration.ofMinutes(10);

  private final Transactions transactions;
  private final InstantSource clock;

  OidcLoginStore(Transactions transactions, InstantSource clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * A login that has started.
   *
   * @param browser value of the browser's cookie
   * @param nonce value that the ID token must contain
   * @param verifier value that proves to the issuer that the requester of the code redeems it
   * @param returnTo path in the UI to open after the login
   */
  record PendingLogin(
      String state, String browser, String nonce, String verifier, String returnTo) {
    static PendingLogin to(String returnTo) {
      return new PendingLogin(
          SecureTokens.random(),
          SecureTokens.random(),
          SecureTokens.random(),
          SecureTokens.random(),
          returnTo);
    }
  }

  /** Stores a login. Removes expired ones. */
  void save(PendingLogin pendingLogin) {
    Instant now = clock.instant();
    transactions.run(s -> {
      s.change("DELETE FROM millrace_oidc_login WHERE expires_at <= ?", now);
      return s.change(
          """
          INSERT INTO millrace_oidc_login
            (state_hash, browser_hash, nonce, verifier, return_to, expires_at)
          VALUES (?, ?, ?, ?, ?, ?)
          """,
          SecureTokens.hash(pendingLogin.state()),
          SecureTokens.hash(pendingLogin.browser()),
          pendingLogin.nonce(),
          pendingLogin.verifier(),
          pendingLogin.returnTo(),
          now.plus(LIFETIME));
    });
  }

  /** Removes a login and returns it; empty if there is none, or if another browser started it. */
  Optional<PendingLogin> take(String state, String browser) {
    return transactions.run(s -> {
      Optional<PendingLogin> found = find(s, state, browser);
      // Of two concurrent requests, the one that removes the row continues.
      boolean first =
          s.change("DELETE FROM millrace_oidc_login WHERE state_hash = ?", SecureTokens.hash(state))
              == 1;
      return first ? found : Optional.empty();
    });
  }

  private Optional<PendingLogin> find(Transactions.Statements s, String state, String browser)
      throws SQLException {
    return s.one(
        """
        SELECT nonce, verifier, return_to FROM millrace_oidc_login
        WHERE state_hash = ? AND browser_hash = ? AND expires_at > ?
        """,
        row ->
            new PendingLogin(
                state,
                browser,
                row.getString("nonce"),
                row.getString("verifier"),
                row.getString("return_to")),
        SecureTokens.hash(state),
        SecureTokens.hash(browser),
        clock.instant());
  }
}
