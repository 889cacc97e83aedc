package io.millrace.report.store;

import java.util.ArrayList;
import java.util.List;
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
    List<String> all =
        new ArrayList<>(List.of(JdbcResultStore.TABLE, ReportStore.TABLE, ReportStore.WORKFLOW));
    all.addAll(JdbcTables.changeKey(ReportStore.NAME, ReportStore.KEY, database, true));
    all.add(ReportStore.INDEX);
    StringBuilder text = new StringBuilder("-- Reports\n");
    all.forEach(one -> text.append(JdbcTables.forDatabase(one, database)).append(";\n\n"));
    return text.toString();
  }

  /** Makes those that are not there; several processes may do so at once. */
  public static void create(DataSource database) {
    new JdbcResultStore(database).prepare();
    new ReportStore(database).prepare();
  }

  /**
   * The tables that are missing, or are of an early form.
   *
   * @throws io.millrace.report.source.SourceException when the database does not say
   */
  public static List<String> missing(DataSource database) {
    JdbcTables jdbcTables = new JdbcTables(database);
    List<String> missing = new ArrayList<>();
    if (!jdbcTables.has(JdbcResultStore.NAME, JdbcResultStore.COLUMNS)) {
      missing.add(JdbcResultStore.NAME);
    }
    // A key that the database does not tell is not one of an early form.
    if (!jdbcTables.has(ReportStore.NAME, ReportStore.COLUMNS)
        || jdbcTables.keyOf(ReportStore.NAME).equals(ReportStore.KEY.subList(0, 1))) {
      missing.add(ReportStore.NAME);
    }
    return List.copyOf(missing);
  }
}
