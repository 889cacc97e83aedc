package io.millrace.verification.simulation;

/**
 * An error that unwinds a thread of a killed simulated process; nothing that the thread does
 * matters any more.
 */
final class SimulatedCrash extends Error {

  private static final long serialVersionUID = 1L;

  SimulatedCrash() {
    super("this simulated machine was killed", null, false, false);
  }
}
