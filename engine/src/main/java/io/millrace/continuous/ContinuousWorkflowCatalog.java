package io.millrace.continuous;

import io.millrace.codec.Codec;
import io.millrace.codec.CodecException;
import io.millrace.instance.InvalidRequestException;
import io.millrace.store.ContinuousStore.Registration;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The continuous workflows that this engine can run. Immutable. */
final class ContinuousWorkflowCatalog {

  private static final Logger LOG = LoggerFactory.getLogger(ContinuousWorkflowCatalog.class);

  /** Key of the minimum age of a run in the settings of a row. */
  private static final String MIN_AGE = "continuationAge";

  /** Key of the minimum age, or "off", in the settings of a row. */
  private static final String CONTINUATION = "continuation";

  private final Map<String, ContinuousWorkflow> byName = new LinkedHashMap<>();
  private final Set<String> types = new LinkedHashSet<>();
  private final ContinuousSettings settings;

  ContinuousWorkflowCatalog(Collection<ContinuousWorkflow> workflows, ContinuousSettings settings) {
    this.settings = settings;
    for (ContinuousWorkflow workflow : workflows) {
      types.add(workflow.events().type());
      byName.put(workflow.name(), workflow);
    }
  }

  /**
   * Rejects workflows with the same name.
   *
   * @throws InvalidRequestException if there are any
   */
  static void check(Collection<ContinuousWorkflow> workflows) {
    Set<String> names = new HashSet<>();
    for (ContinuousWorkflow workflow : workflows) {
      if (!names.add(workflow.name())) {
        throw new InvalidRequestException(
            "Two continuous workflows are called '"
                + workflow.name()
                + "'; expected each name once. Rename one of them.");
      }
    }
  }

  /** Returns the maximum number of offered events that wait for one workflow. */
  int maxOfferedEvents() {
    return settings.maxOfferedEvents();
  }

  @Nullable ContinuousWorkflow find(String name) {
    return byName.get(name);
  }

  boolean knows(String name) {
    return byName.containsKey(name);
  }

  boolean hasType(String type) {
    return types.contains(type);
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  ContinuationPolicy continuation(String name) {
    ContinuousWorkflow workflow = byName.get(name);
    ContinuationPolicy own = workflow == null ? null : workflow.continuation();
    return own == null ? settings.continuation() : own;
  }

  /**
   * Returns the age that a run must have to be continued, by the settings of its row. The calling
   * engine may lack the code of the workflow.
   */
  Duration leastAge(StoredContinuousWorkflow row, Codec codec) {
    try {
      Object read = codec.decode(row.identity().settings(), Object.class);
      if (read instanceof Map<?, ?> settings) {
        Object age = settings.get(MIN_AGE);
        return Duration.parse(String.valueOf(age == null ? settings.get(CONTINUATION) : age));
      }
    } catch (CodecException | DateTimeException e) {
      LOG.debug("The settings of continuous workflow '{}' tell no age of a run", row.name(), e);
    }
    // A row that an earlier version wrote has no age when continuation is off.
    return continuation(row.name()).minAge();
  }

  /** Returns the shortest time between two checks of all workflows; null if none is checked. */
  @Nullable Duration checkEvery() {
    return byName.keySet().stream()
        .map(this::continuation)
        .filter(ContinuationPolicy::enabled)
        .map(ContinuationPolicy::checkEvery)
        .min(Duration::compareTo)
        .orElse(null);
  }

  List<Registration> registrations(String executorGroup, Codec codec) {
    return byName.values().stream()
        .map(workflow ->
            new Registration(
                new StoredContinuousWorkflow.Identity(
                    workflow.name(),
                    executorGroup,
                    workflow.events().type(),
                    codec.encode(about(workflow))),
                workflow.initiallyEnabled()))
        .toList();
  }

  private Map<String, Object> about(ContinuousWorkflow workflow) {
    ContinuationPolicy continuationPolicy = continuation(workflow.name());
    return Map.of(
        "trigger",
        workflow.trigger().describe(),
        CONTINUATION,
        continuationPolicy.enabled() ? continuationPolicy.minAge().toString() : "off",
        MIN_AGE,
        continuationPolicy.minAge().toString(),
        "restart",
        workflow.restart().pauses().firstDelay() + " to " + workflow.restart().pauses().maxDelay());
  }
}
