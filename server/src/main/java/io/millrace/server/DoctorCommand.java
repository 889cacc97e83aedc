package io.millrace.server;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.server.config.DatabaseConfig;
import io.millrace.server.doctor.Doctor;
import io.millrace.server.doctor.DoctorReport;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import javax.sql.DataSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code millrace doctor}. */
@Command(
    name = "doctor",
    description = {
      "Examines configuration, database and workflows, and says what to do.",
      "Changes nothing. Exits with 1 if something does not work."
    })
final class DoctorCommand implements Callable<Integer> {

  private static final int CONNECTIONS = 2;

  @Mixin private ConfigOption option = new ConfigOption();

  @Option(names = "--json", description = "Writes JSON.")
  private boolean json;

  @Spec private CommandSpec spec;

  @SuppressWarnings("NullAway.Init") // picocli sets the specification
  DoctorCommand() {}

  @Override
  public Integer call() {
    DoctorReport doctorReport =
        Doctor.examine(option.sources(), DoctorCommand::connect, InstantSource.system());
    PrintWriter out = spec.commandLine().getOut();
    out.print(json ? JsonOutput.of(doctorReport.values()) : doctorReport.text());
    out.flush();
    return doctorReport.ok() ? Main.OK : Main.FAILED;
  }

  private static void connect(DatabaseConfig database, Consumer<DataSource> use) {
    try (HikariDataSource pool = DatabasePool.openExisting(database, CONNECTIONS)) {
      use.accept(pool);
    }
  }
}
