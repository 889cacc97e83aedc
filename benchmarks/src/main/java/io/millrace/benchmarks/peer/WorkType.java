package io.millrace.benchmarks.peer;

/** The kinds of work that every engine implements, under the same names. */
public enum WorkType {
  /** A single step, which ends the work. */
  ONE_STEP(1),
  /** Five steps in a row, each durable before the next starts. */
  FIVE_STEPS(5);

  private final int steps;

  WorkType(int steps) {
    this.steps = steps;
  }

  public int steps() {
    return steps;
  }
}
