package io.millrace.codec;

/**
 * Limits of the size of a single value.
 *
 * @param maxBytes length of its JSON text in UTF-8
 * @param maxDepth nesting of arrays and objects
 */
public record JsonLimits(int maxBytes, int maxDepth) {
  /** Limits of 1 MiB and 64 levels. */
  public static final JsonLimits DEFAULT = new JsonLimits(1 << 20, 64);
}
