package io.millrace.server.api;

import io.millrace.instance.Deed;
import io.millrace.instance.ExecutorInfo;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.store.DefinitionStore.StoredDefinition;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The processes that work. */
final class Executors {

  private static final Duration AGE = Duration.ofSeconds(1);

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
      boolean self) {

    boolean isLive() {
      return status.equals("alive") || status.equals("late") || status.equals("draining");
    }
  }

  Answer list(Call call) {
    return Answer.json(all());
  }

  Answer drain(Call call) throws IOException {
    Deed deed = Deeds.by(call, call.body("reason"));
    sources.operations().drain(call.id(), deed);
    sources.feed().executors();
    return Answer.empty();
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
        self);
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
    boolean late = executor.active().plus(lease.dividedBy(2)).isBefore(now);
    return late ? "late" : "alive";
  }
}
