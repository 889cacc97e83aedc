package io.millrace.server.api;

import io.millrace.server.notice.MaintenanceService;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The information about the server that does not come from the engine. Thread-safe.
 *
 * @param settings supplies the schema Settings, written as JSON
 * @param metrics supplies the text for Prometheus; null from the supplier if there are none
 * @param problems supplies the problems with jars, report definitions, sequence files, and Redis
 *     with its queues
 * @param alerts supplies the active alerts
 * @param drainGrace how long handlers may run when an executor drains
 * @param origins returns the name of the file from which this node registers a task sequence at
 *     each start, by the sequence's id; null for none
 * @param notices the planned maintenance
 */
public record ServerInfo(
    Supplier<Object> settings,
    Supplier<@Nullable String> metrics,
    Supplier<List<Fault>> problems,
    Supplier<List<AlertView>> alerts,
    Duration drainGrace,
    Function<String, @Nullable String> origins,
    MaintenanceService notices) {

  /**
   * A problem with something that the server was given, such as a jar or a file.
   *
   * @param kind the kind, as in the contract
   * @param severity the severity, as in the contract
   * @param detail what is wrong, and what to do
   * @param since null if it is not known
   * @param count null where nothing is counted
   */
  public record Fault(
      String kind,
      String severity,
      String title,
      String detail,
      @Nullable Instant since,
      @Nullable Long count) {

    /** Creates a fault of severity error. */
    public Fault(String kind, String title, String detail) {
      this(kind, "error", title, detail, null, null);
    }

    public static Fault ofJar(String jar, String detail) {
      return new Fault("plugin", "Jar " + jar + " was not loaded", detail);
    }
  }

  /**
   * A rule that has found something.
   *
   * @param instanceId the workflow instance that sends the notifications
   */
  public record AlertView(String rule, String detail, Instant since, long instanceId) {}
}
