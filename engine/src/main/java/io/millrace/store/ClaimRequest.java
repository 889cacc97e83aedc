package io.millrace.store;

import io.millrace.instance.StartRequest;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * A request of an executor to claim due instances.
 *
 * @param definitionIds the stored definitions whose code it has; others are not claimed
 * @param limit the maximum number of instances, 1 or more; never exceeded
 * @param dueFrom for each priority, by its number, the due time from which the search starts; empty
 *     to search all that is due
 * @param maxBytes the maximum number of bytes to load of inputs over {@link #SMALL_INPUT}, of
 *     variables, of step results and of messages, each. The most urgent instance may have more, up
 *     to {@link #instanceBytes}; instances beyond the limit are released again
 */
public record ClaimRequest(
    long executorId,
    String executorGroup,
    List<Integer> definitionIds,
    int limit,
    List<Instant> dueFrom,
    long maxBytes) {

  /** The {@code maxBytes} of an executor with a heap of 512 MiB or more. */
  public static final long DEFAULT_MAX_BYTES = 8 << 20;

  /** Factor by which a single instance may exceed the limit of a request. */
  private static final int INSTANCE_FACTOR = 8;

  /** Divisor of the heap: a request may load at most this part. */
  private static final int HEAP_SHARE = 64;

  /** Maximum number of bytes of an input that is loaded with its instance and does not count. */
  public static final int SMALL_INPUT = 16 << 10;

  public ClaimRequest {
    definitionIds = List.copyOf(definitionIds);
    dueFrom = List.copyOf(dueFrom);
    if (!dueFrom.isEmpty() && dueFrom.size() != StartRequest.MAX_PRIORITY + 1) {
      throw new IllegalArgumentException(
          "dueFrom needs a time for each priority from 0 to 9, but has " + dueFrom.size());
    }
  }

  /** Returns the {@code maxBytes} of an executor with this maximum heap. */
  public static long maxBytesOfHeap(long maxHeap) {
    return Math.min(DEFAULT_MAX_BYTES, maxHeap / HEAP_SHARE);
  }

  /** Returns the maximum number of bytes of one kind of data of a single instance. */
  public static long instanceBytes(long maxBytes) {
    return INSTANCE_FACTOR * maxBytes;
  }

  /** Returns true if texts of one kind are more than a single instance may have. */
  public static boolean isTooLarge(Collection<String> texts, long maxBytes) {
    long limit = instanceBytes(maxBytes);
    long characters = texts.stream().mapToLong(String::length).sum();
    // A character has at most three bytes, so few of them need no counting.
    return characters > limit / 3 && texts.stream().mapToLong(InboxRules::bytes).sum() > limit;
  }

  /**
   * Returns the rest of a message that begins with a thing and its verb, for example "its variables
   * have".
   */
  public static String excess(long bytes, long limit) {
    return bytes
        + " bytes, expected at most "
        + limit
        + " ("
        + (limit >> 20)
        + " MiB), the most that an executor can load.";
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
    this(executorId, executorGroup, definitionIds, limit, dueFrom, DEFAULT_MAX_BYTES);
  }
}
