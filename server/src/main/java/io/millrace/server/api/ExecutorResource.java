package io.millrace.server.api;

import io.millrace.Admin.LeasedInstanceSummary;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.ExecutorState;
import io.millrace.instance.InstanceQuery;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.JsonFields;
import io.millrace.server.http.Param;
import io.millrace.store.DefinitionStore.StoredDefinition;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The executors of the cluster. */
final class ExecutorResource {

  static final Param<Integer> LIMIT = Param.number("limit", 1, 1000, 50);

  private static final Duration AGE = Duration.ofSeconds(1);
  private static final long MAX_GRACE = Duration.ofDays(1).toSeconds();
  private static final Set<String> LIVE = Set.of("alive", "late", "cordoned", "draining");

  private final ApiContext context;
  private final CachedSupplier<List<ExecutorView>> all;

  ExecutorResource(ApiContext context) {
    this.context = context;
    this.all = new CachedSupplier<>(context.clock(), AGE, this::load);
  }

  /** Schema Executor. */
  record ExecutorView(
      long id,
      String host,
      long pid,
      String group,
      String status,
      Instant started,
      Instant heartbeat,
      Instant expires,
      @Nullable Instant stopped,
      int runningHandlers,
      int concurrency,
      int held,
      @Nullable String version,
      List<String> types,
      @Nullable Instant drainRequested,
      @Nullable Instant drainDeadline,
      @Nullable String drainBy,
      boolean self,
      String node,
      @Nullable Integer heapPercent,
      @Nullable Instant ready,
      boolean warm,
      @Nullable Long setupMs) {

    boolean isLive() {
      return LIVE.contains(status);
    }
  }

  ApiResponse list(ApiRequest apiRequest) {
    return ApiResponse.json(all());
  }

  ApiResponse drain(ApiRequest apiRequest) throws IOException {
    JsonFields body = apiRequest.body("graceSeconds", "reason");
    Long grace = body.optionalNumber("graceSeconds", 0, MAX_GRACE);
    DrainRequest request =
        grace == null
            ? DrainRequest.withDefaultGrace()
            : DrainRequest.within(Duration.ofSeconds(grace));
    context
        .engine()
        .admin()
        .drain(apiRequest.id(), request, InstanceActionResource.actionOf(apiRequest, body));
    return changed();
  }

  ApiResponse cordon(ApiRequest apiRequest) throws IOException {
    context
        .engine()
        .admin()
        .cordon(
            apiRequest.id(),
            InstanceActionResource.actionOf(apiRequest, apiRequest.body("reason")));
    return changed();
  }

  ApiResponse uncordon(ApiRequest apiRequest) throws IOException {
    context
        .engine()
        .admin()
        .uncordon(
            apiRequest.id(),
            InstanceActionResource.actionOf(apiRequest, apiRequest.body("reason")));
    return changed();
  }

  private ApiResponse changed() {
    all.invalidate();
    context.feed().executorsChanged();
    return ApiResponse.empty();
  }

  /**
   * Returns the instances that the drain of an executor waits for, as far as the caller may read
   * them.
   */
  ApiResponse leasedInstances(ApiRequest apiRequest) {
    InstanceQuery query =
        InstanceQuery.all().executor(apiRequest.id()).limit(apiRequest.get(LIMIT));
    return ApiResponse.json(
        context.client().search(InstanceAccess.readable(apiRequest, query)).items().stream()
            .map(one ->
                new LeasedInstanceSummary(
                    one.id(), one.type(), one.state(), one.timing().entered()))
            .toList());
  }

  List<ExecutorView> all() {
    return all.get();
  }

  private List<ExecutorView> load() {
    Instant now = context.admin().now();
    Map<Integer, String> types =
        context.store().definitions().list().stream()
            .collect(Collectors.toMap(StoredDefinition::id, StoredDefinition::type));
    return context.admin().executors().stream()
        .map(status -> view(status.executor(), now, types))
        .toList();
  }

  private ExecutorView view(ExecutorInfo executor, Instant now, Map<Integer, String> types) {
    ExecutorInfo.Drain drain = executor.drain();
    boolean self = Objects.equals(context.engine().executorId(), executor.id());
    return new ExecutorView(
        executor.id(),
        executor.identity().host(),
        executor.identity().pid(),
        executor.identity().executorGroup(),
        status(executor, now),
        executor.started(),
        executor.heartbeat(),
        executor.expires(),
        executor.stopped(),
        executor.load().runningHandlers(),
        executor.load().concurrency(),
        self ? context.engine().leasedInstanceCount() : executor.load().held(),
        executor.identity().version(),
        executor.identity().definitionIds().stream()
            .map(types::get)
            .filter(Objects::nonNull)
            .distinct()
            .sorted()
            .toList(),
        drain == null ? null : drain.requested(),
        drain == null ? null : drain.deadline(),
        drain == null ? null : drain.by(),
        self,
        executor.identity().node().name(),
        executor.load().heapPercent(),
        executor.readiness().ready(),
        executor.readiness().warm(),
        millis(executor.readiness().setup()));
  }

  private static @Nullable Long millis(@Nullable Duration time) {
    return time == null ? null : time.toMillis();
  }

  private static String status(ExecutorInfo executor, Instant now) {
    if (executor.stopped() != null) {
      return "stopped";
    }
    if (executor.recovered() != null) {
      return "recovered";
    }
    if (!executor.expires().isAfter(now)) {
      return "dead";
    }
    if (executor.drain() != null) {
      return "draining";
    }
    Duration lease = Duration.between(executor.heartbeat(), executor.expires());
    if (executor.state() == ExecutorState.CORDONED) {
      return "cordoned";
    }
    boolean late = executor.heartbeat().plus(lease.dividedBy(2)).isBefore(now);
    return late ? "late" : "alive";
  }
}
