package io.millrace.server.security;

import java.sql.ResultSet;
import java.sql.SQLException;

/** Random keys that all nodes of a database share, each made by the first node that needs it. */
final class ServerSecrets {

  private static final String READ = "SELECT secret FROM millrace_server_secret WHERE name = ?";

  private final Db db;

  ServerSecrets(Db db) {
    this.db = db;
  }

  /**
   * Returns the key of this name.
   *
   * @throws Refusal if the database does not answer
   */
  String get(String name) {
    return db.run(s -> s.one(READ, ServerSecrets::read, name)).orElseGet(() -> make(name));
  }

  private String make(String name) {
    db.runUnlessDuplicate(s ->
        s.change(
            "INSERT INTO millrace_server_secret (name, secret) VALUES (?, ?)",
            name,
            Tokens.random()));
    return db.run(s -> s.one(READ, ServerSecrets::read, name))
        .orElseThrow(() -> new IllegalStateException("The secret '" + name + "' was not stored"));
  }

  private static String read(ResultSet row) throws SQLException {
    return row.getString(1);
  }
}
