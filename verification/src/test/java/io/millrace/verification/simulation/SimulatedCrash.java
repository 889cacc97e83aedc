package io.millrace.verification.simulation;

/** Unwinds a thread of a simulated process that was killed; nothing it does matters any more. */
final class SimulatedCrash extends Error {

  private static final long serialVersionUID = 1L;

  SimulatedCrash() {
    super("this simulated machine was killed", null, false, false);
  }
}
