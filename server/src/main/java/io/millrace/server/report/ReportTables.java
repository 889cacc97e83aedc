package io.millrace.server.report;

import io.millrace.instance.MillraceException;
import io.millrace.report.store.ReportSchema;
import java.util.List;
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
        LOG.warn("The tables of reports cannot be made: {}", e.getMessage());
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
      List<String> missing = ReportSchema.missing(pool);
      complete = missing.isEmpty();
      return complete ? Optional.empty() : Optional.of(missing(missing));
    } catch (MillraceException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static String missing(List<String> tables) {
    return "The tables of reports "
        + tables
        + " are missing or of an earlier form, so that no report can be made. Let the server make them,"
        + " with database.schema = create, or apply what 'millrace schema print' shows.";
  }
}
