package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners; a listener's fault stays its own. */
final class Events {

  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  private final List<EngineListener> listeners;

  Events(List<EngineListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  void send(EngineEvent event) {
    for (EngineListener listener : listeners) {
      Inside.enter("listener");
      try {
        listener.onEvent(event);
      } catch (Throwable e) {
        LOG.warn("Listener {} failed on {}", listener.getClass().getName(), event, e);
      } finally {
        Inside.leave();
      }
    }
  }
}
