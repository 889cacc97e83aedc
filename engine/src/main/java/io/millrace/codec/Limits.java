package io.millrace.codec;

/**
 * How large a single value may be.
 *
 * @param maxBytes length of its JSON text in UTF-8
 * @param maxDepth nesting of arrays and objects
 */
public record Limits(int maxBytes, int maxDepth) {
  /** 1 MiB and 64 levels. */
  public static final Limits DEFAULT = new Limits(1 << 20, 64);
}
