package io.millrace.redis.work;

import io.millrace.instance.InvalidRequestException;
import io.millrace.redis.flow.Job;
import io.millrace.redis.wire.JavaScriptJson;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The job that a handler sees. Texts are converted on demand. */
final class LeasedJob implements Job {

  static final String CORRELATION = "correlationId";

  /** Receiver of the progress that a handler reports. */
  interface ProgressReporter {
    void progress(LeaseResult.Leased job, int percent, String note);
  }

  private final QueueKeys queueKeys;
  private final RunningJob runningJob;
  private final JavaScriptJson json;
  private final ProgressReporter progressReporter;

  LeasedJob(
      QueueKeys queueKeys,
      RunningJob runningJob,
      JavaScriptJson json,
      ProgressReporter progressReporter) {
    this.queueKeys = queueKeys;
    this.runningJob = runningJob;
    this.json = json;
    this.progressReporter = progressReporter;
  }

  /** Returns a job that is on no server, for tests of handlers. */
  static LeasedJob sample(QueueKeys queueKeys, Map<String, ?> fields, int attempt) {
    JavaScriptJson json = JavaScriptJson.standard();
    Map<String, String> texts = json.writeAll(fields);
    List<@Nullable String> values = new ArrayList<>();
    values.add(texts.get(CORRELATION));
    queueKeys.queue().attributes().forEach(name -> values.add(texts.get(name)));
    LeaseResult.JobMetadata jobMetadata = new LeaseResult.JobMetadata(attempt - 1, 0, "", "", 0);
    RunningJob runningJob =
        new RunningJob(new LeaseResult.Leased("sample", values, jobMetadata, ""), 0);
    return new LeasedJob(queueKeys, runningJob, json, (job, percent, note) -> {});
  }

  @Override
  public String id() {
    return queueKeys.id(runningJob.leased().entry());
  }

  @Override
  public String flow() {
    return queueKeys.flow();
  }

  @Override
  public String queue() {
    return queueKeys.name();
  }

  @Override
  public Set<String> fields() {
    Set<String> there = new LinkedHashSet<>();
    for (String field : queueKeys.queue().attributes()) {
      if (text(field) != null) {
        there.add(field);
      }
    }
    return there;
  }

  @Override
  public <T> Optional<T> get(String field, Class<T> type) {
    String text = text(field);
    return text == null ? Optional.empty() : JobFields.read(json, named(field), text, type);
  }

  @Override
  public <T> T need(String field, Class<T> type) {
    return get(field, type)
        .orElseThrow(() ->
            new InvalidRequestException(
                named(field) + " is missing, but the handler needs it as " + type.getName()));
  }

  @Override
  public <T> T as(Class<T> type) {
    String what = "job " + id();
    return JobFields.readAll(json, what, queueKeys.queue().attributes(), values(), type)
        .orElseThrow(() -> new InvalidRequestException(what + " cannot be read as " + type));
  }

  private List<@Nullable String> values() {
    List<@Nullable String> texts = runningJob.leased().texts();
    return texts.subList(1, texts.size());
  }

  private @Nullable String text(String field) {
    int at = queueKeys.queue().attributes().indexOf(field);
    if (at < 0) {
      throw new InvalidRequestException(
          "Queue "
              + queueKeys.name()
              + " does not read the field '"
              + field
              + "' of its jobs; it reads "
              + queueKeys.queue().attributes()
              + ". Name it in Queue.attributes");
    }
    return values().get(at);
  }

  private String named(String field) {
    return "Field '" + field + "' of job " + id();
  }

  @Override
  public Optional<String> correlationId() {
    String text = runningJob.leased().texts().getFirst();
    return text == null ? Optional.empty() : JobFields.plain(json, text);
  }

  @Override
  public int attempt() {
    return runningJob.leased().metadata().attempts() + 1;
  }

  @Override
  public String idempotencyKey() {
    return queueKeys.name() + ":" + id();
  }

  @Override
  public void progress(int percent, String note) {
    if (percent < 0 || percent > 100) {
      throw new InvalidRequestException(
          "The progress of job " + id() + " is " + percent + ", but must be 0 to 100");
    }
    progressReporter.progress(runningJob.leased(), percent, note);
  }

  @Override
  public boolean isCancelled() {
    return runningJob.stopCause() != null;
  }
}
