package io.millrace.server.api;

import io.millrace.event.EngineEvent;
import io.millrace.event.EngineListener;
import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The handlers of this process that have run for too long. Thread-safe. */
public final class StuckHandlerRegistry implements EngineListener {

  private static final int FRAMES = 60;

  private final EngineClock clock;
  private final Map<Long, Entry> entries = new ConcurrentHashMap<>();

  private record Entry(EngineEvent.HandlerStuck event, long seenAt) {}

  /** A stuck handler. */
  record StuckHandler(long instanceId, String type, InstanceDetailView.StuckView view) {}

  public StuckHandlerRegistry(EngineClock clock) {
    this.clock = clock;
  }

  @Override
  public void onEvent(EngineEvent event) {
    switch (event) {
      case EngineEvent.HandlerStuck handlerStuck ->
          entries.put(handlerStuck.instanceId(), new Entry(handlerStuck, clock.nanoTime()));
      case EngineEvent.TransitionSaved saved -> clear(saved.instanceId());
      case EngineEvent.ResultFenced resultFenced -> clear(resultFenced.instanceId());
      case EngineEvent.LeaseLost lost -> entries.clear();
      default -> {}
    }
  }

  private void clear(long instanceId) {
    if (!entries.isEmpty()) {
      entries.remove(instanceId);
    }
  }

  InstanceDetailView.@Nullable StuckView of(long instanceId) {
    Entry entry = entries.get(instanceId);
    return entry == null ? null : view(entry);
  }

  List<StuckHandler> all() {
    return entries.values().stream()
        .map(e -> new StuckHandler(e.event.instanceId(), e.event.type(), view(e)))
        .toList();
  }

  private InstanceDetailView.StuckView view(Entry entry) {
    Duration running =
        entry.event.running().plus(Duration.ofNanos(clock.nanoTime() - entry.seenAt));
    return new InstanceDetailView.StuckView(
        running.toMillis() / 1000.0,
        entry.event.state(),
        entry.event.stackTrace().stream().limit(FRAMES).map(Object::toString).toList());
  }
}
