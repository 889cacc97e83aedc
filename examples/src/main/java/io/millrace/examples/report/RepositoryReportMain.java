package io.millrace.examples.report;

import com.zaxxer.hikari.HikariDataSource;
import io.millrace.Engine;
import io.millrace.examples.report.git.RepositoryException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * The program around {@link RepositoryReport}: a command line, an embedded database, and an engine.
 */
public final class RepositoryReportMain {

  static final int OK = 0;
  static final int FAILED = 1;
  static final int WRONG_USE = 2;

  /**
   * Length of the lease. One process owns the database, so only its successor waits for the lease
   * of a dead one.
   */
  private static final Duration GRACE = Duration.ofSeconds(4);

  /** Handlers at a time, few enough for the connection pool. */
  private static final int HANDLERS = 8;

  private static final int MANY_RECOVERIES = 1000; // this process is killed by the user's choice

  private final PrintStream out;
  private final PrintStream err;
  private final ProgressDisplay progressDisplay;

  RepositoryReportMain(PrintStream out, PrintStream err, boolean live) {
    this.out = out;
    this.err = err;
    this.progressDisplay = new ProgressDisplay(out, live);
  }

  public static void main(String[] args) {
    int code;
    try (ShutdownSignal stop = new ShutdownSignal()) {
      code =
          new RepositoryReportMain(System.out, System.err, ProgressDisplay.isLive())
              .run(List.of(args), stop);
      if (stop.hasCome()) {
        return; // the JVM ends with the exit code of the signal
      }
    }
    System.exit(code);
  }

  /** Runs the program and returns its exit code. */
  int run(List<String> arguments, ShutdownSignal stop) {
    return switch (Arguments.of(arguments)) {
      case Arguments.Help help -> {
        out.print(Arguments.USAGE);
        yield OK;
      }
      case Arguments.Invalid invalid -> complain(invalid.message());
      case Arguments.Report report -> report(report, stop);
    };
  }

  private int report(Arguments.Report arguments, ShutdownSignal stop) {
    logInto(arguments.folders());
    try {
      ReportedRepository reportedRepository = ReportedRepository.at(arguments.repository());
      if (reportedRepository.head() == null) {
        progressDisplay.say(nothing(reportedRepository));
        return OK;
      }
      return report(reportedRepository, arguments.folders(), stop);
    } catch (RepositoryException | UsageException e) {
      return complain(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } catch (RuntimeException e) {
      LoggerFactory.getLogger(RepositoryReportMain.class).error("The program failed", e);
      complain(e.getMessage() + " Details are in " + arguments.folders().logs() + ".");
      return FAILED;
    }
  }

  private int report(
      ReportedRepository reportedRepository, OutputFolders outputFolders, ShutdownSignal stop)
      throws InterruptedException {
    int code;
    try (HikariDataSource database = EmbeddedDatabase.open(outputFolders);
        Engine engine = engine(database, outputFolders)) {
      code =
          new ReportSession(engine.client(), outputFolders, reportedRepository, progressDisplay)
              .run(stop);
    }
    if (stop.hasCome()) {
      progressDisplay.say("Stopped. The same command goes on where this one was.");
    }
    return code;
  }

  private static Engine engine(HikariDataSource database, OutputFolders outputFolders) {
    return Engine.builder()
        .dataSource(database)
        .workflows(new RepositoryReport(outputFolders).definition())
        .settings(settings ->
            settings.concurrency(HANDLERS).maxRecoveries(MANY_RECOVERIES).drainGrace(GRACE))
        .start();
  }

  /**
   * Configures the log file; must run before the first log line, because the configuration is read
   * once.
   */
  private static void logInto(OutputFolders outputFolders) {
    System.setProperty("millrace.report.log", outputFolders.logs().toString());
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "io/millrace/examples/report/logback.xml");
    }
  }

  private static String nothing(ReportedRepository reportedRepository) {
    return ("'%s' has no commits on '%s' yet, so there is nothing to report. Commit, or check out a"
            + " branch that has some, and run this again.")
        .formatted(reportedRepository.folder(), reportedRepository.branch());
  }

  private int complain(String message) {
    err.println("error: " + message);
    return WRONG_USE;
  }
}
