package io.millrace.verification.simulation;

import io.millrace.fixtures.PlantedFault;
import java.nio.file.Path;

/**
 * The product with one deliberate fault in its protocol, which the simulator must find.
 *
 * @param name description of the fault
 * @param source changed file, relative to the repository's folder
 * @param original piece of the file that occurs once
 * @param changed replacement of that piece
 * @param firstSeed first seed to try; for a fault that shows very rarely, one near a seed that
 *     shows it
 * @param isSeldom true if it may break fewer than two of the schedules of {@link SimulationSmoke}
 */
record Mutant(
    String name, String source, String original, String changed, long firstSeed, boolean isSeldom) {

  Mutant(String name, String source, String original, String changed) {
    this(name, source, original, changed, 1, false);
  }

  Mutant seldom() {
    return from(firstSeed);
  }

  Mutant from(long seed) {
    return new Mutant(
        name,
        source,
        original,
        changed,
        isContinuous() ? SimWorld.withContinuous(seed) : seed,
        true);
  }

  /** True if only schedules with continuous workflows can show the fault. */
  private boolean isContinuous() {
    return source.contains("ontinuous");
  }

  /** Returns the distance between two seeds that can show the fault. */
  int step() {
    return isContinuous() ? SimWorld.PERIOD : 1;
  }

  /** Compiles the changed file and returns the folder of its classes. */
  Path compile() {
    return new PlantedFault(name, source, original, changed).compile();
  }

  @Override
  public String toString() {
    return name;
  }
}
