package io.millrace.redis.flow;

import java.util.EnumSet;
import java.util.Set;

/** How far a worker is on its way; it only goes forward, one step at a time. */
public enum WorkerStatus {
  /** It was made and has not been started. */
  READY,
  /** It takes jobs. */
  RUNNING,
  /** It ends the job in hand and takes no other. */
  STOPPING,
  /** It has ended; a new one must be made in its place. */
  STOPPED;

  private Set<WorkerStatus> following() {
    return switch (this) {
      case READY -> EnumSet.of(RUNNING);
      case RUNNING -> EnumSet.of(STOPPING);
      case STOPPING -> EnumSet.of(STOPPED);
      case STOPPED -> EnumSet.noneOf(WorkerStatus.class);
    };
  }

  /** Whether a worker may go from this status to another. */
  public boolean leadsTo(WorkerStatus other) {
    return following().contains(other);
  }
}
