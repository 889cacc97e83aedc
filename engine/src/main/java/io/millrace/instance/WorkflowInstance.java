package io.millrace.instance;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of one workflow instance. Immutable.
 *
 * @param id assigned by the database
 */
public record WorkflowInstance(
    long id,
    Origin origin,
    Position position,
    Lease lease,
    InstanceTimestamps timing,
    ChildCounts children,
    InstanceDetails details) {

  public String type() {
    return origin.type();
  }

  public int version() {
    return origin.version();
  }

  public String state() {
    return position.state();
  }

  /**
   * Returns the reason given by the last handler, operator or engine; null before the first
   * attempt.
   */
  public @Nullable String reason() {
    return position.reason();
  }

  /** Returns the effective status: executing while an executor holds the lease. */
  public InstanceStatus status() {
    return lease.executorId() != null ? InstanceStatus.EXECUTING : position.status();
  }

  public @Nullable Instant nextActivation() {
    return position.nextActivation();
  }

  public int seq() {
    return lease.seq();
  }

  /** Returns the failure group, shared by instances that failed alike; null unless it failed. */
  public @Nullable String failure() {
    return details.failure();
  }

  public @Nullable Progress progress() {
    return details.progress();
  }
}
