package io.millrace.server.report;

import io.millrace.instance.MillraceException;
import io.millrace.report.store.ReportSchema;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables of reports, which an operator may have to create. Thread-safe. */
final class ReportTables {

  private static final Logger LOG = LoggerFactory.getLogger(ReportTables.class);

  private final DataSource pool;
  private volatile boolean complete;

  private ReportTables(DataSource pool) {
    this.pool = pool;
  }

  /** Creates the tables if that is allowed. A failure is a problem of reports only. */
  static ReportTables open(DataSource pool, boolean make) {
    if (make) {
      try {
        ReportSchema.create(pool);
      } catch (MillraceException e) {
        LOG.warn("No report can be made: {}", e.getMessage());
      }
    }
    return new ReportTables(pool);
  }

  /**
   * Returns the reason why the tables cannot be used, and what to do. Checks again until they can.
   */
  Optional<String> problem() {
    if (complete) {
      return Optional.empty();
    }
    try {
      ReportSchema.validate(pool);
      complete = true;
      return Optional.empty();
    } catch (MillraceException e) {
      return Optional.of("No report can be made: " + e.getMessage());
    }
  }
}
