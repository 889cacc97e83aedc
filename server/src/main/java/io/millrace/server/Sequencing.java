package io.millrace.server;

import io.millrace.EngineBuilder;
import io.millrace.lifecycle.EngineRuntime;
import io.millrace.lifecycle.Runner;
import io.millrace.rabbitmq.RabbitTransport;
import io.millrace.sequence.ChannelTransport;
import io.millrace.sequence.Sequences;
import io.millrace.server.api.SequenceFiles;
import io.millrace.server.api.Surroundings.Fault;
import io.millrace.server.config.ServerConfig;
import io.millrace.server.plugin.JarState;
import io.millrace.server.plugin.PluginProblem;
import io.millrace.server.plugin.Plugins;
import io.millrace.server.plugin.TaskJars;
import io.millrace.server.report.ReportCleaner;
import io.millrace.server.report.Reports;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the engine needs for task sequences: channels, classes of tasks, and reports. */
final class Sequencing implements AutoCloseable {

  private final ServerConfig config;
  private final TaskJars jars;
  private final Reports reports;
  private final @Nullable ChannelTransport channels;
  private final Runner runner;
  private volatile @Nullable ReportCleaner cleaner;
  private volatile SequenceFiles.Registered files = SequenceFiles.Registered.NOTHING;

  private Sequencing(
      ServerConfig config,
      TaskJars jars,
      Reports reports,
      @Nullable ChannelTransport channels,
      Runner runner) {
    this.config = config;
    this.runner = runner;
    this.jars = jars;
    this.reports = reports;
    this.channels = channels;
  }

  /** A broker that is away is waited for in the background. */
  static Sequencing open(
      ServerConfig config, DataSource pool, EngineRuntime runtime, TaskJars jars) {
    Reports reports = Reports.open(config, pool);
    var rabbit = config.work().rabbit();
    return new Sequencing(
        config,
        jars,
        reports,
        rabbit == null ? null : RabbitTransport.open(rabbit, runtime),
        runtime.runner());
  }

  /** Sequences are always on, since people may add them while the server runs. */
  void addTo(EngineBuilder builder) {
    builder.sequences(config.work().sequences()).components(jars);
    reports.addTo(builder);
    if (channels != null) {
      builder.channels(channels);
    }
  }

  /**
   * Registers the tasks of reports, and what the configuration has of sequences; on a node that
   * runs none, nothing of these. From now on, what belongs to executions that are gone is deleted.
   */
  void register(Sequences sequences) {
    reports.register(sequences.tasks());
    cleaner = reports.cleaner(runner);
    if (config.engine().autostart()) {
      files = SequenceFiles.register(config.work().sequenceFiles(), sequences);
    }
  }

  /** The jars of workflows and tasks, as they are now. */
  List<JarState> jars(Plugins plugins) {
    return JarState.of(plugins, jars);
  }

  /** What is wrong now with jars, files, and reports. */
  List<Fault> faults(Plugins plugins) {
    List<Fault> faults = new ArrayList<>(files.faults());
    for (JarState jar : jars(plugins)) {
      for (PluginProblem problem : jar.problems()) {
        faults.add(Fault.ofJar(jar.name(), problem.detail()));
      }
    }
    for (String detail : reports.problems()) {
      faults.add(new Fault("report", "Part of the reports cannot be used", detail));
    }
    return faults;
  }

  /** The name of the file from which a workflow was registered at this start; null for none. */
  @Nullable String origin(String workflowId) {
    return files.origins().get(workflowId);
  }

  Reports reports() {
    return reports;
  }

  /** To be called after the engine has stopped. */
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
