package io.millrace.sequence;

import io.millrace.instance.ConflictException;
import io.millrace.instance.Started;
import io.millrace.schedule.Slot;
import io.millrace.store.ScheduleStore;
import io.millrace.store.ScheduleStore.FireResult;
import io.millrace.store.ScheduleStore.LastExecution;
import io.millrace.store.ScheduleStore.StoredWorkflow;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs workflows that somebody wants run now. */
final class Runs {

  private static final int TRIES = 20;
  private static final int DIGITS = 32;

  private final ScheduleStore store;
  private final Firings firings;
  private final SequenceHost host;

  Runs(ScheduleStore store, Firings firings, SequenceHost host) {
    this.store = store;
    this.firings = firings;
    this.host = host;
  }

  /**
   * What is wanted.
   *
   * @param why who wants it, and for what reason
   * @param parameters for this execution
   * @param key by which a repeated wish is known; null when it is never repeated
   */
  record Wanted(String why, Map<String, Object> parameters, @Nullable String key) {

    /** As long as external ids may be, whatever the key is. */
    @Nullable String externalId(StoredWorkflow row) {
      return key == null
          ? null
          : row.workflowId() + "@key:" + Shape.fingerprint(key).substring(0, DIGITS);
    }
  }

  /**
   * Runs a workflow, unless it has been run for the same key.
   *
   * @param workflow reads it, with its definition
   * @throws ConflictException when an execution of it runs
   * @throws UnknownNameException when it is gone meanwhile
   */
  Started run(Supplier<StoredWorkflow> workflow, Slot slot, Wanted wanted) {
    String id = "";
    for (int tries = 0; tries < TRIES; tries++) {
      StoredWorkflow row = workflow.get();
      id = row.workflowId();
      String externalId = wanted.externalId(row);
      OptionalLong before =
          externalId == null
              ? OptionalLong.empty()
              : host.started(row.type(), row.executorGroup(), externalId);
      if (before.isPresent()) {
        return new Started(before.getAsLong(), false);
      }
      requireRest(row);
      firings.requireNoRestartBut(slot, row);
      switch (store.fire(
          firings.run(row, slot, "manual", wanted.why, wanted.parameters, externalId))) {
        case FireResult.Written written -> {
          return new Started(Objects.requireNonNull(written.executionId()), true);
        }
        case FireResult.Duplicate duplicate -> {
          return new Started(duplicate.executionId(), false);
        }
        case FireResult.Stale stale -> {}
        case FireResult.Missing missing -> throw Sequences.unknown(id);
      }
    }
    throw new ChangedException("workflow '" + id + "'");
  }

  private static void requireRest(StoredWorkflow row) {
    LastExecution last = row.last();
    if (last != null && Firings.isRunning(row)) {
      throw new ConflictException(
          last.executionId(),
          "Workflow '"
              + row.workflowId()
              + "' is running: execution "
              + last.executionId()
              + " has not ended. Cancel it, or wait for its end.");
    }
  }
}
