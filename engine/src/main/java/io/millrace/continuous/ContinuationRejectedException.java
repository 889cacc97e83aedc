package io.millrace.continuous;

import io.millrace.instance.ConflictException;
import java.util.List;

/** Thrown if a run cannot be continued now. */
public final class ContinuationRejectedException extends ConflictException {

  private static final long serialVersionUID = 1L;

  /** The unmet conditions, with explanations. */
  private final transient List<ContinuationConditions.Unmet> unmet;

  ContinuationRejectedException(String name, List<ContinuationConditions.Unmet> unmet) {
    super(
        "The continuous workflow '"
            + name
            + "' cannot be continued now: "
            + String.join("; ", unmet.stream().map(ContinuationConditions.Unmet::text).toList())
            + ".");
    this.unmet = List.copyOf(unmet);
  }

  public List<ContinuationConditions.Unmet> unmet() {
    return unmet;
  }
}
