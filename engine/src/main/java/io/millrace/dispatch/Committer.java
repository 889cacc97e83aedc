package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.store.Save;
import io.millrace.store.SaveResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves transitions in groups, and tries for as long as it takes while the database is away. */
final class Committer {

  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  private final Node node;
  private final Batcher<Save, Written> batcher;
  private final RateLimit warnings;

  /** Executor ids whose leases this process no longer has, whatever the fences say. */
  private final Set<Long> disowned = ConcurrentHashMap.newKeySet();

  /** What the database made of a save, and when it was asked. */
  record Written(SaveResult result, long askedNanos) {}

  Committer(Node node) {
    this.node = node;
    this.warnings = new RateLimit(node.clock(), Duration.ofSeconds(10));
    this.batcher =
        Batcher.patient(
            node.runtime(),
            "millrace-committer",
            this::write,
            save -> ExternalKey.of(save.changes().children()),
            this::delayed);
  }

  void submit(Save save, Batcher.Reply<Written> reply) {
    batcher.submit(save, reply);
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
  void disown(long executorId) {
    disowned.add(executorId);
  }

  private List<SaveResult> results(List<Save> saves) {
    if (disowned.isEmpty()) {
      return node.store().work().save(saves);
    }
    List<Save> own = saves.stream().filter(save -> !isDisowned(save)).toList();
    Iterator<SaveResult> results =
        (own.isEmpty() ? List.<SaveResult>of() : node.store().work().save(own)).iterator();
    return saves.stream()
        .map(save -> isDisowned(save) ? new SaveResult.Fenced() : results.next())
        .toList();
  }

  private boolean isDisowned(Save save) {
    Long executorId = save.fence().executorId();
    return executorId != null && disowned.contains(executorId);
  }

  private List<Written> write(List<Save> saves) {
    long begin = node.clock().nanoTime();
    List<SaveResult> results = results(saves);
    node.events()
        .send(
            new EngineEvent.BatchSaved(
                saves.size(), Duration.ofNanos(node.clock().nanoTime() - begin)));
    return results.stream().map(result -> new Written(result, begin)).toList();
  }

  private void delayed(int items, int tries, StoreException fault) {
    node.events().send(new EngineEvent.SaveDelayed(items, tries, fault));
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
          "{} results wait to be saved, try {} failed and will be repeated until the database answers: {}",
          items,
          tries,
          fault.getMessage());
    }
  }
}
