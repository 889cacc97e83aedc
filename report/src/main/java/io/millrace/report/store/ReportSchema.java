package io.millrace.report.store;

import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** The tables of reports, for operators who create them in advance. */
public final class ReportSchema {

  private ReportSchema() {}

  /**
   * Returns the statements that create the tables.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public static String print(String database) {
    List<String> all = List.of(JdbcResultStore.TABLE, ReportStore.TABLE, ReportStore.INDEX);
    StringBuilder text = new StringBuilder("-- Reports\n");
    all.forEach(one -> text.append(JdbcTables.forDatabase(one, database)).append(";\n\n"));
    return text.toString();
  }

  /** Creates the tables that do not exist; several processes may do so at once. */
  public static void create(DataSource database) {
    new JdbcResultStore(database).prepare();
    new ReportStore(database).prepare();
  }

  /**
   * Returns the tables that are missing or lack a column.
   *
   * @throws io.millrace.report.source.SourceException when the database does not answer
   */
  public static List<String> missing(DataSource database) {
    JdbcTables jdbcTables = new JdbcTables(database);
    List<String> missing = new ArrayList<>();
    if (!jdbcTables.has(JdbcResultStore.NAME, JdbcResultStore.COLUMNS)) {
      missing.add(JdbcResultStore.NAME);
    }
    if (!jdbcTables.has(ReportStore.NAME, ReportStore.COLUMNS)) {
      missing.add(ReportStore.NAME);
    }
    return List.copyOf(missing);
  }
}
