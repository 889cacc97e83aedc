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
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A leased job, from the lease until its outcome is stored; handlers see it as {@link Job}. Texts
 * are converted on demand. Its handler, or its wait for children, is stopped only between {@code
 * allowStop} and {@code disallowStop}. Thread-safe.
 */
final class LeasedJob implements Job {

  static final String CORRELATION = "correlationId";

  /** Reason to stop a job. */
  enum StopCause {
    /** Another worker has the lock, or it has expired. */
    LOST,
    /** The handler ran longer than its queue allows. */
    TIMEOUT,
    /** The process ends, and does not wait any longer. */
    STOPPED
  }

  /** Receiver of the progress that a handler reports. */
  interface ProgressReporter {
    void progress(LeaseResult.Leased leased, int percent, String note);
  }

  private final QueueKeys queueKeys;
  private final LeaseResult.Leased leased;
  private final JavaScriptJson json;
  private final ProgressReporter progressReporter;
  private final long startNanos;
  private final AtomicBoolean storeStarted = new AtomicBoolean();
  private volatile long lockRenewedNanos;
  private volatile long stopRequestedNanos;
  private volatile @Nullable StopCause stopCause;
  private @Nullable Runnable stopAction;

  LeasedJob(
      QueueKeys queueKeys,
      LeaseResult.Leased leased,
      JavaScriptJson json,
      ProgressReporter progressReporter,
      long nowNanos) {
    this.queueKeys = queueKeys;
    this.leased = leased;
    this.json = json;
    this.progressReporter = progressReporter;
    this.startNanos = nowNanos;
    this.lockRenewedNanos = nowNanos;
  }

  /** Returns a job that is on no server, for tests of handlers. */
  static LeasedJob sample(QueueKeys queueKeys, Map<String, ?> fields, int attempt) {
    JavaScriptJson json = JavaScriptJson.standard();
    Map<String, String> texts = json.writeAll(fields);
    List<@Nullable String> values = new ArrayList<>();
    values.add(texts.get(CORRELATION));
    queueKeys.queue().fields().forEach(name -> values.add(texts.get(name)));
    LeaseResult.JobMetadata jobMetadata = new LeaseResult.JobMetadata(attempt - 1, 0, "", "", 0);
    LeaseResult.Leased leased = new LeaseResult.Leased("sample", values, jobMetadata, "");
    return new LeasedJob(queueKeys, leased, json, (ignored, percent, note) -> {}, 0);
  }

  LeaseResult.Leased leased() {
    return leased;
  }

  @Override
  public String id() {
    return leased.id();
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
    for (String field : queueKeys.queue().fields()) {
      if (text(field) != null) {
        there.add(field);
      }
    }
    return there;
  }

  @Override
  public <T> Optional<T> find(String field, Class<T> type) {
    String text = text(field);
    return text == null ? Optional.empty() : JobFields.read(json, named(field), text, type);
  }

  @Override
  public <T> T get(String field, Class<T> type) {
    return find(field, type)
        .orElseThrow(() ->
            new InvalidRequestException(
                named(field) + " is missing; expected a " + type.getName() + "."));
  }

  @Override
  public <T> T as(Class<T> type) {
    String what = "job " + id();
    return JobFields.readAll(json, what, queueKeys.queue().fields(), values(), type)
        .orElseThrow(() -> new InvalidRequestException(what + " cannot be read as " + type));
  }

  private List<@Nullable String> values() {
    List<@Nullable String> texts = leased.texts();
    return texts.subList(1, texts.size());
  }

  private @Nullable String text(String field) {
    int at = queueKeys.queue().fields().indexOf(field);
    if (at < 0) {
      throw new InvalidRequestException(
          "Queue "
              + queueKeys.name()
              + " does not read the field '"
              + field
              + "' of its jobs; it reads "
              + queueKeys.queue().fields()
              + ". Name it in Queue.fields.");
    }
    return values().get(at);
  }

  private String named(String field) {
    return "Field '" + field + "' of job " + id();
  }

  @Override
  public Optional<String> correlationId() {
    String text = leased.texts().getFirst();
    return text == null ? Optional.empty() : JobFields.plain(json, text);
  }

  @Override
  public int attempt() {
    return leased.metadata().failedAttempts() + 1;
  }

  @Override
  public String idempotencyKey() {
    return queueKeys.name() + ":" + id();
  }

  @Override
  public void progress(int percent, String note) {
    if (percent < 0 || percent > 100) {
      throw new InvalidRequestException(
          "The progress of job " + id() + " is " + percent + "; expected 0 to 100.");
    }
    progressReporter.progress(leased, percent, note);
  }

  @Override
  public boolean isCancelled() {
    return stopCause != null;
  }

  long startNanos() {
    return startNanos;
  }

  /** Returns when its lock was last set or renewed. */
  long lockRenewedNanos() {
    return lockRenewedNanos;
  }

  void lockRenewed(long nowNanos) {
    lockRenewedNanos = nowNanos;
  }

  /** Returns why the job must stop; null while it may continue. */
  @Nullable StopCause stopCause() {
    return stopCause;
  }

  /** Returns when the stop was requested. */
  long stopRequestedNanos() {
    return stopRequestedNanos;
  }

  /** Sets the action that stops the job. It is called at once if a stop was requested already. */
  synchronized void allowStop(Runnable action) {
    stopAction = action;
    if (stopCause != null) {
      action.run();
    }
  }

  /** Removes the action that stops the job, after its handler or its wait has ended. */
  synchronized void disallowStop() {
    stopAction = null;
  }

  /** Returns true while the job's handler or its wait for children can be stopped. */
  synchronized boolean canStop() {
    return stopAction != null;
  }

  /**
   * Requests a stop; only the first request counts.
   *
   * @return true if it was the first, and the job could be stopped
   */
  synchronized boolean stop(StopCause why, long nowNanos) {
    if (stopCause != null || stopAction == null) {
      return false;
    }
    stopRequestedNanos = nowNanos;
    stopCause = why;
    stopAction.run();
    return true;
  }

  /** Returns true for the first caller, which must then store the outcome of the job. */
  boolean tryStartStore() {
    return storeStarted.compareAndSet(false, true);
  }

  /** Lets another caller store the outcome of the job, after the first one could not. */
  void cancelStore() {
    storeStarted.set(false);
  }
}
