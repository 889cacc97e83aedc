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
 * @param maxBytes the most bytes to load of inputs, of variables, of step results and of messages,
 *     each. The most urgent instance may have more, up to {@link #MAX_INSTANCE_BYTES}; those for
 *     which nothing is left are not claimed
 */
public record ClaimRequest(
    long executorId,
    String executorGroup,
    List<Integer> definitionIds,
    int limit,
    List<Instant> dueFrom,
    long maxBytes) {

  /** Default of {@code maxBytes}. */
  public static final long MAX_BYTES = 8 << 20;

  /** Most bytes of the variables, and of the step results, that a handler can be given. */
  public static final long MAX_INSTANCE_BYTES = 64 << 20;

  /** An input of at most so many bytes is counted as nothing. */
  public static final int SMALL_INPUT = 16 << 10;

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

  /** Creates a request with the default budget of bytes. */
  public ClaimRequest(
      long executorId,
      String executorGroup,
      List<Integer> definitionIds,
      int limit,
      List<Instant> dueFrom) {
    this(executorId, executorGroup, definitionIds, limit, dueFrom, MAX_BYTES);
  }
}
