package io.millrace.sequence;

import io.millrace.extension.EngineServices;
import io.millrace.store.SequenceStore.LastExecution;
import io.millrace.store.SequenceStore.StoredSequence;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that some live executor has the code of the tasks of a sequence. Thread-safe. */
final class RunnabilityChecker {

  private final CompiledSequenceRegistry compiledSequences;
  private final EngineServices services;

  RunnabilityChecker(CompiledSequenceRegistry compiledSequences, EngineServices services) {
    this.compiledSequences = compiledSequences;
    this.services = services;
  }

  /**
   * Returns why a sequence cannot run anywhere, for people; null if it can. Reads the database only
   * for a sequence that this node cannot run.
   */
  @Nullable String problem(StoredSequence row) {
    LastExecution last = row.last();
    Integer unknown = last == null ? null : last.obstacle().unknownVersion();
    if (last != null && unknown != null) {
      return "Execution "
          + last.executionId()
          + " waits, for no live executor of group '"
          + row.executorGroup()
          + "' has the code of its tasks. "
          + reason(row, unknown)
          + (unknown.equals(row.definitionVersion())
              ? ""
              : " The sequence was changed since; cancel the execution to have the next one run with"
                  + " the change.");
    }
    Integer version = row.definitionVersion();
    return version == null
            || compiledSequences.problem(row.type(), version) == null
            || services.hasExecutor(row.type(), version, row.executorGroup())
        ? null
        : "No live executor of group '"
            + row.executorGroup()
            + "' has the code of its tasks. "
            + reason(row, version);
  }

  /**
   * Returns the reason for an executor of another group, which may lack other parts than this node.
   */
  private String reason(StoredSequence row, int version) {
    String here = compiledSequences.problem(row.type(), version);
    if (here != null) {
      return here;
    }
    CompiledSequence compiledSequence = compiledSequences.find(row.type(), version);
    return compiledSequence == null
        ? "This node does not know these tasks either."
        : "Its tasks and their components are: "
            + compiledSequence.tasks().stream()
                .map(compiledTask ->
                    "task '"
                        + compiledTask.task().name()
                        + "' with component '"
                        + compiledTask.task().component()
                        + "'")
                .collect(Collectors.joining(", "))
            + ". Start an executor of that group that has all of them.";
  }

  List<CompiledSequenceRegistry.UnrunnableSequence> unrunnable(int limit) {
    return compiledSequences.unrunnable(limit);
  }
}
