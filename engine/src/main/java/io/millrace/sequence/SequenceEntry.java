package io.millrace.sequence;

import io.millrace.store.SequenceStore.StoredSequence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sequence as it is stored, also one that this node cannot read, for example because only a newer
 * Java knows its time zone.
 *
 * @param tasks the names of its tasks, in their order
 * @param sequence null when this node cannot read it
 * @param problem why it cannot, and what to do; null when it can
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

  /** True while its newest execution goes on by itself; one that is parked does not. */
  public boolean isRunning() {
    return FirePlanner.isRunning(row);
  }

  /** Another one for every change of the sequence; its runs do not change it. */
  public String tag() {
    return sequence == null
        ? CompiledSequence.fingerprint(row.type() + row.flags().active() + row.plan())
        : sequence.etag();
  }
}
