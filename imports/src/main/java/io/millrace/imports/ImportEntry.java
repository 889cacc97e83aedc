package io.millrace.imports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Result of the import of one type, task or workflow.
 *
 * @param id its name in the source
 * @param what its translation, its differences, or the reason why it was refused
 * @param notes what an operator must know, as sentences
 * @param advice what to do, as a sentence; null for nothing
 */
public record ImportEntry(
    Kind kind,
    String id,
    Outcome outcome,
    String what,
    List<String> notes,
    @Nullable String advice) {

  public ImportEntry {
    notes = List.copyOf(notes);
  }

  /** Kind of the imported thing. */
  public enum Kind {
    TYPE,
    TASK,
    WORKFLOW
  }

  /** Outcome of an import. */
  public enum Outcome {
    /** The target did not have it. */
    ADDED,
    /** The target already had it, and it is equal. */
    EQUAL,
    /** The target already had it, and it differs; nothing was changed. */
    DIFFERENT,
    /** The target already had it, and it was changed to match the source. */
    REPLACED,
    /** The target cannot represent it. */
    REFUSED
  }
}
