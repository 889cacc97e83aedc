package io.millrace.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * A listener that closes connections on which a request, the first or a later one, does not arrive
 * in time. With the idle timeout alone, a client could keep a connection for hours by sending a
 * byte now and then.
 */
final class RequestHeadTimeout implements Connection.Listener {

  private final Scheduler scheduler;
  private final Duration patience;

  RequestHeadTimeout(Scheduler scheduler, Duration patience) {
    this.scheduler = scheduler;
    this.patience = patience;
  }

  /**
   * The state of a connection at one time.
   *
   * @param begins true if bytes of an incomplete request head have arrived; the request may also
   *     have been in transit at that moment
   */
  private record Observation(long bytes, long requests, boolean begins) {

    Observation next(Connection connection) {
      long now = connection.getBytesIn();
      long whole = connection.getMessagesIn();
      boolean answered = whole == connection.getMessagesOut();
      return new Observation(now, whole, answered && whole == requests && now > bytes);
    }
  }

  /**
   * Starts to observe an HTTP connection. A TLS connection around it does not count requests and
   * reports -1.
   */
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
