package io.millrace.store;

import java.util.List;

/**
 * Certain instances that an executor wants to run.
 *
 * @param definitionIds the stored definitions it has the code of
 */
public record TakeRequest(
    long executorId, String executorGroup, List<Integer> definitionIds, List<Wanted> wanted) {

  public TakeRequest {
    definitionIds = List.copyOf(definitionIds);
    wanted = List.copyOf(wanted);
  }

  /** An instance as long as it has this {@code seq}. */
  public record Wanted(long instanceId, int seq) {}
}
