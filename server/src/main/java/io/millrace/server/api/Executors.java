package io.millrace.server.api;

import io.millrace.instance.ExecutorInfo;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The processes that work. */
final class Executors {

  private final Sources sources;

  Executors(Sources sources) {
    this.sources = sources;
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
      boolean self) {}

  Answer list(Call call) {
    return Answer.json(all());
  }

  List<ExecutorView> all() {
    return sources.client().executors(sources.group()).stream().map(this::view).toList();
  }

  private ExecutorView view(ExecutorInfo executor) {
    Long self = sources.engine().executorId();
    boolean own = self != null && self == executor.id();
    return new ExecutorView(
        executor.id(),
        executor.identity().host(),
        executor.identity().pid(),
        executor.identity().executorGroup(),
        executor.stopped() != null
            ? "stopped"
            : executor.recovered() != null ? "recovered" : "alive",
        executor.started(),
        executor.active(),
        executor.expires(),
        executor.stopped(),
        0,
        0,
        own ? sources.engine().held() : 0,
        null,
        List.of(),
        null,
        null,
        null,
        own);
  }
}
