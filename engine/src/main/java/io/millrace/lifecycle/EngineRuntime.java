package io.millrace.lifecycle;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The environment of an engine: clock, threads, random numbers and process.
 *
 * @param random for jitter only; must be thread-safe
 * @param process the process in which the engine runs
 */
public record EngineRuntime(
    EngineClock clock, Runner runner, RandomGenerator random, HostProcess process) {

  /** Creates a runtime without data about the process. */
  public EngineRuntime(EngineClock clock, Runner runner, RandomGenerator random) {
    this(clock, runner, random, HostProcess.unknown());
  }

  /**
   * Returns a runtime with the machine's clock, real threads, and a random generator that is safe
   * for concurrent use.
   */
  public static EngineRuntime system() {
    return new EngineRuntime(
        EngineClock.system(),
        new ThreadRunner(),
        RandomGeneratorFactory.of("SecureRandom").create(),
        HostProcess.system());
  }
}
