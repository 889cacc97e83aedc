package io.millrace.verification.architecture.planted.store.sql;

/** A class of one database. */
final class PostgresStatement {

  private PostgresStatement() {}

  static String text() {
    return "SELECT pg_backend_pid()";
  }
}
