package io.millrace.store;

import io.millrace.instance.StartRequest;
import java.time.Instant;
import java.util.List;

/**
 * A request of an executor to claim due instances.
 *
 * @param definitionIds the stored definitions whose code it has; others are not claimed
 * @param limit the maximum number of instances, 1 or more; never exceeded
 * @param dueFrom for each priority, by its number, the due time from which the search starts; empty
 *     to search all that is due
 * @param maxBytes the maximum number of bytes to load of inputs over {@link
 *     LoadLimits#SMALL_INPUT}, of variables, of step results and of messages, each. The most urgent
 *     instance may have more, up to {@link LoadLimits#instanceBytes}; instances beyond the limit
 *     are released again
 */
public record ClaimRequest(
    long executorId,
    String executorGroup,
    List<Integer> definitionIds,
    int limit,
    List<Instant> dueFrom,
    long maxBytes) {

  public ClaimRequest {
    definitionIds = List.copyOf(definitionIds);
    dueFrom = List.copyOf(dueFrom);
    if (!dueFrom.isEmpty() && dueFrom.size() != StartRequest.MAX_PRIORITY + 1) {
      throw new IllegalArgumentException(
          "dueFrom needs a time for each priority from 0 to 9, but has " + dueFrom.size());
    }
  }

  /** Creates a request for all due instances. */
  public ClaimRequest(
      long executorId, String executorGroup, List<Integer> definitionIds, int limit) {
    this(executorId, executorGroup, definitionIds, limit, List.of());
  }

  /** Creates a request with the default maximum number of bytes. */
  public ClaimRequest(
      long executorId,
      String executorGroup,
      List<Integer> definitionIds,
      int limit,
      List<Instant> dueFrom) {
    this(executorId, executorGroup, definitionIds, limit, dueFrom, LoadLimits.DEFAULT_MAX_BYTES);
  }
}
