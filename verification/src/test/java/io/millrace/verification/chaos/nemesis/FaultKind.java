package io.millrace.verification.chaos.nemesis;

/** What can go wrong. */
public enum FaultKind {
  /** kill -9 of a node; its length is the time until it is started again. */
  KILL(Target.NODE),
  /** SIGSTOP of a node for half a lease. */
  FREEZE_HALF(Target.NODE),
  /** SIGSTOP for nine tenths of a lease. */
  FREEZE_NEARLY(Target.NODE),
  /** SIGSTOP for eleven tenths of a lease. */
  FREEZE_JUST_OVER(Target.NODE),
  /** SIGSTOP for three leases. */
  FREEZE_LONG(Target.NODE),
  /** SIGTERM of a node; its length is the time until it is started again. */
  DRAIN(Target.NODE),
  /** All connections of a node are reset, again and again. */
  CUT(Target.NODE),
  /** Some milliseconds more in both directions. */
  DELAY(Target.NODE),
  /** Nothing passes, though all connections stay open. */
  STALL_BOTH(Target.NODE),
  /** Requests do not arrive. */
  STALL_REQUESTS(Target.NODE),
  /** Requests arrive, replies wait. */
  STALL_REPLIES(Target.NODE),
  /** Every reply comes seconds late. */
  LATE_REPLIES(Target.NODE),
  /** Requests arrive, their replies are lost and the connection is reset. */
  DROPPED_REPLIES(Target.NODE),
  /** All sessions of a node are ended by the server. */
  BACKENDS_OF_NODE(Target.NODE),
  /** All sessions of all nodes are ended by the server. */
  BACKENDS_OF_ALL(Target.DATABASE),
  /** pg_ctl stop -m fast. */
  DATABASE_FAST(Target.DATABASE),
  /** pg_ctl stop -m immediate. */
  DATABASE_IMMEDIATE(Target.DATABASE),
  /** kill -9 of the postmaster. */
  DATABASE_KILL(Target.DATABASE),
  /** No space left under the database. */
  DISK_FULL(Target.DATABASE),
  /** One node's wall clock jumps. */
  CLOCK_JUMP(Target.CLOCK);

  /** What a fault hits; a second one at the same time hits something else. */
  public enum Target {
    NODE,
    DATABASE,
    CLOCK
  }

  private final Target target;

  FaultKind(Target target) {
    this.target = target;
  }

  public Target target() {
    return target;
  }
}
