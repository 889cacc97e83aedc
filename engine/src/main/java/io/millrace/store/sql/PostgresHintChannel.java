package io.millrace.store.sql;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.HintChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hints through LISTEN and NOTIFY: one thread sends, one listens. */
final class PostgresHintChannel implements HintChannel {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresHintChannel.class);
  private static final Pattern PLAIN = Pattern.compile("[a-z0-9_]{1,40}");
  private static final String PREFIX = "millrace_";

  /** Sender of hints that the own process must receive as well. */
  private static final String ANYONE = "";

  private final HintProbe probe;
  private final PostgresHintSender sender;
  private final PostgresHintListener listener;

  private PostgresHintChannel(DataSource dataSource, PoolMonitor poolMonitor) {
    String node = UUID.randomUUID().toString();
    this.probe = new HintProbe(EngineClock.system(), node);
    this.sender = new PostgresHintSender(dataSource, node, probe::sent);
    this.listener = new PostgresHintListener(dataSource, poolMonitor, node, probe, sender::publish);
  }

  /**
   * Returns a channel for {@code dataSource}; one without hints if its connections cannot listen.
   */
  static HintChannel open(DataSource dataSource, PoolMonitor poolMonitor) {
    try (Connection connection = dataSource.getConnection()) {
      if (PostgresDriver.canListen(connection)) {
        return new PostgresHintChannel(dataSource, poolMonitor);
      }
    } catch (SQLException e) {
      throw SqlErrors.translate("open a channel for hints", e);
    }
    LOG.info(
        "Other processes are not told of new work at once, since the connections of the data source cannot listen;"
            + " they find it when they look.");
    return HintChannel.NONE;
  }

  @Override
  public void publish(String executorGroup) {
    sender.publish(channel(executorGroup));
  }

  @Override
  public boolean isDelivering() {
    return !probe.failed();
  }

  @Override
  public Subscription subscribe(String executorGroup, Runnable onHint) {
    return listener.subscribe(channel(executorGroup), onHint);
  }

  /**
   * Sends a hint when the caller's transaction commits. The own process receives it as well, since
   * it does not learn of the commit otherwise.
   */
  static void send(Connection connection, String executorGroup) throws SQLException {
    PostgresDriver.notify(connection, channel(executorGroup), ANYONE);
  }

  /** Returns a name that is safe as an identifier and short enough for PostgreSQL. */
  static String channel(String executorGroup) {
    return PREFIX
        + (PLAIN.matcher(executorGroup).matches() ? executorGroup : "x" + hash(executorGroup));
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  @Override
  public void close() {
    sender.close();
    listener.close();
  }
}
