package io.millrace.verification.architecture.planted.store.sql;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;
import java.sql.SQLException;
import java.sql.Statement;

/** A public type that nobody has listed; its SQL is where SQL belongs. */
public final class UnlistedPublicType {

  /** Public too. */
  public static final class Inner {}

  static final class Hidden {
    /** Public in name only: nobody outside can reach it. */
    public static final class Unreachable {}
  }

  boolean run(Statement statement, KnowsTheRoot knowsTheRoot) throws SQLException {
    return statement.execute("SELECT '" + knowsTheRoot.hashCode() + "'");
  }
}
