package io.millrace.server.security;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The table of logins that are at the issuer. Each comes back once, to the browser that left. */
final class OidcLoginStore {

  static final Duration LIFETIME = Duration.ofMinutes(10);

  private final Transactions transactions;
  private final InstantSource clock;

  OidcLoginStore(Transactions transactions, InstantSource clock) {
    this.transactions = transactions;
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

  /** Keeps a login. Removes those that did not come back in time. */
  void save(PendingLogin pendingLogin) {
    Instant now = clock.instant();
    transactions.run(s -> {
      s.change("DELETE FROM millrace_oidc_login WHERE expires <= ?", now);
      return s.change(
          """
          INSERT INTO millrace_oidc_login
            (state_hash, browser_hash, nonce, verifier, return_to, expires)
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

  /** Takes a login out; empty when there is none, or another browser began it. */
  Optional<PendingLogin> take(String state, String browser) {
    return transactions.run(s -> {
      Optional<PendingLogin> found = find(s, state, browser);
      // Of two that come at once, the one that removes the row goes on.
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
        WHERE state_hash = ? AND browser_hash = ? AND expires > ?
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
