package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line that was logged during the execution of an instance.
 *
 * @param id orders the lines of an instance; assigned by the store, 0 before
 * @param place the attempt it belongs to
 * @param at by the clock of the process that logged it
 * @param level for example {@code INFO}
 * @param logger the logger's name
 * @param message cut to a limit when stored
 */
public record LogLine(
    long id,
    long instanceId,
    Source place,
    Instant at,
    String level,
    String logger,
    String message) {

  /**
   * The position of the instance when the line was logged.
   *
   * @param state null if the line belongs to no state
   * @param attempt the attempt's number, from 1; 0 for none
   * @param seq of the history entry that the attempt becomes when its answer is accepted; 0 for
   *     none
   * @param executorId the executor that ran it; null for none
   */
  public record Source(@Nullable String state, int attempt, int seq, @Nullable Long executorId) {
    /** Source of lines that were logged outside of any attempt. */
    public static final Source NONE = new Source(null, 0, 0, null);
  }
}
