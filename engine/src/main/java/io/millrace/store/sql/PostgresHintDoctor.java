package io.millrace.store.sql;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.sql.SqlDoctor.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** A check that a notification of one connection arrives at another. */
final class PostgresHintDoctor {

  private static final String NAME = "notifications";
  private static final int LOOKS = 12;
  private static final int LOOK_MILLIS = 250;

  private PostgresHintDoctor() {}

  static Check examine(DataSource dataSource) throws SQLException {
    String channel =
        "millrace_doctor_"
            + ProcessHandle.current().pid()
            + "_"
            + Long.toHexString(EngineClock.system().nanoTime());
    try (Connection listening = dataSource.getConnection()) {
      if (!PostgresDriver.canListen(listening)) {
        return missing("The connections of this pool cannot listen");
      }
      boolean automatic = listening.getAutoCommit();
      listening.setAutoCommit(true);
      try {
        execute(listening, "LISTEN \"" + channel + "\"");
        notify(dataSource, channel);
        boolean arrived = arrives(listening, channel);
        execute(listening, "UNLISTEN \"" + channel + "\"");
        return arrived
            ? Check.ok(NAME, "Other nodes can be told of new work at once.")
            : missing("A notification of one connection did not arrive at another");
      } finally {
        listening.setAutoCommit(automatic);
      }
    }
  }

  private static Check missing(String finding) {
    return Check.warn(
        NAME,
        finding + ": nodes find the work of others by polling.",
        "Connection poolers in transaction mode do not support LISTEN: use session mode or connect"
            + " directly, if a delay of up to a second matters.");
  }

  private static void notify(DataSource dataSource, String channel) throws SQLException {
    try (Connection sending = dataSource.getConnection()) {
      PostgresDriver.notify(sending, channel, "");
      if (!sending.getAutoCommit()) {
        sending.commit();
      }
    }
  }

  private static boolean arrives(Connection listening, String channel) throws SQLException {
    AtomicBoolean arrived = new AtomicBoolean();
    for (int look = 0; look < LOOKS && !arrived.get(); look++) {
      PostgresDriver.listen(
          listening,
          LOOK_MILLIS,
          (from, payload) -> arrived.compareAndSet(false, from.equals(channel)));
    }
    return arrived.get();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
