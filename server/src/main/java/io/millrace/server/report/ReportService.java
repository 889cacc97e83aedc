package io.millrace.server.report;

import io.millrace.EngineBuilder;
import io.millrace.instance.MillraceException;
import io.millrace.lifecycle.EngineClock;
import io.millrace.lifecycle.Runner;
import io.millrace.report.ReportComponent;
import io.millrace.report.ReportComponentBuilder;
import io.millrace.report.mail.SmtpSettings;
import io.millrace.report.store.ReportFile;
import io.millrace.report.store.ReportRetention;
import io.millrace.report.store.ReportStore;
import io.millrace.report.store.StoredReport;
import io.millrace.sequence.TaskContext;
import io.millrace.sequence.TaskService;
import io.millrace.server.config.ObservabilityConfig;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.config.WorkConfig;
import io.millrace.store.sql.SchemaMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tasks of reports, and their results. The files that define reports are read again when they
 * change. A file that cannot be used fails only the reports that use it. Thread-safe.
 */
public final class ReportService {

  /** The type of the tasks, and of sequences of them. */
  public static final String TYPE = "Report";

  private static final Logger LOG = LoggerFactory.getLogger(ReportService.class);
  private static final Duration MAIL_TIMEOUT = Duration.ofSeconds(20);

  /**
   * Time after which a definition that could not be used is read again, even if no file has
   * changed.
   */
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final WorkConfig workConfig;
  private final ObservabilityConfig.@Nullable Mail mail;
  private final DataSource pool;
  private final ReportStore store;
  private final ReportTables tables;
  private final EngineClock clock;
  private @Nullable FolderSnapshot stamp;
  private @Nullable ReportComponent component;
  private @Nullable MillraceException fault;
  private long readAt;
  private volatile @Nullable ReportTasks tasks;

  private ReportService(
      WorkConfig workConfig,
      ObservabilityConfig.@Nullable Mail mail,
      DataSource pool,
      ReportTables tables,
      EngineClock clock) {
    this.workConfig = workConfig;
    this.mail = mail;
    this.pool = pool;
    this.tables = tables;
    this.clock = clock;
    this.store = new ReportStore(pool);
  }

  /**
   * Creates the tables and reads the files. A failure is reported as a problem and does not prevent
   * the server from starting.
   */
  public static ReportService open(ServerConfig config, DataSource pool) {
    return open(config, pool, EngineClock.system());
  }

  static ReportService open(ServerConfig config, DataSource pool, EngineClock clock) {
    ReportTables tables = ReportTables.open(pool, config.database().schema() == SchemaMode.CREATE);
    ReportService reportService =
        new ReportService(config.work(), config.observe().mail(), pool, tables, clock);
    work(config).settings().explanations().forEach(LOG::info);
    reportService.problems().forEach(LOG::warn);
    return reportService;
  }

  private static WorkConfig.Reports work(ServerConfig config) {
    return config.work().reports();
  }

  /** Registers the handlers of the tasks with the engine. */
  public void addTo(EngineBuilder builder) {
    for (String name : ReportComponent.taskNames()) {
      builder.handler(name, task -> execute(name, task));
    }
  }

  /**
   * Registers the tasks, each with its own channel. If a different task has the same name, that is
   * reported as a problem, not as an error.
   */
  public void register(TaskService taskService) {
    tasks = new ReportTasks(taskService);
  }

  private void execute(String name, TaskContext task) throws Exception {
    Optional<String> problem = tables.problem();
    if (problem.isPresent()) {
      throw new MillraceException(problem.get());
    }
    Objects.requireNonNull(component().tasks().get(name), name).execute(task);
  }

  /**
   * Returns the results of the newest execution of every sequence, in the order of their creation.
   */
  public List<ReportFile> newestOfEach() {
    return tables.problem().isEmpty() ? store.newestOfEach() : List.of();
  }

  /**
   * Returns the report of this name that an execution has created; empty if there is none.
   *
   * @param report null for the last report of the execution
   */
  public Optional<StoredReport> find(long executionId, @Nullable String report) {
    if (tables.problem().isPresent()) {
      return Optional.empty();
    }
    return report == null ? store.find(executionId) : store.find(executionId, report);
  }

  /**
   * Starts to delete the results of executions that no longer exist. The result must be closed
   * before the pool.
   */
  public ReportCleaner cleaner(Runner runner) {
    return new ReportCleaner(new ReportRetention(pool), () -> tables.problem().isEmpty(), runner);
  }

  /** Returns the titles of the defined reports by their names; empty while there is a problem. */
  public Map<String, String> titles() {
    try {
      return component().titles();
    } catch (MillraceException e) {
      return Map.of();
    }
  }

  /**
   * Returns the reasons why reports cannot be created now, and what to do; one text for each
   * problem.
   */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    tables.problem().ifPresent(problems::add);
    try {
      problems.addAll(problems(component()));
    } catch (MillraceException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
    ReportTasks registered = tasks;
    if (registered != null) {
      problems.addAll(registered.problems());
    }
    return List.copyOf(problems);
  }

  private List<String> problems(ReportComponent made) {
    return made.problems().stream()
        .map(problem ->
            problem
                + " Only the reports that use it fail. Correct the file in "
                + folder()
                + ", which is then read again.")
        .toList();
  }

  private synchronized ReportComponent component() {
    FolderSnapshot now = FolderSnapshot.of(workConfig.reports().folder());
    boolean changed = !now.equals(stamp);
    if (changed || isToBeTriedAgain()) {
      boolean again = stamp != null;
      if (changed && again) {
        LOG.info("The files of reports in {} have changed and are read again", folder());
      }
      stamp = now;
      component = null;
      fault = null;
      readAt = clock.nanoTime();
      try {
        ReportComponent made = build();
        component = made;
        if (changed && again) {
          problems(made).forEach(LOG::warn);
        }
      } catch (MillraceException e) {
        fault =
            new MillraceException(
                "No report can be made: "
                    + String.valueOf(e.getMessage()).replaceAll("\\.$", "")
                    + ". Mend the files in "
                    + folder()
                    + ", which are then read again, or the keys report and assessmentReport of the"
                    + " configuration.",
                e);
      }
    }
    if (component == null) {
      throw Objects.requireNonNull(fault);
    }
    return component;
  }

  /**
   * True if the files must be read again although they have not changed. Reports also depend on
   * things outside the folder, so a failure can end without a change in it.
   */
  private boolean isToBeTriedAgain() {
    ReportComponent made = component;
    boolean faulty = fault != null || (made != null && !made.problems().isEmpty());
    return faulty && clock.nanoTime() - readAt >= AGAIN.toNanos();
  }

  private String folder() {
    return workConfig.reports().folder().toAbsolutePath().normalize().toString();
  }

  private ReportComponent build() {
    WorkConfig.Reports reports = workConfig.reports();
    ReportComponentBuilder builder =
        ReportComponent.on(pool)
            .settings(reports.settings().explained())
            .home(workConfig.home())
            .zone(reports.zone())
            .folder(reports.folder(), System.getenv());
    if (mail != null) {
      builder.mailServer(smtp(mail));
    }
    WorkConfig.Git git = reports.git();
    if (git != null) {
      builder.weeklyReport(git.repository(), git.title(), null);
    }
    return builder.build();
  }

  private static SmtpSettings smtp(ObservabilityConfig.Mail mail) {
    SmtpSettings.Tls tls =
        switch (mail.tls()) {
          case NONE -> SmtpSettings.Tls.NONE;
          case STARTTLS -> SmtpSettings.Tls.STARTTLS;
          case TLS -> SmtpSettings.Tls.TLS;
        };
    String password = mail.user() == null ? null : Objects.requireNonNullElse(mail.password(), "");
    return new SmtpSettings(
        mail.host(), mail.port(), tls, mail.user(), password, MAIL_TIMEOUT, mail.from());
  }
}
