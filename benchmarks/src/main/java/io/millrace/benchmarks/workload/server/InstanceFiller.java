package io.millrace.benchmarks.workload.server;

import io.millrace.benchmarks.postgres.BenchmarkDatabase;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * A helper that fills tables with instances of five types over thirty days, in every status and
 * with keys, variables, parents and failures, so that every filter of the lists matches some.
 */
final class InstanceFiller {

  private static final String VARIABLES =
      """
      INSERT INTO millrace_variable (instance_id, name, value, search_value)
      SELECT id, 'customer', '"C' || id % 10000 || '"', '"C' || id % 10000 || '"'
      FROM millrace_instance WHERE id % 10 = 0
      """;

  private static final String COUNTED =
      "SELECT coalesce(sum(started_count), 0) FROM millrace_statistics WHERE grain = 'hour'";

  private InstanceFiller() {}

  /** Fills the tables, which a server has created. */
  static void fill(BenchmarkDatabase database, int count) throws SQLException {
    database.execute(instances(count), VARIABLES, "VACUUM ANALYZE", "CHECKPOINT");
  }

  private static String instances(int count) {
    return """
    INSERT INTO millrace_instance (type, version, definition_id, executor_group, priority,
      business_key, external_id, parent_id, state, status, reason, failure_fingerprint, next_activation_at,
      seq, created_at, modified_at, entered_at, ended_at, variable_count)
    SELECT CASE WHEN n %% 10 < 6 THEN 'order' WHEN n %% 10 < 8 THEN 'invoice'
        WHEN n %% 10 = 8 THEN 'refund' WHEN n %% 1000 < 500 THEN 'audit' ELSE 'rare' END,
      1, 1, 'elsewhere', 4,
      'K' || n, 'E' || n, CASE WHEN n %% 20 = 0 THEN n / 100 + 1 END,
      CASE WHEN s.status = 'failed' THEN 'charge' ELSE 'delivered' END, s.status,
      'as it went', CASE WHEN s.status = 'failed' THEN 'f' || n %% 20 END,
      CASE WHEN s.status = 'inProgress' THEN now() + INTERVAL '1 day' END,
      5, now() - a.age, now() - a.age, now() - a.age,
      CASE WHEN s.is_ended THEN now() - a.age + INTERVAL '1 s' END, 1
    FROM generate_series(1, %1$d) AS g(n),
      LATERAL (SELECT (%1$d - n) * (INTERVAL '30 days' / %1$d) AS age) a,
      LATERAL (SELECT CASE WHEN n %% 1000 < 10 THEN 'failed' WHEN n %% 1000 < 20 THEN 'inProgress'
        WHEN n %% 1000 < 25 THEN 'cancelled' WHEN n %% 1000 < 27 THEN 'paused'
        WHEN n %% 1000 = 27 THEN 'manual' ELSE 'finished' END AS status,
        NOT (n %% 1000 BETWEEN 10 AND 19 OR n %% 1000 BETWEEN 25 AND 27) AS is_ended) s
    """
        .formatted(count);
  }

  /** Waits until the background aggregation of the server has counted the instances. */
  static void awaitStatistics(BenchmarkDatabase database, int count)
      throws SQLException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
    while (database.number(COUNTED) < count * 0.99) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException(
            "Only " + database.number(COUNTED) + " starts were counted within ten minutes.");
      }
      Thread.sleep(1000);
    }
  }
}
