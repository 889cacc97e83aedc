package io.millrace.verification.simulation;

/**
 * A broken promise.
 *
 * @param invariant its short name, as in docs/guarantees.md
 */
record Violation(String invariant, String what) {
  @Override
  public String toString() {
    return invariant + ": " + what;
  }
}
