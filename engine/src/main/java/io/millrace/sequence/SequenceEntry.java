package io.millrace.sequence;

import io.millrace.store.SequenceStore.StoredSequence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stored sequence, possibly one that this node cannot read, for example because only a newer Java
 * knows its time zone.
 *
 * @param tasks the names of its tasks, in their order
 * @param sequence null if this node cannot read it
 * @param problem why it cannot, and what to do; null if it can
 */
public record SequenceEntry(
    StoredSequence row,
    List<String> tasks,
    @Nullable ScheduledSequence sequence,
    @Nullable String problem) {

  public SequenceEntry {
    tasks = List.copyOf(tasks);
  }

  public String sequenceId() {
    return row.sequenceId();
  }

  public SequenceStatus status() {
    return SequenceStatus.of(row);
  }

  /** Returns true until its newest execution ends, or waits for an operator in status MANUAL. */
  public boolean isRunning() {
    return FirePlanner.isRunning(row);
  }

  /** Returns a tag that changes with every change of the sequence; its runs do not change it. */
  public String tag() {
    return sequence == null
        ? CompiledSequence.fingerprint(row.type() + row.flags().active() + row.spec())
        : sequence.tag();
  }
}
