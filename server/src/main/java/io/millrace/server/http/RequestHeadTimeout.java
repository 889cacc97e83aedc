package io.millrace.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Ends connections over which a request does not come in time, the first or a later one. The idle
 * timeout alone would let somebody keep a connection for hours with a byte now and then.
 */
final class RequestHeadTimeout implements Connection.Listener {

  private final Scheduler scheduler;
  private final Duration patience;

  RequestHeadTimeout(Scheduler scheduler, Duration patience) {
    this.scheduler = scheduler;
    this.patience = patience;
  }

  /**
   * What was seen of a connection.
   *
   * @param begins true when bytes had come that were no whole head of a request; it may have been
   *     on its way just then
   */
  private record Observation(long bytes, long requests, boolean begins) {

    Observation next(Connection connection) {
      long now = connection.getBytesIn();
      long whole = connection.getMessagesIn();
      boolean answered = whole == connection.getMessagesOut();
      return new Observation(now, whole, answered && whole == requests && now > bytes);
    }
  }

  /** The connection of TLS around one of HTTP knows of no requests, and says -1. */
  @Override
  public void onOpened(Connection connection) {
    if (connection.getMessagesIn() >= 0) {
      later(connection, new Observation(0, 0, true));
    }
  }

  private void later(Connection connection, Observation last) {
    scheduler.schedule(() -> look(connection, last), patience.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void look(Connection connection, Observation last) {
    Observation now = last.next(connection);
    if (now.requests == 0 || (last.begins && now.begins)) {
      connection.getEndPoint().close();
    } else if (connection.getEndPoint().isOpen()) {
      later(connection, now);
    }
  }
}
