package io.millrace.server.api;

import io.millrace.instance.LogLine;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.security.InstancePermissions.Access;
import io.millrace.store.LogStore;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The log lines of an instance's handlers. */
final class InstanceLogResource {

  static final Param<Long> AFTER = Param.position("after");

  private final InstanceAccess instances;
  private final LogStore store;

  InstanceLogResource(ApiContext context) {
    this.instances = context.instances();
    this.store = context.store().logs();
  }

  /** A page with the value of {@code after} for the next one. */
  record LogPage(List<LineView> items, @Nullable Long next) {}

  /** Schema LogLine. */
  record LineView(
      long id,
      Instant at,
      String level,
      String logger,
      String message,
      @Nullable String state,
      @Nullable Integer attempt,
      @Nullable Long executorId) {

    static LineView of(LogLine line) {
      LogLine.Source source = line.place();
      return new LineView(
          line.id(),
          line.at(),
          line.level().toLowerCase(Locale.ROOT),
          line.logger(),
          line.message(),
          source.state(),
          source.attempt() == 0 ? null : source.attempt(),
          source.executorId());
    }
  }

  ApiResponse list(ApiRequest request) {
    long id = instances.find(request, Access.READ).id();
    int limit = request.get(InstanceHistoryResource.LIMIT);
    List<LogLine> lines = store.lines(id, request.get(AFTER), limit);
    return ApiResponse.json(
        new LogPage(
            lines.stream().map(LineView::of).toList(),
            lines.size() < limit ? null : lines.getLast().id()));
  }
}
