package io.millrace.verification.architecture.planted.dispatch;

import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A violation: accesses a database outside of the SQL package. */
final class OwnSql {

  ResultSet read(Statement statement) throws SQLException {
    return statement.executeQuery("SELECT 1");
  }

  void open(DataSource pool) throws SQLException {
    pool.getConnection().close();
    DriverManager.getConnection("jdbc:none").close();
  }
}
