package io.millrace.server;

import io.millrace.report.store.ReportSchema;
import io.millrace.server.security.Accounts;
import io.millrace.store.sql.SqlStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace schema}. */
@Command(
    name = "schema",
    description = "The tables in the database.",
    subcommands = SchemaCommand.Print.class)
final class SchemaCommand {

  /** The databases whose SQL can be printed. */
  enum Dialect {
    postgresql,
    h2
  }

  /** {@code millrace schema print}. */
  @Command(name = "print", description = "Prints the SQL that makes all tables.")
  static final class Print implements Callable<Integer> {

    @Option(
        names = "--db",
        required = true,
        paramLabel = "DATABASE",
        description = "One of ${COMPLETION-CANDIDATES}.")
    private Dialect dialect = Dialect.postgresql;

    @Spec private CommandSpec spec;

    @SuppressWarnings("NullAway.Init") // picocli sets the specification
    Print() {}

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      out.println(SqlStore.printSchema(dialect.name()));
      out.print(Accounts.schema(dialect.name()));
      out.println();
      out.print(ReportSchema.print(dialect.name()));
      out.flush();
      return Main.OK;
    }
  }
}
