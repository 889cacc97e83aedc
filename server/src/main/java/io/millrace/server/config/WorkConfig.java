package io.millrace.server.config;

import io.millrace.rabbitmq.RabbitSettings;
import io.millrace.redis.connect.RedisSettings;
import io.millrace.report.ReportSettings;
import io.millrace.sequence.SequenceSettings;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The work of the server, and the files and services that it needs.
 *
 * @param home folder with the templates of reports
 * @param jars folder of the jars with workflows and tasks
 * @param sequenceFiles folder of types, tasks and sequences to register; need not exist
 * @param rabbit null to keep messages between tasks in the process and the database
 * @param redis null for no Redis flows
 */
public record WorkConfig(
    Path home,
    Path jars,
    Path sequenceFiles,
    SequenceSettings sequences,
    @Nullable RabbitSettings rabbit,
    @Nullable RedisSettings redis,
    Reports reports) {

  /**
   * The configuration of reports.
   *
   * @param folder folder of KPIs, reports and sources; need not exist
   * @param git null for no built-in report
   */
  public record Reports(Path folder, ZoneId zone, ReportSettings settings, @Nullable Git git) {}

  /** The repository of the built-in report. */
  public record Git(Path repository, String title) {}
}
