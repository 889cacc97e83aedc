package io.millrace.lifecycle;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * All that an engine takes from its surroundings.
 *
 * @param random for jitter only; must be thread-safe
 */
public record EngineRuntime(EngineClock clock, Runner runner, RandomGenerator random) {

  /** The machine's clock, real threads, and a generator that is safe for concurrent use. */
  public static EngineRuntime system() {
    return new EngineRuntime(
        EngineClock.system(),
        new ThreadRunner(),
        RandomGeneratorFactory.of("SecureRandom").create());
  }
}
