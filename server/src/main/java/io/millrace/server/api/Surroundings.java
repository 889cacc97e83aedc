package io.millrace.server.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server knows beside its engine. Thread-safe.
 *
 * @param settings schema Settings, to be written as JSON
 * @param metrics the text that Prometheus reads; null from the supplier when there are none
 * @param problems of jars with workflows
 * @param alerts that are on
 * @param drainGrace how long handlers may go on when an executor drains
 */
public record Surroundings(
    Supplier<Object> settings,
    Supplier<@Nullable String> metrics,
    Supplier<List<PluginProblem>> problems,
    Supplier<List<FiringAlert>> alerts,
    Duration drainGrace) {

  /** A jar that could not be used. */
  public record PluginProblem(String jar, String problem) {}

  /**
   * A rule that finds something.
   *
   * @param instanceId the workflow instance that tells people
   */
  public record FiringAlert(String rule, String detail, Instant since, long instanceId) {}
}
