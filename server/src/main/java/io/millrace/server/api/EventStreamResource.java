package io.millrace.server.api;

import io.millrace.server.events.EventHub;
import io.millrace.server.http.ApiRequest;
import io.millrace.server.http.ApiResponse;
import io.millrace.server.http.Param;
import io.millrace.server.http.ProblemException;
import io.millrace.server.security.CallerIdentity;
import io.millrace.server.security.Guard;
import io.millrace.server.security.Role;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The stream of changes. */
final class EventStreamResource {

  static final Param<String> LAST_EVENT_ID = Param.header("Last-Event-ID", 40);
  static final Param<String> LAST_EVENT_ID_IN_QUERY = Param.text("lastEventId", 40);

  private static final Map<String, String> HEADERS =
      Map.of("Cache-Control", "no-store, no-transform", "X-Accel-Buffering", "no");

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");
  private static final int RETRY_SECONDS = 10;

  private final EventHub hub;
  private final Guard guard;

  EventStreamResource(EventHub hub, Guard guard) {
    this.hub = hub;
    this.guard = guard;
  }

  ApiResponse stream(ApiRequest request) {
    CallerIdentity callerIdentity = request.caller();
    Role role = callerIdentity.role() == null ? Role.VIEWER : callerIdentity.role();
    Long since = since(request);
    EventHub.OpenStream openStream =
        hub.openStream(
            callerIdentity.authMethod() == CallerIdentity.AuthMethod.OPEN
                ? null
                : callerIdentity.actor());
    if (openStream == null && hub.hasCapacity()) {
      throw ProblemException.later(
          429,
          RETRY_SECONDS,
          "Too many open event streams of "
              + callerIdentity.actor()
              + ". Close some, or use polling.");
    }
    if (openStream == null) {
      throw ProblemException.later(
          503,
          RETRY_SECONDS,
          "Too many open event streams (limit "
              + hub.maxStreams()
              + "). Retry later or use polling.");
    }
    return new ApiResponse.Stream(
        "text/event-stream",
        HEADERS,
        out -> openStream.send(out, since, role, () -> guard.isStillValid(callerIdentity)),
        openStream::close);
  }

  /**
   * Returns the id of the last event that the client has. An id that the journal never issued
   * counts as one that is no longer known.
   */
  private static @Nullable Long since(ApiRequest request) {
    String header = request.find(LAST_EVENT_ID);
    String given = header != null ? header : request.find(LAST_EVENT_ID_IN_QUERY);
    if (given == null || given.isEmpty()) {
      return null;
    }
    return NUMBER.matcher(given).matches() ? Long.valueOf(given) : Long.valueOf(Long.MAX_VALUE);
  }
}
