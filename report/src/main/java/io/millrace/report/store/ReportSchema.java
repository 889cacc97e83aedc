package io.millrace.report.store;

import io.millrace.store.sql.Migrations;
import io.millrace.store.sql.SchemaMode;
import java.util.List;
import javax.sql.DataSource;

/**
 * The tables of reports, a component of {@code millrace_schema} beside the engine. They may be in
 * another database than the engine's.
 */
public final class ReportSchema {

  private static final Migrations MIGRATIONS =
      Migrations.of(
              "report",
              "the tables of reports",
              ReportSchema.class,
              "io/millrace/report/store/{database}/",
              List.of("V1__report.sql"))
          .printedBy("ReportSchema.print");

  private ReportSchema() {}

  /**
   * Returns the SQL that creates the tables and records that it did.
   *
   * @param database {@code postgresql} or {@code h2}
   */
  public static String print(String database) {
    return MIGRATIONS.print(database);
  }

  /**
   * Creates or updates the tables. Writes nothing if they are those of this version. Several
   * processes may do so at the same time.
   *
   * @throws io.millrace.instance.MillraceException if the tables are not those of this version
   *     afterwards
   */
  public static void create(DataSource database) {
    MIGRATIONS.apply(database, SchemaMode.CREATE);
  }

  /**
   * Checks that the tables are those of this version.
   *
   * @throws io.millrace.instance.MillraceException if they are not, with what to do, or if the
   *     database does not answer
   */
  public static void validate(DataSource database) {
    MIGRATIONS.apply(database, SchemaMode.VALIDATE);
  }
}
