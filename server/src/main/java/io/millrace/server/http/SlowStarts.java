package io.millrace.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Ends connections whose first request does not come in time. The idle timeout alone would let
 * somebody keep a connection for hours with a byte now and then.
 */
final class SlowStarts implements Connection.Listener {

  private final Scheduler scheduler;
  private final Duration patience;

  SlowStarts(Scheduler scheduler, Duration patience) {
    this.scheduler = scheduler;
    this.patience = patience;
  }

  @Override
  public void onOpened(Connection connection) {
    scheduler.schedule(() -> check(connection), patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void check(Connection connection) {
    if (connection.getMessagesIn() == 0) {
      connection.getEndPoint().close();
    }
  }
}
