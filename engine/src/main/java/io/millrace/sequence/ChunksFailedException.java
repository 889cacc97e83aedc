package io.millrace.sequence;

import io.millrace.instance.MillraceException;
import java.util.Map;
import java.util.TreeMap;

/** Thrown if chunks of a task have failed; the results of the others are stored. */
public final class ChunksFailedException extends MillraceException {

  private final Map<String, Throwable> failures;

  ChunksFailedException(int chunks, Map<String, Throwable> failures) {
    super(
        failures.size()
            + " of "
            + chunks
            + " chunks failed, the next attempt runs only these: "
            + new TreeMap<>(failures));
    this.failures = Map.copyOf(failures);
    failures.values().forEach(this::addSuppressed);
  }

  /** Returns the failures by the names of their chunks. */
  public Map<String, Throwable> failures() {
    return failures;
  }
}
