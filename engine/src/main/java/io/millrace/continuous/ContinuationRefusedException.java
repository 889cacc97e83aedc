package io.millrace.continuous;

import io.millrace.instance.MillraceException;
import java.util.List;

/** A run cannot be continued now. */
public final class ContinuationRefusedException extends MillraceException {

  private static final long serialVersionUID = 1L;

  /** For people and machines: which conditions are not met, and why. */
  private final transient List<Conditions.Unmet> unmet;

  ContinuationRefusedException(String name, List<Conditions.Unmet> unmet) {
    super(
        "The continuous workflow '"
            + name
            + "' cannot be continued now: "
            + String.join("; ", unmet.stream().map(Conditions.Unmet::text).toList())
            + ".");
    this.unmet = List.copyOf(unmet);
  }

  public List<Conditions.Unmet> unmet() {
    return unmet;
  }
}
