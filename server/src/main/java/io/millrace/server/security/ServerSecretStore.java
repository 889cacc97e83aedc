package io.millrace.server.security;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The random keys that all nodes of a database share. The first node that needs a key creates it.
 */
final class ServerSecretStore {

  private static final String READ = "SELECT secret FROM millrace_server_secret WHERE name = ?";

  private final Transactions transactions;

  ServerSecretStore(Transactions transactions) {
    this.transactions = transactions;
  }

  /**
   * Returns the key of this name.
   *
   * @throws RejectedRequestException if the database does not answer
   */
  String get(String name) {
    return transactions
        .run(s -> s.one(READ, ServerSecretStore::read, name))
        .orElseGet(() -> make(name));
  }

  private String make(String name) {
    transactions.runUnlessDuplicate(s ->
        s.change(
            "INSERT INTO millrace_server_secret (name, secret) VALUES (?, ?)",
            name,
            SecureTokens.random()));
    return transactions
        .run(s -> s.one(READ, ServerSecretStore::read, name))
        .orElseThrow(() -> new IllegalStateException("The secret '" + name + "' was not stored"));
  }

  private static String read(ResultSet row) throws SQLException {
    return row.getString(1);
  }
}
