package io.millrace.sequence;

import io.millrace.definition.DefinitionException;
import io.millrace.definition.WorkflowDefinition;
import io.millrace.instance.ConflictException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.DefinitionStore;
import io.millrace.store.DefinitionStore.StoredDefinition;
import io.millrace.store.TaskStore;
import io.millrace.store.TaskStore.StoredCompiledSequence;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A check that keeps the types of tasks apart from those of workflow definitions. Both become types
 * of definitions, and an instance with the name and version of another would run its code.
 * Thread-safe.
 */
public final class TaskTypeRules {

  /** Prefix of the types of Millrace's own definitions. */
  public static final String OWN = "millrace-";

  private static final int PAGE = 500;

  private final DefinitionStore definitions;
  private final CompiledSequenceRegistry compiledSequences;

  TaskTypeRules(DefinitionStore definitions, CompiledSequenceRegistry compiledSequences) {
    this.definitions = definitions;
    this.compiledSequences = compiledSequences;
  }

  /**
   * Checks that tasks may have a type.
   *
   * @throws InvalidRequestException if the type is reserved for Millrace
   * @throws ConflictException if another workflow has it
   */
  void check(String type) {
    if (type.startsWith(OWN)) {
      throw new InvalidRequestException(
          "The type of tasks is '"
              + type
              + "', expected one that does not begin with '"
              + OWN
              + "', as the types of Millrace's own workflows do.");
    }
    if (compiledSequences.hasType(type)) {
      return;
    }
    Optional<StoredDefinition> stored = definitions.latest(type);
    if (stored.isPresent()
        && (compiledSequences.isTypeOfOtherWorkflow(type)
            || compiledSequences.find(type, stored.get().version()) == null)) {
      throw new ConflictException(
          "Tasks cannot have the type '"
              + type
              + "', for the workflow '"
              + type
              + "' version "
              + stored.get().version()
              + ", which is not made of tasks, has it. Choose another type for the tasks.");
    }
  }

  /**
   * Checks that no definition of code has the type of a task sequence.
   *
   * @throws DefinitionException if one has
   */
  public static void checkDefinitions(Collection<WorkflowDefinition> given, TaskStore store) {
    if (given.isEmpty()) {
      return;
    }
    Set<String> ofTasks = compiledTypes(store);
    for (WorkflowDefinition definition : given) {
      if (ofTasks.contains(definition.type())) {
        throw new DefinitionException(
            "Workflow "
                + definition
                + " cannot be registered, for there are task sequences of the type '"
                + definition.type()
                + "'. Give the definition another type.");
      }
    }
  }

  private static Set<String> compiledTypes(TaskStore store) {
    Set<String> types = new HashSet<>();
    int last = 0;
    List<StoredCompiledSequence> page;
    do {
      page = store.compiledSequencesAfter(last, PAGE);
      for (StoredCompiledSequence compiledSequence : page) {
        types.add(compiledSequence.type());
        last = Math.max(last, compiledSequence.id());
      }
    } while (page.size() == PAGE);
    return types;
  }
}
