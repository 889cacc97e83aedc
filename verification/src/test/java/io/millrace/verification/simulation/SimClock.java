package io.millrace.verification.simulation;

import io.millrace.lifecycle.EngineClock;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock of a machine: its wall-clock time may be wrong and jump, its monotonic time is true.
 */
final class SimClock implements EngineClock {

  private static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");

  private final SimulationKernel simulationKernel;
  private Duration error = Duration.ZERO;

  SimClock(SimulationKernel simulationKernel) {
    this.simulationKernel = simulationKernel;
  }

  void jump(Duration newError) {
    error = newError;
  }

  @Override
  public Instant instant() {
    return BEGIN.plusNanos(simulationKernel.now()).plus(error);
  }

  @Override
  public long nanoTime() {
    return simulationKernel.now();
  }
}
