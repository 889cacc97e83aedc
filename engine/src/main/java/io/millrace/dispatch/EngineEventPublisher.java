package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.event.EngineView;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A publisher of events to the listeners. An exception of one listener does not affect the others.
 */
final class EngineEventPublisher {

  private static final Logger LOG = LoggerFactory.getLogger(EngineEventPublisher.class);

  private final List<EngineListener> listeners;
  private volatile Runnable onMessage = () -> {};

  EngineEventPublisher(List<EngineListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  void send(EngineEvent event) {
    call(listener -> listener.onEvent(event), event);
  }

  void started(EngineView engine) {
    call(listener -> listener.onStart(engine), "the start");
  }

  /** Sets a listener that is called, on any thread, after messages for channels were written. */
  void onMessage(Runnable listener) {
    onMessage = listener;
  }

  void messageWritten() {
    onMessage.run();
  }

  private void call(Consumer<EngineListener> call, Object what) {
    for (EngineListener listener : listeners) {
      ReentrancyGuard.enter("listener");
      try {
        call.accept(listener);
      } catch (Throwable e) {
        LOG.warn("Listener {} failed on {}", listener.getClass().getName(), what, e);
      } finally {
        ReentrancyGuard.leave();
      }
    }
  }
}
