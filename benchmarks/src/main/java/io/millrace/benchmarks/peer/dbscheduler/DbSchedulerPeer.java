package io.millrace.benchmarks.peer.dbscheduler;

import io.millrace.benchmarks.peer.Peer;
import io.millrace.benchmarks.peer.PeerProcess;
import io.millrace.benchmarks.peer.Probe;
import io.millrace.benchmarks.peer.Tuning;
import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.sql.SQLException;

/** db-scheduler with the settings of its own benchmarks, which are faster than the defaults. */
public final class DbSchedulerPeer implements Peer {

  /** The table and indexes from its documentation; the library contains no script. */
  private static final String TABLE =
      """
      CREATE TABLE scheduled_tasks (
        task_name text NOT NULL,
        task_instance text NOT NULL,
        task_data bytea,
        execution_time timestamp with time zone NOT NULL,
        picked boolean NOT NULL,
        picked_by text,
        last_success timestamp with time zone,
        last_failure timestamp with time zone,
        consecutive_failures int,
        last_heartbeat timestamp with time zone,
        version bigint NOT NULL,
        priority smallint,
        PRIMARY KEY (task_name, task_instance));
      CREATE INDEX execution_time_idx ON scheduled_tasks (execution_time);
      CREATE INDEX last_heartbeat_idx ON scheduled_tasks (last_heartbeat);
      CREATE INDEX priority_execution_time_idx
        ON scheduled_tasks (priority DESC, execution_time ASC)\
      """;

  @Override
  public void install(BenchmarkDatabase database) throws SQLException {
    database.execute(TABLE);
  }

  @Override
  public PeerProcess open(BenchmarkDatabase database, Tuning tuning, Probe probe) {
    return new DbSchedulerProcess(database, tuning, probe);
  }
}
