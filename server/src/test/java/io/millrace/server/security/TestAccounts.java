package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.sql.SchemaMode;
import javax.sql.DataSource;

/** Accounts for tests that are not about passwords, where hashing one takes no time. */
public final class TestAccounts {

  private TestAccounts() {}

  /** Makes the tables too, where they are missing. */
  public static void createFirstAdmin(DataSource dataSource) {
    Accounts.open(dataSource, SchemaMode.CREATE, EngineClock.system(), new PasswordHasher(1_000))
        .createFirstAdmin(null);
  }
}
