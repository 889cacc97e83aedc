package io.millrace.server;

import io.millrace.EngineBuilder;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Runner;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.SequenceService;
import io.millrace.server.api.SequenceFileLoader;
import io.millrace.server.api.ServerInfo.Fault;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.plugin.JarState;
import io.millrace.server.plugin.PluginProblem;
import io.millrace.server.plugin.Plugins;
import io.millrace.server.plugin.TaskJars;
import io.millrace.server.report.ReportCleaner;
import io.millrace.server.report.ReportService;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The parts that the engine needs for task sequences: channels, classes of tasks, and reports. */
final class SequenceRuntime implements AutoCloseable {

  private final ServerConfig config;
  private final TaskJars jars;
  private final ReportService reportService;
  private final @Nullable ChannelTransport channels;
  private final Runner runner;
  private volatile @Nullable ReportCleaner cleaner;
  private volatile SequenceFileLoader.Registered files = SequenceFileLoader.Registered.NOTHING;

  private SequenceRuntime(
      ServerConfig config,
      TaskJars jars,
      ReportService reportService,
      @Nullable ChannelTransport channels,
      Runner runner) {
    this.config = config;
    this.runner = runner;
    this.jars = jars;
    this.reportService = reportService;
    this.channels = channels;
  }

  /**
   * Opens the channels, classes of tasks and reports. If the broker is unavailable, the connection
   * is retried in the background.
   */
  static SequenceRuntime open(
      ServerConfig config, DataSource pool, EngineRuntime runtime, TaskJars jars) {
    ReportService reportService = ReportService.open(config, pool);
    var rabbit = config.work().rabbit();
    return new SequenceRuntime(
        config,
        jars,
        reportService,
        rabbit == null ? null : RabbitTransport.open(rabbit, runtime),
        runtime.runner());
  }

  /**
   * Adds the parts to an engine. Sequences are always enabled, since users may add them while the
   * server runs.
   */
  void addTo(EngineBuilder builder) {
    builder.sequences(config.work().sequences()).components(jars);
    reportService.addTo(builder);
    if (channels != null) {
      builder.channels(channels);
    }
  }

  /**
   * Registers the tasks of reports and, unless this node runs no work, the sequences of the
   * configuration. From now on, results of executions that no longer exist are deleted.
   */
  void register(SequenceService sequenceService) {
    reportService.register(sequenceService.tasks());
    cleaner = reportService.cleaner(runner);
    if (config.engine().runsInstances()) {
      files = SequenceFileLoader.register(config.work().sequenceFiles(), sequenceService);
    }
  }

  /** Returns the jars of sequences and tasks in their current state. */
  List<JarState> jars(Plugins plugins) {
    return JarState.of(plugins, jars);
  }

  /** Returns the current problems with jars, files and reports. */
  List<Fault> faults(Plugins plugins) {
    List<Fault> faults = new ArrayList<>(files.faults());
    for (JarState jar : jars(plugins)) {
      for (PluginProblem problem : jar.problems()) {
        faults.add(Fault.ofJar(jar.name(), problem.detail()));
      }
    }
    for (String detail : reportService.problems()) {
      faults.add(new Fault("report", "Part of the reports cannot be used", detail));
    }
    return faults;
  }

  /**
   * Returns the name of the file from which a sequence was registered at this start; null for none.
   */
  @Nullable String origin(String sequenceId) {
    return files.origins().get(sequenceId);
  }

  ReportService reports() {
    return reportService;
  }

  /** Closes the parts; called after the engine has stopped. */
  @Override
  public void close() {
    ReportCleaner cleaning = cleaner;
    try {
      if (cleaning != null) {
        cleaning.close();
      }
      if (channels != null) {
        channels.close();
      }
    } finally {
      jars.close();
    }
  }
}
