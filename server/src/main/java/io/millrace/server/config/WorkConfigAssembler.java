package io.millrace.server.config;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.BoundedThreadPool;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.report.ReportSettings;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceSettings.SchedulerCrons;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An assembler of {@link WorkConfig}. */
final class WorkConfigAssembler {

  private final ConfigValues values;
  private final List<String> problems;

  WorkConfigAssembler(ConfigValues values, List<String> problems) {
    this.values = values;
    this.problems = problems;
  }

  /** Returns the configuration; null if it is invalid, in which case the problems say why. */
  @Nullable WorkConfig build() {
    Path home = Path.of(values.get(ConfigKeys.HOME));
    BoundedThreadPool.Size pool = pool();
    RabbitSettings rabbit = rabbit();
    if (pool == null) {
      return null;
    }
    SequenceSettings sequences =
        SequenceSettings.defaults()
            .maxTaskRetries(values.get(ConfigKeys.RETRIES))
            .chunks(pool)
            .crons(
                new SchedulerCrons(
                    values.find(ConfigKeys.START_CRON),
                    values.find(ConfigKeys.RETRY_CRON),
                    values.find(ConfigKeys.AUTO_CORRECTION_CRON)));
    return new WorkConfig(
        home,
        below(home, ConfigKeys.WORKFLOWS),
        below(home, ConfigKeys.SEQUENCES),
        sequences,
        rabbit,
        new RedisConfigAssembler(values, problems).build(),
        reports(home));
  }

  private Path below(Path home, ConfigKey<String> key) {
    return home.resolve(values.get(key)).normalize();
  }

  private BoundedThreadPool.@Nullable Size pool() {
    int core = values.get(ConfigKeys.CORE_POOL);
    int maximum = values.get(ConfigKeys.MAXIMUM_POOL);
    if (maximum < core) {
      problems.add(
          ConfigKeys.CORE_POOL.path()
              + " = "
              + core
              + ", "
              + ConfigKeys.MAXIMUM_POOL.path()
              + " = "
              + maximum
              + ": expected a maximum that is not below the core.");
      return null;
    }
    return new BoundedThreadPool.Size(
        core,
        maximum,
        Duration.ofMinutes(values.get(ConfigKeys.KEEP_ALIVE)),
        values.get(ConfigKeys.POOL_QUEUE));
  }

  private @Nullable RabbitSettings rabbit() {
    String uri = values.find(ConfigKeys.RABBIT_URI);
    if (uri == null || uri.isBlank()) {
      return null;
    }
    try {
      return RabbitSettings.of(uri)
          .exchange(values.get(ConfigKeys.RABBIT_EXCHANGE))
          .confirmLimit(values.get(ConfigKeys.RABBIT_CONFIRM))
          .prefetch(values.get(ConfigKeys.RABBIT_PREFETCH))
          .deliveryLimit(values.get(ConfigKeys.RABBIT_DELIVERIES));
    } catch (InvalidRequestException e) {
      problems.add(ConfigKeys.RABBIT_URI.path() + " and the keys beside it: " + e.getMessage());
      return null;
    }
  }

  private WorkConfig.Reports reports(Path home) {
    Map<String, Object> section = new TreeMap<>();
    for (ConfigKey<?> key :
        List.of(
            ConfigKeys.REPORT_OUTPUT,
            ConfigKeys.RETRIES,
            ConfigKeys.CHART_VENDOR,
            ConfigKeys.FUSION_URL)) {
      Object value = values.find(key);
      if (value != null) {
        section.put(key.path().substring(key.path().indexOf('.') + 1), value);
      }
    }
    return new WorkConfig.Reports(
        below(home, ConfigKeys.REPORT_FOLDER),
        values.get(ConfigKeys.REPORT_ZONE),
        ReportSettings.of(section),
        git());
  }

  private WorkConfig.@Nullable Git git() {
    String repository = values.find(ConfigKeys.REPORT_REPOSITORY);
    String title = values.find(ConfigKeys.REPORT_TITLE);
    if (repository == null) {
      if (title != null) {
        problems.add(
            ConfigKeys.REPORT_REPOSITORY.path()
                + ": missing, because "
                + ConfigKeys.REPORT_TITLE.path()
                + " is set; expected the folder of a git repository.");
      }
      return null;
    }
    Path folder = Path.of(repository);
    Path name = folder.toAbsolutePath().normalize().getFileName();
    return new WorkConfig.Git(folder, title == null ? String.valueOf(name) : title);
  }
}
