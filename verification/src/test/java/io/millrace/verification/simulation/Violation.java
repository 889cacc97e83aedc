package io.millrace.verification.simulation;

/**
 * A broken promise.
 *
 * @param invariant short name of the invariant, as in docs/guarantees.md
 */
record Violation(String invariant, String what) {
  @Override
  public String toString() {
    return invariant + ": " + what;
  }
}
