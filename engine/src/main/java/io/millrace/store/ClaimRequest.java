package io.millrace.store;

import io.millrace.instance.StartRequest;
import java.time.Instant;
import java.util.List;

/**
 * A request of an executor to claim due instances.
 *
 * @param definitionIds the stored definitions it has the code of; others are left alone
 * @param limit the most instances to reserve, 1 or more; never exceeded
 * @param dueFrom for each priority, by its number, the due time before which nothing is looked for;
 *     empty to look for all that is due
 */
public record ClaimRequest(
    long executorId,
    String executorGroup,
    List<Integer> definitionIds,
    int limit,
    List<Instant> dueFrom) {

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
}
