package io.millrace.server.api;

import io.millrace.definition.DefinitionDocument;
import io.millrace.definition.DefinitionDocument.StateEntry;
import io.millrace.definition.InputField;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.StateCount;
import io.millrace.instance.StateTiming;
import io.millrace.instance.TypeCount;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.InstancePermissions;
import io.millrace.server.security.SealedValues;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The workflow definitions that executors have registered. */
final class DefinitionResource {

  static final Param<Integer> VERSION = Param.number("version", 1, Integer.MAX_VALUE);

  /**
   * Number of instances from which the run times of handlers and their transitions are computed.
   */
  private static final int SAMPLE = 200;

  /**
   * Time for which a response is shared; many clients read it at once, and counting many instances
   * is slow.
   */
  private static final Duration AGE = Duration.ofSeconds(3);

  private final ApiContext context;
  private final ExecutorResource executorResource;
  private final CachedSupplier<Map<String, List<TypeCount>>> open;
  private final Map<String, CachedSupplier<Figures>> figures = new ConcurrentHashMap<>();

  DefinitionResource(ApiContext context, ExecutorResource executorResource) {
    this.context = context;
    this.executorResource = executorResource;
    this.open =
        new CachedSupplier<>(
            context.clock(),
            AGE,
            () -> context.admin().open().stream().collect(Collectors.groupingBy(TypeCount::type)));
  }

  /** Schema DefinitionSummary. */
  record SummaryView(
      String type,
      int version,
      List<Integer> versions,
      @Nullable String description,
      Map<String, Long> counts,
      boolean runnable,
      boolean startable) {}

  /** Schema Definition. */
  record DefinitionView(
      String type,
      int version,
      List<Integer> versions,
      @Nullable String description,
      Map<String, Long> counts,
      boolean runnable,
      boolean startable,
      List<StateView> states,
      List<TransitionView> transitions,
      List<ObservedTransitionView> seen,
      List<String> secrets,
      @Nullable List<InputField> input,
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

  /** The run times of handlers. */
  record TimingView(long count, long failed, double p50Ms, double p95Ms, double maxMs) {

    static TimingView of(StateTiming timing) {
      return new TimingView(
          timing.count(),
          timing.failed(),
          timing.p50().toNanos() / 1e6,
          timing.p95().toNanos() / 1e6,
          timing.max().toNanos() / 1e6);
    }
  }

  /** An edge of the definition's graph. */
  record TransitionView(String from, String to) {}

  /** An edge that instances have taken. */
  record ObservedTransitionView(String from, String to, long count) {}

  /** The numbers that are read for one type. */
  private record Figures(
      List<StateCount> counts, List<StateTiming> timings, @Nullable String inputExample) {}

  ApiResponse list(ApiRequest request) {
    KnownTypes knownTypes = knownTypes();
    return ApiResponse.json(byType().values().stream().map(v -> summary(v, knownTypes)).toList());
  }

  ApiResponse get(ApiRequest request) {
    String type = request.path("type", InstanceFilterReader.NAME);
    List<DefinitionDocument> versions = byType().getOrDefault(type, List.of());
    Integer wanted = request.find(VERSION);
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
    SummaryView summary = summary(versions, knownTypes());
    return ApiResponse.json(view(chosen, summary, wanted, InstanceAccess.reads(request, type)));
  }

  private DefinitionView view(
      DefinitionDocument definition,
      SummaryView summary,
      @Nullable Integer version,
      boolean readable) {
    String type = definition.type();
    Figures typeFigures =
        figures
            .computeIfAbsent(
                type, t -> new CachedSupplier<>(context.clock(), AGE, () -> figures(t)))
            .get();
    return new DefinitionView(
        type,
        definition.version(),
        summary.versions(),
        definition.description(),
        summary.counts(),
        summary.runnable(),
        summary.startable(),
        states(definition, typeFigures, version),
        definition.transitions().stream()
            .map(t -> new TransitionView(t.from(), t.to()))
            .distinct()
            .toList(),
        typeFigures.timings().stream().flatMap(DefinitionResource::seen).toList(),
        definition.secrecy().variables(),
        definition.input(),
        readable ? typeFigures.inputExample() : null);
  }

  private Figures figures(String type) {
    return new Figures(
        context.admin().states(type), context.admin().timings(type, SAMPLE), inputExample(type));
  }

  private static Stream<ObservedTransitionView> seen(StateTiming timing) {
    return timing.moves().entrySet().stream()
        .map(move -> new ObservedTransitionView(timing.state(), move.getKey(), move.getValue()));
  }

  private static List<StateView> states(
      DefinitionDocument definition, Figures figures, @Nullable Integer version) {
    Map<String, Map<String, Long>> counts = new HashMap<>();
    for (StateCount count : figures.counts()) {
      if (version == null || version == count.version()) {
        counts
            .computeIfAbsent(count.state(), s -> new TreeMap<>())
            .merge(count.status().code(), count.count(), Long::sum);
      }
    }
    Map<String, StateTiming> timings =
        figures.timings().stream().collect(Collectors.toMap(StateTiming::state, t -> t));
    return definition.states().stream().map(s -> state(s, counts, timings)).toList();
  }

  private @Nullable String inputExample(String type) {
    return context.client().search(InstanceQuery.all().type(type).limit(1)).items().stream()
        .findFirst()
        .flatMap(instance -> context.store().queries().input(instance.id()))
        .filter(input -> !SealedValues.isSecret(input))
        .map(InputExample::blank)
        .orElse(null);
  }

  private static StateView state(
      StateEntry state, Map<String, Map<String, Long>> counts, Map<String, StateTiming> timings) {
    StateTiming timing = timings.get(state.name());
    return new StateView(
        state.name(),
        state.type(),
        state.maxAttempts(),
        state.firstRetryDelay(),
        state.timeout(),
        state.signal(),
        state.signalTimeout(),
        counts.getOrDefault(state.name(), Map.of()),
        timing == null ? null : TimingView.of(timing));
  }

  /** Returns all definitions by type, newest version first. */
  private Map<String, List<DefinitionDocument>> byType() {
    return context.client().definitions().stream()
        .sorted(Comparator.comparingInt(DefinitionDocument::version).reversed())
        .collect(
            Collectors.groupingBy(DefinitionDocument::type, TreeMap::new, Collectors.toList()));
  }

  /** The counts of all types, and the types that live executors can run. */
  private record KnownTypes(Map<String, List<TypeCount>> counts, Set<String> runnable) {}

  private KnownTypes knownTypes() {
    return new KnownTypes(
        open.get(),
        executorResource.all().stream()
            .filter(ExecutorResource.ExecutorView::isLive)
            .flatMap(executor -> executor.types().stream())
            .collect(Collectors.toSet()));
  }

  private SummaryView summary(List<DefinitionDocument> versions, KnownTypes knownTypes) {
    DefinitionDocument newest = versions.getFirst();
    return new SummaryView(
        newest.type(),
        newest.version(),
        versions.stream().map(DefinitionDocument::version).toList(),
        newest.description(),
        OverviewResource.counts(knownTypes.counts().getOrDefault(newest.type(), List.of())),
        knownTypes.runnable().contains(newest.type()),
        isStartable(newest.type()));
  }

  /** False for types that other operations start. */
  private boolean isStartable(String type) {
    return !InstancePermissions.isServerType(type) && !context.engine().sequences().hasType(type);
  }
}
