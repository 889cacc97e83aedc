package io.millrace.server.config;

import io.millrace.instance.InvalidRequestException;
import io.millrace.lifecycle.BoundedPool;
import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.report.ReportSettings;
import io.millrace.sequence.SequenceSettings;
import io.millrace.sequence.SequenceSettings.Crons;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes {@link Work} of the values. */
final class WorkAssembly {

  private final Values values;
  private final List<String> problems;

  WorkAssembly(Values values, List<String> problems) {
    this.values = values;
    this.problems = problems;
  }

  /** Null if it could not be made, which is among the problems then. */
  @Nullable Work build() {
    Path home = Path.of(values.get(Keys.HOME));
    BoundedPool.Size pool = pool();
    RabbitSettings rabbit = rabbit();
    if (pool == null) {
      return null;
    }
    SequenceSettings sequences =
        SequenceSettings.defaults()
            .maxWorkflowRetries(values.get(Keys.RETRIES))
            .chunks(pool)
            .crons(
                new Crons(
                    values.find(Keys.EXECUTOR_CRON),
                    values.find(Keys.RETRY_CRON),
                    values.find(Keys.CORRECTION_CRON)));
    return new Work(
        home,
        below(home, Keys.WORKFLOWS),
        below(home, Keys.SEQUENCES),
        sequences,
        rabbit,
        new RedisAssembly(values, problems).build(),
        reports(home));
  }

  private Path below(Path home, Key<String> key) {
    return home.resolve(values.get(key)).normalize();
  }

  private BoundedPool.@Nullable Size pool() {
    int core = values.get(Keys.CORE_POOL);
    int maximum = values.get(Keys.MAXIMUM_POOL);
    if (maximum < core) {
      problems.add(
          Keys.CORE_POOL.path()
              + " = "
              + core
              + ", "
              + Keys.MAXIMUM_POOL.path()
              + " = "
              + maximum
              + ": expected a maximum that is not below the core.");
      return null;
    }
    return new BoundedPool.Size(
        core,
        maximum,
        Duration.ofMinutes(values.get(Keys.KEEP_ALIVE)),
        values.get(Keys.POOL_QUEUE));
  }

  private @Nullable RabbitSettings rabbit() {
    String uri = values.find(Keys.RABBIT_URI);
    if (uri == null || uri.isBlank()) {
      return null;
    }
    try {
      return RabbitSettings.of(uri)
          .exchange(values.get(Keys.RABBIT_EXCHANGE))
          .confirmLimit(values.get(Keys.RABBIT_CONFIRM))
          .prefetch(values.get(Keys.RABBIT_PREFETCH))
          .deliveryLimit(values.get(Keys.RABBIT_DELIVERIES));
    } catch (InvalidRequestException e) {
      problems.add(Keys.RABBIT_URI.path() + " and the keys beside it: " + e.getMessage());
      return null;
    }
  }

  private Work.Reports reports(Path home) {
    Map<String, Object> section = new TreeMap<>();
    for (Key<?> key :
        List.of(Keys.REPORT_OUTPUT, Keys.RETRIES, Keys.CHART_VENDOR, Keys.FUSION_URL)) {
      Object value = values.find(key);
      if (value != null) {
        section.put(key.path().substring(key.path().indexOf('.') + 1), value);
      }
    }
    return new Work.Reports(
        below(home, Keys.REPORT_FOLDER),
        values.get(Keys.REPORT_ZONE),
        ReportSettings.of(section),
        git());
  }

  private Work.@Nullable Git git() {
    String repository = values.find(Keys.REPORT_REPOSITORY);
    String title = values.find(Keys.REPORT_TITLE);
    if (repository == null) {
      if (title != null) {
        problems.add(
            Keys.REPORT_REPOSITORY.path()
                + ": missing, because "
                + Keys.REPORT_TITLE.path()
                + " is set; expected the folder of a git repository.");
      }
      return null;
    }
    Path folder = Path.of(repository);
    Path name = folder.toAbsolutePath().normalize().getFileName();
    return new Work.Git(folder, title == null ? String.valueOf(name) : title);
  }
}
