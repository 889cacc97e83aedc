package io.millrace.server.api;

import io.millrace.Nodes.Holding;
import io.millrace.instance.DrainRequest;
import io.millrace.instance.ExecutorInfo;
import io.millrace.instance.InstanceQuery;
import io.millrace.instance.NodeState;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Fields;
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

/** The processes that work. */
final class Executors {

  static final Param<Integer> LIMIT = Param.number("limit", 1, 1000, 50);

  private static final Duration AGE = Duration.ofSeconds(1);
  private static final long LONGEST_GRACE = Duration.ofDays(1).toSeconds();
  private static final Set<String> LIVE = Set.of("alive", "late", "cordoned", "draining");

  private final Sources sources;
  private final Cached<List<ExecutorView>> all;

  Executors(Sources sources) {
    this.sources = sources;
    this.all = new Cached<>(sources.clock(), AGE, this::load);
  }

  /** Schema Executor. */
  record ExecutorView(
      long id,
      String host,
      long pid,
      String group,
      String status,
      Instant started,
      Instant active,
      Instant expires,
      @Nullable Instant stopped,
      int running,
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

  Answer list(Call call) {
    return Answer.json(all());
  }

  Answer drain(Call call) throws IOException {
    Fields body = call.body("graceSeconds", "reason");
    Long grace = body.optionalNumber("graceSeconds", 0, LONGEST_GRACE);
    DrainRequest request =
        grace == null ? DrainRequest.usual() : DrainRequest.within(Duration.ofSeconds(grace));
    sources.engine().nodes().drain(call.id(), request, Deeds.by(call, body));
    return changed();
  }

  Answer cordon(Call call) throws IOException {
    sources.engine().nodes().cordon(call.id(), Deeds.by(call, call.body("reason")));
    return changed();
  }

  Answer uncordon(Call call) throws IOException {
    sources.engine().nodes().uncordon(call.id(), Deeds.by(call, call.body("reason")));
    return changed();
  }

  private Answer changed() {
    all.forget();
    sources.feed().executors();
    return Answer.empty();
  }

  /** Returns what its drain waits for, as far as the caller may read it. */
  Answer holding(Call call) {
    InstanceQuery held = InstanceQuery.all().executor(call.id()).limit(call.get(LIMIT));
    return Answer.json(
        sources.client().search(InstanceAccess.readable(call, held)).items().stream()
            .map(one -> new Holding(one.id(), one.type(), one.state(), one.timing().modified()))
            .toList());
  }

  List<ExecutorView> all() {
    return all.get();
  }

  private List<ExecutorView> load() {
    Instant now = sources.operations().now();
    Map<Integer, String> types =
        sources.store().definitions().list().stream()
            .collect(Collectors.toMap(StoredDefinition::id, StoredDefinition::type));
    return sources.operations().executors().stream().map(e -> view(e, now, types)).toList();
  }

  private ExecutorView view(ExecutorInfo executor, Instant now, Map<Integer, String> types) {
    ExecutorInfo.Drain drain = executor.drain();
    boolean self = Objects.equals(sources.engine().executorId(), executor.id());
    return new ExecutorView(
        executor.id(),
        executor.identity().host(),
        executor.identity().pid(),
        executor.identity().executorGroup(),
        status(executor, now),
        executor.started(),
        executor.active(),
        executor.expires(),
        executor.stopped(),
        executor.load().running(),
        executor.load().concurrency(),
        self ? sources.engine().held() : executor.load().held(),
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
        executor.standing().ready(),
        executor.standing().warm(),
        millis(executor.standing().setup()));
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
    Duration lease = Duration.between(executor.active(), executor.expires());
    if (executor.state() == NodeState.CORDONED) {
      return "cordoned";
    }
    boolean late = executor.active().plus(lease.dividedBy(2)).isBefore(now);
    return late ? "late" : "alive";
  }
}
