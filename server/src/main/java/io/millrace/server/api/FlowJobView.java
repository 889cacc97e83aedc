package io.millrace.server.api;

import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.admin.JobPage;
import io.millrace.redis.admin.Place;
import io.millrace.redis.jobs.JobView;
import io.millrace.server.security.SecretNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Schema Job. */
record FlowJobView(
    String flow,
    String id,
    String state,
    @Nullable String queue,
    @Nullable Long position,
    @Nullable Instant at,
    @Nullable String lockOwner,
    @Nullable Long lockSeconds,
    @Nullable Instant createdAt,
    @Nullable Long ttlSeconds,
    @Nullable String correlationId,
    @Nullable String failedQueue,
    @Nullable String failedErrorMsg,
    @Nullable Integer progress,
    @Nullable String note,
    @Nullable Integer attempts,
    Map<String, JsonNode> fields,
    Map<String, String> unreadable,
    List<FlowJobView> children) {

  /**
   * The view of a job.
   *
   * @param places its own comes next, then those of its children
   */
  static FlowJobView of(JobView job, Iterator<Place> places, SecretNames secretNames) {
    Place place = places.next();
    List<FlowJobView> children = new ArrayList<>();
    job.children().forEach(child -> children.add(of(child, places, secretNames)));
    Place.Spot spot = place.spot();
    JobPage.Lock lock = spot == null ? null : spot.lock();
    Map<String, String> meta = place.meta();
    return new FlowJobView(
        job.flow(),
        job.id(),
        state(job, place),
        place.queue(),
        spot == null ? null : spot.position(),
        spot == null ? null : spot.at(),
        lock == null ? null : lock.owner(),
        lock == null ? null : lock.seconds(),
        FlowAdmin.madeAt(job.id()).orElse(null),
        place.ttlSeconds(),
        text(job, "correlationId"),
        text(job, "failedQueue"),
        text(job, "failedErrorMsg"),
        number(place.told("progress")),
        place.told("note"),
        number(meta.get("attempts:" + place.queue())),
        masked(job.fields(), secretNames),
        unreadable(job.unreadable(), secretNames),
        children);
  }

  private static Map<String, JsonNode> masked(
      Map<String, JsonNode> fields, SecretNames secretNames) {
    Map<String, JsonNode> masked = new LinkedHashMap<>();
    fields.forEach((name, value) -> masked.put(name, secretNames.maskOf(name, value)));
    return masked;
  }

  private static Map<String, String> unreadable(
      Map<String, String> fields, SecretNames secretNames) {
    Map<String, String> masked = new LinkedHashMap<>();
    fields.forEach((name, text) ->
        masked.put(name, secretNames.covers(name) ? "***" : secretNames.maskText(text)));
    return masked;
  }

  private static String state(JobView job, Place place) {
    if (place.list() != null) {
      return place.list().name().toLowerCase(Locale.ROOT);
    }
    if (job.hasFailed()) {
      return "failed";
    }
    return job.isTrue("done") || place.ended(text(job, "completed-queue")) ? "done" : "unknown";
  }

  private static @Nullable String text(JobView job, String field) {
    JsonNode value = job.fields().get(field);
    if (value == null || value.isNull()) {
      return null;
    }
    return value.isString() ? value.stringValue() : value.toString();
  }

  private static @Nullable Integer number(@Nullable String text) {
    try {
      return text == null ? null : Integer.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
