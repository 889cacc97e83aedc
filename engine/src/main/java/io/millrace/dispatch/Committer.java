package io.millrace.dispatch;

import io.millrace.event.EngineEvent;
import io.millrace.store.Save;
import io.millrace.store.SaveResult;
import io.millrace.store.StoreException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves transitions in groups, and tries for as long as it takes while the database is away. */
final class Committer {

  private static final Logger LOG = LoggerFactory.getLogger(Committer.class);

  private final Node node;
  private final Batcher<Save, Written> batcher;
  private final RateLimit warnings;

  /** What the database made of a save, and when it was asked. */
  record Written(SaveResult result, long askedNanos) {}

  Committer(Node node) {
    this.node = node;
    this.warnings = new RateLimit(node.clock(), Duration.ofSeconds(10));
    this.batcher =
        Batcher.patient(node.runtime(), "millrace-committer", this::write, this::delayed);
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

  private List<Written> write(List<Save> saves) {
    long begin = node.clock().nanoTime();
    List<SaveResult> results = node.store().work().save(saves);
    node.events()
        .send(
            new EngineEvent.BatchSaved(
                saves.size(), Duration.ofNanos(node.clock().nanoTime() - begin)));
    return results.stream().map(result -> new Written(result, begin)).toList();
  }

  private void delayed(int items, int tries, StoreException fault) {
    node.events().send(new EngineEvent.SaveDelayed(items, tries, fault));
    if (warnings.permits()) {
      LOG.warn(
          "{} results wait to be saved, try {} failed and will be repeated until the database answers: {}",
          items,
          tries,
          fault.getMessage());
    }
  }
}
