package io.millrace.server.security;

import io.millrace.store.sql.Migrations;
import java.util.List;

/** The tables of accounts, which are the same for every database. */
final class AccountSchema {

  static final Migrations MIGRATIONS =
      Migrations.of(
          "server",
          "the tables of the accounts",
          AccountSchema.class,
          "io/millrace/server/security/tables/",
          List.of("V1__accounts.sql"));

  private AccountSchema() {}
}
