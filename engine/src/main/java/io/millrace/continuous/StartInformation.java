package io.millrace.continuous;

import io.millrace.store.StoredContinuousWorkflow;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The start of the run to which an execution belongs. Passed to the execution as JSON and as XML,
 * with the same names in the same order.
 *
 * @param mode how it was started
 * @param reason why, such as {@code FAILOVER} or {@code HOURLY}
 * @param started when the run started
 */
public record StartInformation(
    ContinuousStartMode mode, String reason, RunIds ids, Place place, Instant started) {

  /** Name of the property with the XML. */
  public static final String PROPERTY = "InitilisationXml";

  /** Alias of the property with the standard spelling. */
  public static final String ALIAS = "InitializationXml";

  /** Upper limit of the bytes of a reason, which has 100 characters, and of the mode in XML. */
  private static final int MAX_REASON = 600;

  /**
   * The names of a run.
   *
   * @param seriesId the workflow and how often it was enabled; {@code ChainId} in JSON and XML,
   *     whose names are given from outside
   * @param runId the series and the generation
   * @param previousRunId empty for the first of a series
   * @param generation counts the runs of a series, from 1; 0 if there is no run
   */
  public record RunIds(String seriesId, String runId, String previousRunId, long generation) {
    static RunIds of(String name, long series, long generation) {
      String seriesId = name + "/" + series;
      return new RunIds(
          seriesId,
          seriesId + "/" + generation,
          generation > 1 ? seriesId + "/" + (generation - 1) : "",
          generation);
    }
  }

  /**
   * The place of a run.
   *
   * @param node the executor
   * @param epoch counts the owners of the workflow
   * @param environment the executor group
   */
  public record Place(String node, long epoch, String environment) {}

  /** Returns the start information of a stored run. */
  static StartInformation of(
      StoredContinuousWorkflow row, ContinuousStartMode mode, String reason, Instant now) {
    StoredContinuousWorkflow.Run run = row.run();
    Long executor = row.ownership().executorId();
    return new StartInformation(
        mode,
        reason,
        RunIds.of(row.name(), run == null ? 0 : run.series(), run == null ? 0 : run.generation()),
        new Place(
            executor == null ? "" : executor.toString(),
            row.ownership().epoch(),
            row.identity().executorGroup()),
        run == null ? now : run.started());
  }

  /** Returns start information that is at least as long as that of any run of a workflow. */
  static StartInformation longest(String name, String executorGroup) {
    return new StartInformation(
        ContinuousStartMode.API_INVOKE,
        "x".repeat(MAX_REASON),
        RunIds.of(name, Long.MAX_VALUE, Long.MAX_VALUE),
        new Place(Long.toString(Long.MAX_VALUE), Long.MAX_VALUE, executorGroup),
        Instant.MAX);
  }

  /** Returns the start information of an execution started by a client. */
  static StartInformation invoked(String type, long instanceId, Instant now) {
    return new StartInformation(
        ContinuousStartMode.API_INVOKE,
        "API",
        new RunIds("", type + "/" + instanceId, "", 0),
        new Place("", 0, ""),
        now);
  }

  /** Returns the values by the names of elements, in their order. */
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("Mode", mode.code());
    fields.put("Reason", reason);
    fields.put("ChainId", ids.seriesId);
    fields.put("RunId", ids.runId);
    fields.put("PreviousRunId", ids.previousRunId);
    fields.put("Generation", ids.generation);
    fields.put("Node", place.node);
    fields.put("Epoch", place.epoch);
    fields.put("Environment", place.environment);
    fields.put("StartedAtUtc", started.toString());
    return fields;
  }

  /** Returns an element {@code Initialisation} with an element for each field. */
  public String xml() {
    StringBuilder xml = new StringBuilder("<Initialisation>");
    fields()
        .forEach((name, value) ->
            xml.append('<')
                .append(name)
                .append('>')
                .append(escaped(value.toString()))
                .append("</")
                .append(name)
                .append('>'));
    return xml.append("</Initialisation>").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Returns start information from the fields of its JSON. */
  static StartInformation of(Map<?, ?> fields) {
    return new StartInformation(
        ContinuousStartMode.of(text(fields.get("Mode"))),
        text(fields.get("Reason")),
        new RunIds(
            text(fields.get("ChainId")),
            text(fields.get("RunId")),
            text(fields.get("PreviousRunId")),
            number(fields.get("Generation"))),
        new Place(
            text(fields.get("Node")), number(fields.get("Epoch")), text(fields.get("Environment"))),
        Instant.parse(text(fields.get("StartedAtUtc"))));
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
