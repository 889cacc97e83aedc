package io.millrace.store.sql;

import io.millrace.store.sql.SqlDoctor.Check;
import java.sql.SQLException;

/** The checks of an H2 database. */
final class H2Doctor {

  private static final String MAY_CREATE =
      """
      SELECT IS_ADMIN FROM INFORMATION_SCHEMA.USERS WHERE USER_NAME = CURRENT_USER
      """;

  private H2Doctor() {}

  static void examine(SqlDoctor doctor) {
    doctor.ask("privileges", H2Doctor::privileges);
    doctor.ask("nodes", session -> nodes());
    doctor.ask("durability", H2Doctor::durability);
  }

  private static Check privileges(SqlSession session) throws SQLException {
    boolean admin =
        session.first(MAY_CREATE, Params.none(), row -> row.getBoolean(1)).orElse(false);
    return admin
        ? Check.ok("privileges", "The user may do all that is needed.")
        : Check.warn(
            "privileges",
            "The user is not an administrator of this database.",
            "It needs ALL on the tables, and ALTER ANY SCHEMA to make them.");
  }

  private static Check nodes() {
    return Check.ok("nodes", "H2 serves one node, which has it for itself.");
  }

  private static Check durability(SqlSession session) throws SQLException {
    return session.connection().getMetaData().getURL().startsWith("jdbc:h2:mem:")
        ? Check.warn(
            "durability",
            "The database is in memory: nothing survives the end of the process.",
            "Set database.url to a file, jdbc:h2:file:./data/millrace for example.")
        : Check.ok("durability", "A saved transition is in the file.");
  }
}
