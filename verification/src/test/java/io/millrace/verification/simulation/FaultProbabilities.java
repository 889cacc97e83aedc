package io.millrace.verification.simulation;

import java.util.Random;

/**
 * The probabilities of ordinary faults in one schedule. Every seed has its own probabilities, many
 * of them zero, so that faults are tried alone as well as together.
 *
 * @param lostRequest a request never arrives
 * @param lostReply a request is executed, but its caller sees an error
 * @param late a request is executed only after its caller has seen an error
 * @param slow a request or reply takes up to seconds
 * @param refused the database rejects a write
 * @param lostHint other nodes do not hear of new work
 */
record FaultProbabilities(
    double lostRequest,
    double lostReply,
    double late,
    double slow,
    double refused,
    double lostHint) {

  static final FaultProbabilities NONE = new FaultProbabilities(0, 0, 0, 0, 0, 0);

  static FaultProbabilities of(Random random) {
    return new FaultProbabilities(
        one(random),
        one(random),
        random.nextBoolean() ? 0.1 : one(random),
        one(random),
        random.nextInt(4) == 0 ? 0.05 : 0,
        random.nextBoolean() ? 0 : 0.5);
  }

  private static double one(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> 0.01;
      case 1 -> 0.05;
      case 2 -> 0.2;
      default -> 0;
    };
  }
}
