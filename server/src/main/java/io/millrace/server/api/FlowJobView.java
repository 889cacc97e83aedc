package io.millrace.server.api;

import io.millrace.redis.admin.FlowAdmin;
import io.millrace.redis.admin.JobLocation;
import io.millrace.redis.admin.JobPage;
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
   * Returns the view of a job.
   *
   * @param places locations of the jobs: the next is that of this job, then follow those of its
   *     children
   */
  static FlowJobView of(JobView job, Iterator<JobLocation> places, SecretNames secretNames) {
    JobLocation jobLocation = places.next();
    List<FlowJobView> children = new ArrayList<>();
    job.children().forEach(child -> children.add(of(child, places, secretNames)));
    JobLocation.ListEntry listEntry = jobLocation.listEntry();
    JobPage.Lock lock = listEntry == null ? null : listEntry.lock();
    Map<String, String> metadata = jobLocation.metadata();
    return new FlowJobView(
        job.flow(),
        job.id(),
        state(job, jobLocation),
        jobLocation.queue(),
        listEntry == null ? null : listEntry.position(),
        listEntry == null ? null : listEntry.at(),
        lock == null ? null : lock.owner(),
        lock == null ? null : lock.seconds(),
        FlowAdmin.madeAt(job.id()).orElse(null),
        jobLocation.ttlSeconds(),
        text(job, "correlationId"),
        text(job, "failedQueue"),
        text(job, "failedErrorMsg"),
        number(jobLocation.reported("progress")),
        jobLocation.reported("note"),
        number(metadata.get("attempts:" + jobLocation.queue())),
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
        masked.put(name, secretNames.isSecret(name) ? "***" : secretNames.maskText(text)));
    return masked;
  }

  private static String state(JobView job, JobLocation jobLocation) {
    if (jobLocation.list() != null) {
      return jobLocation.list().name().toLowerCase(Locale.ROOT);
    }
    if (job.hasFailed()) {
      return "failed";
    }
    return job.isTrue("done") || jobLocation.hasCompletedFlow(text(job, "completed-queue"))
        ? "completed"
        : "unknown";
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
