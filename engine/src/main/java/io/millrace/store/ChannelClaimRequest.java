package io.millrace.store;

import java.util.List;

/**
 * A request of an executor to claim the instances that it names.
 *
 * @param definitionIds the stored definitions whose code it has
 * @param maxBytes as in {@link ClaimRequest}; the instances come in any order
 */
public record ChannelClaimRequest(
    long executorId,
    String executorGroup,
    List<Integer> definitionIds,
    List<Candidate> named,
    long maxBytes) {

  public ChannelClaimRequest {
    definitionIds = List.copyOf(definitionIds);
    named = List.copyOf(named);
  }

  /** Creates a request with the default maximum number of bytes. */
  public ChannelClaimRequest(
      long executorId, String executorGroup, List<Integer> definitionIds, List<Candidate> named) {
    this(executorId, executorGroup, definitionIds, named, LoadLimits.DEFAULT_MAX_BYTES);
  }

  /** An instance to claim if it still has this {@code seq}. */
  public record Candidate(long instanceId, int seq) {}
}
