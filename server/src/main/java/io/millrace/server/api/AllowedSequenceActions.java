package io.millrace.server.api;

import io.millrace.instance.WorkflowInstance;
import io.millrace.sequence.SequenceEntry;
import io.millrace.sequence.SequenceStatus;
import io.millrace.store.OperatorCommand;
import io.millrace.store.OperatorCommandRules;
import io.millrace.store.SequenceStore.Flags;
import io.millrace.store.SequenceStore.LastExecution;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The actions that a task sequence allows in its current state. */
final class AllowedSequenceActions {

  private AllowedSequenceActions() {}

  /**
   * Returns the names of the actions in the contract. A sequence that cannot be read cannot be
   * started.
   *
   * @param execution the newest execution; null if there is none, or if it is archived
   */
  static List<String> of(SequenceEntry entry, @Nullable WorkflowInstance execution) {
    boolean readable = entry.sequence() != null;
    boolean aborted = entry.status() == SequenceStatus.ABORTED;
    Flags flags = entry.row().flags();
    List<String> possible = new ArrayList<>();
    possible.add(flags.active() ? "deactivate" : "activate");
    possible.add(flags.pausedBy() != null ? "resume" : "pause");
    addIf(readable && !entry.isRunning(), "run", possible);
    addIf(readable && !aborted && !flags.runRequested(), "request-run", possible);
    addIf(readable && aborted, "restart", possible);
    addIf(aborted && mayRetry(execution), "resume-task", possible);
    addIf(readable, "backfill", possible);
    addIf(!isOpen(entry.row().last()), "remove", possible);
    return possible;
  }

  private static void addIf(boolean holds, String name, List<String> possible) {
    if (holds) {
      possible.add(name);
    }
  }

  /** True if the task that the execution has stopped at can be retried. */
  private static boolean mayRetry(@Nullable WorkflowInstance execution) {
    return execution != null
        && !(OperatorCommandRules.effectOf(execution, new OperatorCommand.Retry())
            instanceof OperatorCommandRules.Effect.Refuse);
  }

  private static boolean isOpen(@Nullable LastExecution last) {
    return last != null && !last.endRecorded() && !last.status().isTerminal();
  }
}
