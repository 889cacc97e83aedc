package io.millrace.server.api;

import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.DefinitionDocument.StateEntry;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What may run. */
final class Definitions {

  static final Param<Integer> VERSION = Param.number("version", 1, Integer.MAX_VALUE);

  private final Sources sources;

  Definitions(Sources sources) {
    this.sources = sources;
  }

  /** Schema DefinitionSummary. */
  record SummaryView(
      String type,
      int version,
      List<Integer> versions,
      @Nullable String description,
      Map<String, Long> counts,
      boolean runnable) {}

  /** Schema Definition. */
  record DefinitionView(
      String type,
      int version,
      List<Integer> versions,
      @Nullable String description,
      Map<String, Long> counts,
      boolean runnable,
      List<StateView> states,
      List<TransitionView> transitions,
      List<String> secrets,
      @Nullable String inputExample) {}

  /** Schema DefinitionState. */
  record StateView(
      String name,
      String type,
      int maxAttempts,
      long firstRetryDelayMs,
      @Nullable Long timeoutMs,
      @Nullable String signal,
      @Nullable Long signalTimeoutMs,
      Map<String, Long> counts,
      @Nullable TimingView timing) {}

  /** Times of handlers. */
  record TimingView(long count, long failed, double p50Ms, double p95Ms, double maxMs) {}

  /** An edge of the graph. */
  record TransitionView(String from, String to) {}

  Answer list(Call call) {
    return Answer.json(byType().values().stream().map(Definitions::summary).toList());
  }

  Answer get(Call call) {
    String type = call.path("type", Filters.NAME);
    List<DefinitionDocument> versions = byType().getOrDefault(type, List.of());
    Integer wanted = call.find(VERSION);
    DefinitionDocument chosen =
        versions.stream()
            .filter(d -> wanted == null || d.version() == wanted)
            .findFirst()
            .orElseThrow(() ->
                ProblemException.notFound(
                    "No executor has registered workflow '"
                        + type
                        + "'"
                        + (wanted == null ? "" : " version " + wanted)
                        + "."));
    return Answer.json(view(chosen, summary(versions)));
  }

  private static DefinitionView view(DefinitionDocument definition, SummaryView summary) {
    return new DefinitionView(
        definition.type(),
        definition.version(),
        summary.versions(),
        definition.description(),
        summary.counts(),
        summary.runnable(),
        definition.states().stream().map(Definitions::state).toList(),
        definition.transitions().stream().map(t -> new TransitionView(t.from(), t.to())).toList(),
        List.of(),
        null);
  }

  private static StateView state(StateEntry state) {
    return new StateView(
        state.name(),
        state.type(),
        state.maxAttempts(),
        state.firstRetryDelay(),
        state.timeout(),
        state.signal(),
        state.signalTimeout(),
        Map.of(),
        null);
  }

  /** All definitions by type, newest version first. */
  private Map<String, List<DefinitionDocument>> byType() {
    return sources.client().definitions().stream()
        .sorted(Comparator.comparingInt(DefinitionDocument::version).reversed())
        .collect(
            Collectors.groupingBy(DefinitionDocument::type, TreeMap::new, Collectors.toList()));
  }

  private static SummaryView summary(List<DefinitionDocument> versions) {
    DefinitionDocument newest = versions.getFirst();
    return new SummaryView(
        newest.type(),
        newest.version(),
        versions.stream().map(DefinitionDocument::version).toList(),
        newest.description(),
        Map.of(),
        true);
  }
}
