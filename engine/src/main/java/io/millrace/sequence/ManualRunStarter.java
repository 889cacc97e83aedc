package io.millrace.sequence;

import io.millrace.extension.EngineServices;
import io.millrace.instance.InstanceConflictException;
import io.millrace.instance.OperatorAction;
import io.millrace.instance.StartedInstance;
import io.millrace.schedule.Slot;
import io.millrace.store.SequenceStore;
import io.millrace.store.SequenceStore.FireResult;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.StoredSequence;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A starter of manual runs. */
final class ManualRunStarter {

  private static final int TRIES = 20;
  private static final int DIGITS = 32;

  private final SequenceStore store;
  private final FirePlanner firePlanner;
  private final EngineServices services;

  ManualRunStarter(SequenceStore store, FirePlanner firePlanner, EngineServices services) {
    this.store = store;
    this.firePlanner = firePlanner;
    this.services = services;
  }

  /**
   * A manual run to start.
   *
   * @param action the operator and the reason
   * @param parameters for this execution
   * @param key identifies a repeated request; null if it is never repeated
   */
  record ManualRun(OperatorAction action, Map<String, Object> parameters, @Nullable String key) {

    /** Returns an external id within the limit of length, for any key. */
    @Nullable String externalId(StoredSequence row) {
      return key == null
          ? null
          : row.sequenceId() + "@key:" + CompiledSequence.fingerprint(key).substring(0, DIGITS);
    }
  }

  /**
   * Runs a sequence, unless it has been run for the same key.
   *
   * @param sequence reads it, with its definition
   * @throws InstanceConflictException if an execution of it runs
   * @throws UnknownNameException if it was removed meanwhile
   */
  StartedInstance run(Supplier<StoredSequence> sequence, Slot slot, ManualRun manualRun) {
    String id = "";
    for (int tries = 0; tries < TRIES; tries++) {
      StoredSequence row = sequence.get();
      id = row.sequenceId();
      String externalId = manualRun.externalId(row);
      OptionalLong before =
          externalId == null
              ? OptionalLong.empty()
              : services.started(row.type(), row.executorGroup(), externalId);
      if (before.isPresent()) {
        return new StartedInstance(before.getAsLong(), false);
      }
      requireRest(row);
      firePlanner.requireNoRestartBut(slot, row);
      switch (store.writeFire(
          firePlanner.planRun(
              row, slot, FireCause.MANUAL, manualRun.action, manualRun.parameters, externalId))) {
        case FireResult.Written written -> {
          return new StartedInstance(Objects.requireNonNull(written.executionId()), true);
        }
        case FireResult.Duplicate duplicate -> {
          return new StartedInstance(duplicate.executionId(), false);
        }
        case FireResult.Stale stale -> {}
        case FireResult.Missing missing -> throw SequenceService.unknown(id);
      }
    }
    throw new ConcurrentUpdateException("sequence '" + id + "'");
  }

  private static void requireRest(StoredSequence row) {
    LastExecution last = row.last();
    if (last != null && FirePlanner.isRunning(row)) {
      throw new InstanceConflictException(
          last.executionId(),
          "Sequence '"
              + row.sequenceId()
              + "' is running: execution "
              + last.executionId()
              + " has not ended. Cancel it, or wait for its end.");
    }
  }
}
