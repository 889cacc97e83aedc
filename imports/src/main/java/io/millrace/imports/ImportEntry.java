package io.millrace.imports;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of one thing of the source.
 *
 * @param id its name in the source
 * @param what how it is now, how it differs, or why it was refused
 * @param notes what somebody should know, as sentences
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

  /** What it is. */
  public enum Kind {
    TYPE,
    TASK,
    WORKFLOW
  }

  /** What became of it. */
  public enum Outcome {
    /** It was not there. */
    ADDED,
    /** It was there, and the same. */
    EQUAL,
    /** It was there, and another; nothing was changed. */
    DIFFERENT,
    /** It was there, and another, and is as in the source now. */
    REPLACED,
    /** It cannot be had here. */
    REFUSED
  }
}
