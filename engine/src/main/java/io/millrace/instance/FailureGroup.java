package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Instances that failed alike.
 *
 * @param state the state of the newest instance
 * @param newest the instance that was started last
 * @param first when the first of them ended; for those left to an operator, when the oldest
 *     instance last changed
 * @param last the same of the last one
 */
public record FailureGroup(
    String fingerprint,
    String type,
    String state,
    long count,
    Newest newest,
    Instant first,
    Instant last) {

  /** The newest instance of the group, and the reason of its state. */
  public record Newest(long instanceId, @Nullable String reason) {}
}
