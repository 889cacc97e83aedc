package io.millrace.dispatch;

import io.millrace.instance.Progress;
import io.millrace.lifecycle.Loop;
import io.millrace.store.Fence;
import io.millrace.store.InstanceStore.ProgressUpdate;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the latest progress of each instance, at most once a second. Progress may be lost; it only
 * informs.
 */
final class ProgressWriter {

  private static final Logger LOG = LoggerFactory.getLogger(ProgressWriter.class);
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final EngineContext engine;
  private final Map<Long, ProgressUpdate> latest = new ConcurrentHashMap<>();
  private final Loop loop;
  private long nextWrite;

  ProgressWriter(EngineContext engine) {
    this.engine = engine;
    this.nextWrite = engine.clock().nanoTime();
    this.loop = engine.runtime().runner().loop("millrace-progress", this::tick);
  }

  void post(Fence fence, Progress progress) {
    if (latest.put(fence.instanceId(), new ProgressUpdate(fence, progress)) == null) {
      loop.wake();
    }
  }

  boolean stop(Duration patience) {
    return loop.stop(patience);
  }

  private Duration tick() {
    if (latest.isEmpty()) {
      return Loop.UNTIL_WOKEN;
    }
    long now = engine.clock().nanoTime();
    if (now - nextWrite < 0) {
      return Duration.ofNanos(nextWrite - now);
    }
    nextWrite = now + INTERVAL.toNanos();
    write(takeAll());
    return INTERVAL;
  }

  private List<ProgressUpdate> takeAll() {
    List<ProgressUpdate> updates = new ArrayList<>();
    for (Long id : List.copyOf(latest.keySet())) {
      ProgressUpdate update = latest.remove(id);
      if (update != null) {
        updates.add(update);
      }
    }
    return updates;
  }

  private void write(List<ProgressUpdate> updates) {
    try {
      engine.store().instances().progress(updates);
    } catch (StoreException e) {
      LOG.debug("Progress of {} instances was not stored", updates.size(), e);
    }
  }
}
