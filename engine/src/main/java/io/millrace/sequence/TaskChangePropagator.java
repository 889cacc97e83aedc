package io.millrace.sequence;

import io.millrace.instance.MillraceException;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.StoredSequence;
import io.millrace.store.StoreException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A propagator of changed tasks to the next execution of every sequence with them. */
final class TaskChangePropagator {

  private static final Logger LOG = LoggerFactory.getLogger(TaskChangePropagator.class);
  private static final int PAGE = 500;

  private final SequenceStore store;
  private final CompiledSequenceRegistry compiledSequences;
  private final Consumer<String> recompile;

  /**
   * Creates a propagator.
   *
   * @param recompile recompiles the sequence with an id from its current tasks
   */
  TaskChangePropagator(
      SequenceStore store, CompiledSequenceRegistry compiledSequences, Consumer<String> recompile) {
    this.store = store;
    this.compiledSequences = compiledSequences;
    this.recompile = recompile;
  }

  /**
   * Updates all sequences that have the task. Returns true if all have its current form; a sequence
   * that cannot be updated does not hold up the others.
   */
  boolean propagate(RegisteredTask changed) {
    boolean all = true;
    @Nullable String after = null;
    List<StoredSequence> page;
    do {
      page = store.withTask(changed.id(), after, PAGE);
      for (StoredSequence row : page) {
        if (!compiledSequences.has(row.type(), row.definitionVersion(), changed)) {
          all &= isRecompiled(row.sequenceId(), changed);
        }
        after = row.sequenceId();
      }
    } while (page.size() == PAGE);
    return all;
  }

  private boolean isRecompiled(String sequenceId, RegisteredTask changed) {
    try {
      recompile.accept(sequenceId);
      return true;
    } catch (UnknownNameException e) {
      return true; // removed since its page was read
    } catch (StoreException e) {
      throw e;
    } catch (MillraceException e) {
      LOG.warn(
          "Sequence '{}' does not have the change of its task '{}'. Mend it; the next start of an"
              + " engine with the task tries again: {}",
          sequenceId,
          changed.task().name(),
          e.getMessage());
      return false;
    }
  }
}
