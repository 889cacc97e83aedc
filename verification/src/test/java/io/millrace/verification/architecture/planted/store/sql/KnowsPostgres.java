package io.millrace.verification.architecture.planted.store.sql;

/** A role of the store that uses a class of one database. */
final class KnowsPostgres {

  private KnowsPostgres() {}

  static String text() {
    return PostgresStatement.text();
  }
}
