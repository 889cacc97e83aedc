package io.millrace.verification.architecture.planted.store.sql;

import io.millrace.verification.architecture.planted.dispatch.KnowsTheRoot;
import java.sql.SQLException;
import java.sql.Statement;

/** A violation: a public type that is in no list; its SQL is in the right package. */
public final class UnlistedPublicType {

  /** A public nested type, which other packages can use. */
  public static final class Inner {}

  static final class Hidden {
    /** A type that is public in name only; no other package can reach it. */
    public static final class Unreachable {}
  }

  boolean run(Statement statement, KnowsTheRoot knowsTheRoot) throws SQLException {
    return statement.execute("SELECT '" + knowsTheRoot.hashCode() + "'");
  }
}
