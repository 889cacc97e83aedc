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

/** What can be done to a sequence made of tasks as it stands. */
final class AllowedSequenceActions {

  private AllowedSequenceActions() {}

  /**
   * The names of the contract. What cannot be read cannot be begun.
   *
   * @param execution the newest; null when there is none, or it is archived
   */
  static List<String> of(SequenceEntry entry, @Nullable WorkflowInstance execution) {
    boolean readable = entry.sequence() != null;
    boolean aborted = entry.status() == SequenceStatus.ABORTED;
    Flags flags = entry.row().flags();
    List<String> possible = new ArrayList<>();
    possible.add(flags.active() ? "deactivate" : "activate");
    possible.add(flags.pausedBy() != null ? "resume" : "pause");
    addIf(readable && !entry.isRunning(), "run", possible);
    addIf(readable && !aborted && !flags.immediate(), "run-immediately", possible);
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

  /** True when the task at which the execution stands can be run again. */
  private static boolean mayRetry(@Nullable WorkflowInstance execution) {
    return execution != null
        && !(OperatorCommandRules.effectOf(execution, new OperatorCommand.Retry())
            instanceof OperatorCommandRules.Effect.Refuse);
  }

  private static boolean isOpen(@Nullable LastExecution last) {
    return last != null && !last.settled() && !last.status().isTerminal();
  }
}
