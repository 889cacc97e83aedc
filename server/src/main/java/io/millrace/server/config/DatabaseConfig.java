package io.millrace.server.config;

import io.millrace.store.sql.SchemaMode;

/**
 * The configuration of the database.
 *
 * @param url JDBC address
 * @param poolSize upper limit of the connections
 * @param schema how the server treats the tables
 */
public record DatabaseConfig(
    String url, String user, String password, int poolSize, SchemaMode schema) {

  /** Returns the address without its passwords. */
  public String shownUrl() {
    return PasswordMasking.url(url);
  }

  /** True for H2, which only one process can open. */
  public boolean embedded() {
    return url.startsWith("jdbc:h2:");
  }

  @Override
  public String toString() {
    return "Database[url=" + shownUrl() + ", user=" + user + ", password=***]";
  }
}
