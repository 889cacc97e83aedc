package io.millrace.store.sql;

import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.RetentionBacklog;
import io.millrace.store.sql.SqlDoctor.Check;

/** A check that ended instances are archived and deleted according to the settings. */
final class RetentionDoctor {

  private RetentionDoctor() {}

  static Check examine(Jdbc jdbc, Retention policy) {
    return RetentionBacklog.find(
            new SqlRetentionStore(jdbc),
            policy,
            new SqlQueryStore(jdbc).now(),
            RetentionBacklog.BEHIND)
        .map(behind ->
            Check.warn(
                "retention",
                behind.sentence() + ".",
                "If it was switched on or no engine ran lately, it catches up by itself; otherwise"
                    + " read why in the log of an engine: it names the clean-up that fails."))
        .orElseGet(() -> Check.ok("retention", "No ended instance is overdue."));
  }
}
