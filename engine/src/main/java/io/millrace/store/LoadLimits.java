package io.millrace.store;

import java.util.Collection;

/**
 * The limits of the data that an executor loads: of what one claim loads, and of what a single
 * instance may have, so that it can be claimed at all. Answers of handlers and edits of variables
 * are held to the latter.
 */
public final class LoadLimits {

  /** The maximum number of bytes for an executor with a heap of 512 MiB or more. */
  public static final long DEFAULT_MAX_BYTES = 8 << 20;

  /** Factor by which a single instance may exceed the limit of a claim. */
  private static final int INSTANCE_FACTOR = 8;

  /** Divisor of the heap: a claim may load at most this part. */
  private static final int HEAP_SHARE = 64;

  /** Maximum number of bytes of an input that is loaded with its instance and does not count. */
  public static final int SMALL_INPUT = 16 << 10;

  private LoadLimits() {}

  /** Returns the maximum number of bytes for an executor with this maximum heap. */
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
}
