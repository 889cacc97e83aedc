package io.millrace.store;

import java.util.List;

/**
 * What an executor wants to run.
 *
 * @param definitionIds the stored definitions it has the code of; others are left alone
 * @param limit the most instances to reserve, 1 or more; never exceeded
 */
public record ClaimRequest(
    long executorId, String executorGroup, List<Integer> definitionIds, int limit) {
  public ClaimRequest {
    definitionIds = List.copyOf(definitionIds);
  }
}
