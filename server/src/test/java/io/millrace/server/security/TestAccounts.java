package io.millrace.server.security;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.sql.SchemaMode;
import javax.sql.DataSource;

/** Accounts for tests that are not about passwords, where hashing one takes no time. */
public final class TestAccounts {

  private TestAccounts() {}

  /** Makes the tables too, where they are missing. */
  public static void createFirstAdmin(DataSource dataSource) {
    open(dataSource, SchemaMode.CREATE, EngineClock.system()).createFirstAdmin(null);
  }

  public static Accounts open(DataSource dataSource, SchemaMode mode, EngineClock clock) {
    return Accounts.open(dataSource, mode, clock, new PasswordHasher(1));
  }
}
