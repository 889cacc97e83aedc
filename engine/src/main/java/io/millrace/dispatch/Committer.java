package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.lifecycle.IntervalThrottle;
import io.millrace.store.ExternalKey;
import io.millrace.store.Fence;
import io.millrace.store.SaveRequest;
import io.millrace.store.SaveResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A group commit of transitions, which retries without end while the database is not available. */
final class Committer {

  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  private final EngineContext engine;
  private final Batcher<SaveRequest, SaveReply> batcher;
  private final IntervalThrottle warnings;

  /** Executor ids whose leases this process has lost, whatever the fences are. */
  private final Set<Long> lostExecutors = ConcurrentHashMap.newKeySet();

  /** Fences of results that are no longer written. */
  private final Set<Fence> droppedSaves = ConcurrentHashMap.newKeySet();

  /** The result of a save, and the time of the request. */
  record SaveReply(SaveResult result, long requestedNanos) {}

  Committer(EngineContext engine) {
    this.engine = engine;
    this.warnings = new IntervalThrottle(engine.clock(), Duration.ofSeconds(10));
    this.batcher =
        Batcher.retrying(
            engine.runtime(),
            "millrace-committer",
            this::write,
            save -> ExternalKey.allOf(save.changes().children()),
            this::delayed);
  }

  void submit(SaveRequest save, Batcher.Callback<SaveReply> callback) {
    batcher.submit(save, callback);
  }

  int pending() {
    return batcher.pending();
  }

  void stop(Duration patience) {
    batcher.stop(patience);
  }

  /**
   * Treats all saves under this executor id as fenced, since another process may have leases with
   * the same numbers.
   */
  void dropSaves(long executorId) {
    lostExecutors.add(executorId);
  }

  /**
   * Treats a waiting save as fenced, since its instance is released. It would lock the instance's
   * row again and again.
   */
  void dropSave(Fence fence) {
    droppedSaves.add(fence);
  }

  private List<SaveResult> results(List<SaveRequest> saves) {
    if (lostExecutors.isEmpty() && droppedSaves.isEmpty()) {
      return engine.store().instances().save(saves);
    }
    // Evaluated once, since both sets may grow during the save.
    List<Boolean> fenced = saves.stream().map(this::isFenced).toList();
    List<SaveRequest> own =
        IntStream.range(0, saves.size()).filter(i -> !fenced.get(i)).mapToObj(saves::get).toList();
    Iterator<SaveResult> results =
        (own.isEmpty() ? List.<SaveResult>of() : engine.store().instances().save(own)).iterator();
    return fenced.stream()
        .map(isFenced -> isFenced ? new SaveResult.Fenced() : results.next())
        .toList();
  }

  private boolean isFenced(SaveRequest save) {
    return droppedSaves.contains(save.fence()) || lostExecutors.contains(save.fence().executorId());
  }

  private List<SaveReply> write(List<SaveRequest> saves) {
    long begin = engine.clock().nanoTime();
    List<SaveResult> results = results(saves);
    engine
        .events()
        .send(
            new EngineEvent.BatchSaved(
                saves.size(), Duration.ofNanos(engine.clock().nanoTime() - begin)));
    return results.stream().map(result -> new SaveReply(result, begin)).toList();
  }

  private void delayed(int items, int tries, StoreException fault) {
    engine.events().send(new EngineEvent.SaveDelayed(items, tries, fault));
    if (!warnings.permits()) {
      return;
    }
    if (fault.blocked()) {
      LOG.warn(
          "{} results wait for another transaction to end, try {} failed and will be repeated: {}",
          items,
          tries,
          fault.getMessage());
    } else {
      LOG.warn(
          "{} results wait to be saved, try {} failed and will be repeated until the database"
              + " answers: {}",
          items,
          tries,
          fault.getMessage());
    }
  }
}
