package io.millrace.store;

import java.util.List;

/**
 * Certain instances that an executor wants to run.
 *
 * @param definitionIds the stored definitions it has the code of
 */
public record ChannelClaimRequest(
    long executorId, String executorGroup, List<Integer> definitionIds, List<Candidate> wanted) {

  public ChannelClaimRequest {
    definitionIds = List.copyOf(definitionIds);
    wanted = List.copyOf(wanted);
  }

  /** An instance as long as it has this {@code seq}. */
  public record Candidate(long instanceId, int seq) {}
}
