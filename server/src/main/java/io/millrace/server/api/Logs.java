package io.millrace.server.api;

import io.millrace.instance.LogLine;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.server.security.InstancePermissions.Use;
import io.millrace.store.LogStore;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an instance's handlers logged. */
final class Logs {

  static final Param<Long> AFTER = Param.position("after");

  private final InstanceAccess instances;
  private final LogStore store;

  Logs(Sources sources) {
    this.instances = sources.instances();
    this.store = sources.store().logs();
  }

  /** A page, with the value of {@code after} for the next one. */
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
      LogLine.Place place = line.place();
      return new LineView(
          line.id(),
          line.at(),
          line.level().toLowerCase(Locale.ROOT),
          line.logger(),
          line.message(),
          place.state(),
          place.attempt() == 0 ? null : place.attempt(),
          place.executorId());
    }
  }

  Answer list(Call call) {
    long id = instances.find(call, Use.READ).id();
    int limit = call.get(Histories.LIMIT);
    List<LogLine> lines = store.lines(id, call.get(AFTER), limit);
    return Answer.json(
        new LogPage(
            lines.stream().map(LineView::of).toList(),
            lines.size() < limit ? null : lines.getLast().id()));
  }
}
