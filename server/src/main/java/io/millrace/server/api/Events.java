package io.millrace.server.api;

import io.millrace.server.events.EventHub;
import io.millrace.server.http.Answer;
import io.millrace.server.http.Call;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.Caller;
import io.millrace.server.security.Guard;
import io.millrace.server.security.Role;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The stream of changes. */
final class Events {

  static final Param<String> LAST_EVENT_ID = Param.header("Last-Event-ID", 40);
  static final Param<String> LAST_EVENT_ID_IN_QUERY = Param.text("lastEventId", 40);

  private static final Map<String, String> HEADERS =
      Map.of("Cache-Control", "no-store, no-transform", "X-Accel-Buffering", "no");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final int RETRY_SECONDS = 10;

  private final EventHub hub;
  private final Guard guard;

  Events(EventHub hub, Guard guard) {
    this.hub = hub;
    this.guard = guard;
  }

  Answer stream(Call call) {
    Caller caller = call.caller();
    Role role = caller.role() == null ? Role.VIEWER : caller.role();
    Long since = since(call);
    EventHub.Place place = hub.enter(caller.means() == Caller.Means.OPEN ? null : caller.actor());
    if (place == null && hub.hasRoom()) {
      throw ProblemException.later(
          429,
          RETRY_SECONDS,
          "Too many open event streams of " + caller.actor() + ". Close some, or use polling.");
    }
    if (place == null) {
      throw ProblemException.later(
          503, RETRY_SECONDS, "Too many event streams are open here; ask again later, or poll.");
    }
    return new Answer.Stream(
        "text/event-stream",
        HEADERS,
        out -> place.send(out, since, role, () -> guard.stillHolds(caller)),
        place::close);
  }

  /** An id that no journal gave stands for one that is no longer known. */
  private static @Nullable Long since(Call call) {
    String header = call.find(LAST_EVENT_ID);
    String given = header != null ? header : call.find(LAST_EVENT_ID_IN_QUERY);
    if (given == null || given.isEmpty()) {
      return null;
    }
    return NUMBER.matcher(given).matches() ? Long.valueOf(given) : Long.valueOf(Long.MAX_VALUE);
  }
}
