package io.millrace.server.config;

/**
 * The database.
 *
 * @param url JDBC address
 * @param poolSize connections at most
 * @param migrate whether the server makes and updates the tables
 */
public record DatabaseConfig(
    String url, String user, String password, int poolSize, boolean migrate) {

  /** The address without the passwords in it. */
  public String shownUrl() {
    return PasswordMasking.url(url);
  }

  /** True for H2, which one process has for itself. */
  public boolean embedded() {
    return url.startsWith("jdbc:h2:");
  }

  @Override
  public String toString() {
    return "Database[url=" + shownUrl() + ", user=" + user + ", password=***]";
  }
}
