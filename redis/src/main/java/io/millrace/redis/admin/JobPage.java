package io.millrace.redis.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs of a list.
 *
 * @param next the cursor of the next page; null for the last page
 */
public record JobPage(List<Entry> items, @Nullable String next) {

  /**
   * A job in a list.
   *
   * @param flow the flow in its key
   * @param created null when its id does not tell
   * @param at when it is due, or when it died; null in the other lists
   * @param lock null when no worker has it
   * @param error the error of a dead job; null when none is stored
   */
  public record Entry(
      String flow,
      String id,
      @Nullable Instant created,
      @Nullable Instant at,
      @Nullable Lock lock,
      @Nullable String error) {}

  /**
   * The lock of a worker.
   *
   * @param owner the worker's id
   * @param seconds the time that is left
   */
  public record Lock(String owner, long seconds) {}
}
