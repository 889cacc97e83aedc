package io.millrace.server.api;

import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the server knows beside its engine. Thread-safe.
 *
 * @param settings schema Settings, to be written as JSON
 * @param metrics the text that Prometheus reads; null from the supplier when there are none
 * @param problems of jars with workflows
 */
public record Surroundings(
    Supplier<Object> settings,
    Supplier<@Nullable String> metrics,
    Supplier<List<PluginProblem>> problems) {

  /** A jar that could not be used. */
  public record PluginProblem(String jar, String problem) {}
}
