package io.millrace.redis.flow;

import java.util.EnumSet;
import java.util.Set;

/** Status of a worker; it only advances, one step at a time. */
public enum WorkerStatus {
  /** The worker was created and has not been started. */
  READY,
  /** The worker processes jobs. */
  RUNNING,
  /** The worker finishes its current job and leases no other. */
  STOPPING,
  /** The worker has ended; to continue, create a new one. */
  STOPPED;

  private Set<WorkerStatus> following() {
    return switch (this) {
      case READY -> EnumSet.of(RUNNING);
      case RUNNING -> EnumSet.of(STOPPING);
      case STOPPING -> EnumSet.of(STOPPED);
      case STOPPED -> EnumSet.noneOf(WorkerStatus.class);
    };
  }

  /** Returns true if a worker may go from this status to another. */
  public boolean leadsTo(WorkerStatus other) {
    return following().contains(other);
  }
}
