package io.millrace.redis.admin;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs of a list.
 *
 * @param next where the rest begins; null when there is none
 */
public record JobPage(List<Entry> items, @Nullable String next) {

  /**
   * A job of a list.
   *
   * @param flow by which it is named
   * @param created null when its id does not tell
   * @param at when it is due, or when it died; null in the other lists
   * @param lock null when nobody has it
   * @param error of dead ones; null when none is kept
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
   * @param seconds that are left
   */
  public record Lock(String owner, long seconds) {}
}
