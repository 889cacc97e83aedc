package io.millrace.benchmarks.peer;

import io.millrace.benchmarks.peer.dbos.DbosPeer;
import io.millrace.benchmarks.peer.dbscheduler.DbSchedulerPeer;
import io.millrace.benchmarks.peer.jobrunr.JobRunrPeer;
import io.millrace.benchmarks.peer.millrace.MillracePeer;
import io.millrace.benchmarks.peer.nflow.NflowPeer;
import io.millrace.benchmarks.peer.quartz.QuartzPeer;
import java.util.List;
import java.util.Locale;

/** The engines that can be measured, in the order of the tables. */
public enum PeerKind {
  MILLRACE("Millrace"),
  DB_SCHEDULER("db-scheduler 16.12.0"),
  NFLOW("nFlow 10.0.0"),
  JOBRUNR("JobRunr 8.7.0"),
  DBOS("DBOS Transact 1.1.0-m6"),
  QUARTZ("Quartz 2.5.2"),
  GUILD_QUEUES("guild-queues 0.0.8"),
  BULLMQ("BullMQ 6.7.0");

  /** Engines that are measured unless the command line names others. */
  public static final List<PeerKind> USUAL =
      List.of(MILLRACE, DB_SCHEDULER, NFLOW, GUILD_QUEUES, BULLMQ);

  private final String title;

  PeerKind(String title) {
    this.title = title;
  }

  /** Returns the name of the engine in tables. */
  public String title() {
    return title;
  }

  /** Returns the name of the engine on the command line, such as {@code db-scheduler}. */
  public String option() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** True for queues over Redis, which are Node.js programs without a database. */
  public boolean isOverRedis() {
    return this == GUILD_QUEUES || this == BULLMQ;
  }

  public Peer create() {
    return switch (this) {
      case MILLRACE -> new MillracePeer();
      case DB_SCHEDULER -> new DbSchedulerPeer();
      case NFLOW -> new NflowPeer();
      case JOBRUNR -> new JobRunrPeer();
      case DBOS -> new DbosPeer();
      case QUARTZ -> new QuartzPeer();
      case GUILD_QUEUES, BULLMQ ->
          throw new IllegalStateException(title + " has no database to be measured on");
    };
  }
}
