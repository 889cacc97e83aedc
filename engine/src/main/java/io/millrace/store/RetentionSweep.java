package io.millrace.store;

import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A clean-up that the engine's loop for retention runs every minute, in batches.
 *
 * @param name for messages, as in "deletion of slot records"
 * @param batch number of rows of a full batch
 * @param reported true to log what was handled
 * @param call handles at most the given number of rows, and returns how many it handled
 */
public record RetentionSweep(String name, int batch, boolean reported, IntUnaryOperator call) {

  /** Number of rows of a full batch, unless rows are very small. */
  public static final int BATCH = 100;

  /** A deletion of what is older than an age; returns the number of rows handled. */
  @FunctionalInterface
  public interface AgedCall {
    int run(Duration age, int limit);
  }

  /** Returns a sweep that is not reported. */
  public static RetentionSweep of(String name, int batch, IntUnaryOperator call) {
    return new RetentionSweep(name, batch, false, call);
  }

  /**
   * Returns a sweep of what is older than an age.
   *
   * @param age null for no sweep
   */
  public static Stream<RetentionSweep> aged(String name, @Nullable Duration age, AgedCall call) {
    return age == null
        ? Stream.empty()
        : Stream.of(new RetentionSweep(name, BATCH, true, limit -> call.run(age, limit)));
  }
}
