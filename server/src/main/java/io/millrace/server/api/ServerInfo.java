package io.millrace.server.api;

import io.millrace.server.notice.MaintenanceService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server knows beside its engine. Thread-safe.
 *
 * @param settings schema Settings, to be written as JSON
 * @param metrics the text that Prometheus reads; null from the supplier when there are none
 * @param problems of what the server was given: jars, definitions of reports, files of sequences,
 *     and a Redis with its queues
 * @param alerts that are on
 * @param drainGrace how long handlers may go on when an executor drains
 * @param origins the file from which this node registers a task sequence, by its id, at each start;
 *     null for none
 * @param notices planned maintenance
 */
public record ServerInfo(
    Supplier<Object> settings,
    Supplier<@Nullable String> metrics,
    Supplier<List<Fault>> problems,
    Supplier<List<FiringAlert>> alerts,
    Duration drainGrace,
    Function<String, @Nullable String> origins,
    MaintenanceService notices) {

  /**
   * Something that could not be used.
   *
   * @param kind and severity: as the contract names them
   * @param detail what is wrong, and what to do
   * @param since null when that is not known
   * @param count null where nothing is counted
   */
  public record Fault(
      String kind,
      String severity,
      String title,
      String detail,
      @Nullable Instant since,
      @Nullable Long count) {

    /** An error. */
    public Fault(String kind, String title, String detail) {
      this(kind, "error", title, detail, null, null);
    }

    public static Fault ofJar(String jar, String detail) {
      return new Fault("plugin", "Jar " + jar + " was not loaded", detail);
    }
  }

  /**
   * A rule that finds something.
   *
   * @param instanceId the workflow instance that tells people
   */
  public record FiringAlert(String rule, String detail, Instant since, long instanceId) {}
}
