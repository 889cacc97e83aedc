package io.millrace.verification.chaos.nemesis;

/** The kinds of faults. */
public enum FaultKind {
  /** Kill -9 of a node; its length is the time until the node is started again. */
  KILL(Target.NODE),
  /** SIGSTOP of a node for half a lease. */
  FREEZE_HALF(Target.NODE),
  /** SIGSTOP for nine tenths of a lease. */
  FREEZE_NEARLY(Target.NODE),
  /** SIGSTOP for eleven tenths of a lease. */
  FREEZE_JUST_OVER(Target.NODE),
  /** SIGSTOP for three leases. */
  FREEZE_LONG(Target.NODE),
  /** SIGTERM of a node; its length is the time until the node is started again. */
  DRAIN(Target.NODE),
  /** Repeated reset of all connections of a node. */
  CUT(Target.NODE),
  /** Some milliseconds of delay in both directions. */
  DELAY(Target.NODE),
  /** A stall in both directions, though all connections stay open. */
  STALL_BOTH(Target.NODE),
  /** A stall of requests, which do not arrive. */
  STALL_REQUESTS(Target.NODE),
  /** A stall of replies: requests arrive, replies wait. */
  STALL_REPLIES(Target.NODE),
  /** A delay of every reply by seconds. */
  LATE_REPLIES(Target.NODE),
  /** A loss of replies: requests arrive, their replies are lost and the connection is reset. */
  DROPPED_REPLIES(Target.NODE),
  /** An end of all sessions of a node by the server. */
  BACKENDS_OF_NODE(Target.NODE),
  /** An end of all sessions of all nodes by the server. */
  BACKENDS_OF_ALL(Target.DATABASE),
  /** A fast stop of the database: pg_ctl stop -m fast. */
  DATABASE_FAST(Target.DATABASE),
  /** An immediate stop of the database: pg_ctl stop -m immediate. */
  DATABASE_IMMEDIATE(Target.DATABASE),
  /** Kill -9 of the postmaster. */
  DATABASE_KILL(Target.DATABASE),
  /** A disk without free space under the database. */
  DISK_FULL(Target.DATABASE),
  /** A jump of one node's wall clock. */
  CLOCK_JUMP(Target.CLOCK);

  /** The target of a fault; two simultaneous faults have different targets. */
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
