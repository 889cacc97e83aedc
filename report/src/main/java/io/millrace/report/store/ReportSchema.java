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
    all.addAll(Tables.changeKey(ReportStore.NAME, ReportStore.KEY, database, true));
    all.add(ReportStore.INDEX);
    StringBuilder text = new StringBuilder("-- Reports\n");
    all.forEach(one -> text.append(Tables.forDatabase(one, database)).append(";\n\n"));
    return text.toString();
  }

  /** Makes those that are not there; several processes may do so at once. */
  public static void make(DataSource database) {
    new JdbcResultStore(database).prepare();
    new ReportStore(database).prepare();
  }

  /**
   * The tables that are missing, or are of an early form.
   *
   * @throws io.millrace.report.source.SourceException when the database does not say
   */
  public static List<String> missing(DataSource database) {
    Tables tables = new Tables(database);
    List<String> missing = new ArrayList<>();
    if (!tables.has(JdbcResultStore.NAME, JdbcResultStore.COLUMNS)) {
      missing.add(JdbcResultStore.NAME);
    }
    // A key that the database does not tell is not one of an early form.
    if (!tables.has(ReportStore.NAME, ReportStore.COLUMNS)
        || tables.keyOf(ReportStore.NAME).equals(ReportStore.KEY.subList(0, 1))) {
      missing.add(ReportStore.NAME);
    }
    return List.copyOf(missing);
  }
}
