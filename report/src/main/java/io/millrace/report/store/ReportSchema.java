package io.millrace.report.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;

/** The tables of reports, for those who make them in advance. */
public final class ReportSchema {

  private ReportSchema() {}

  /**
   * The statements that make them.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public static String print(String database) {
    StringBuilder text = new StringBuilder("-- Reports\n");
    for (String one :
        List.of(
            JdbcResultStore.TABLE, ReportStore.TABLE, ReportStore.WORKFLOW, ReportStore.INDEX)) {
      text.append(Tables.forDatabase(one, database.toLowerCase(Locale.ROOT))).append(";\n\n");
    }
    return text.toString();
  }

  /** Makes those that are not there; several processes may do so at once. */
  public static void make(DataSource database) {
    new JdbcResultStore(database).prepare();
    new ReportStore(database).prepare();
  }

  /**
   * The tables that are missing, or have not all of their columns.
   *
   * @throws io.millrace.report.source.SourceException when the database does not say
   */
  public static List<String> missing(DataSource database) {
    Tables tables = new Tables(database);
    List<String> missing = new ArrayList<>();
    if (!tables.has(JdbcResultStore.NAME, JdbcResultStore.COLUMNS)) {
      missing.add(JdbcResultStore.NAME);
    }
    if (!tables.has(ReportStore.NAME, ReportStore.COLUMNS)) {
      missing.add(ReportStore.NAME);
    }
    return List.copyOf(missing);
  }
}
