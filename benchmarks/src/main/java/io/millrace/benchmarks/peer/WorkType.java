package io.millrace.benchmarks.peer;

/** What an engine is given to do; every engine implements all of them with the same names. */
public enum WorkType {
  /** One step, which ends the work. */
  ONE_STEP(1),
  /** Five steps in a row, each durable before the next begins. */
  FIVE_STEPS(5);

  private final int steps;

  WorkType(int steps) {
    this.steps = steps;
  }

  public int steps() {
    return steps;
  }
}
