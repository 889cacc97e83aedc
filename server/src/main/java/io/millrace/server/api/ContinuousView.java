package io.millrace.server.api;

import io.millrace.instance.InstanceStatus;
import io.millrace.server.security.SecretNames;
import io.millrace.store.ContinuousStore.LogEntry;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Schema ContinuousWorkflow. */
record ContinuousView(
    String name,
    String group,
    String type,
    String settings,
    boolean enabled,
    String state,
    @Nullable String request,
    @Nullable Long executorId,
    @Nullable Long preferred,
    long epoch,
    @Nullable RunView run,
    ActivityView activity,
    HealthView health,
    @Nullable String position) {

  /** Schema ContinuousRun. */
  record RunView(
      long series,
      long generation,
      Instant seriesStarted,
      Instant started,
      String mode,
      String reason) {

    static @Nullable RunView of(StoredContinuousWorkflow.@Nullable Run run) {
      return run == null
          ? null
          : new RunView(
              run.series(),
              run.generation(),
              run.seriesStarted(),
              run.started(),
              run.mode(),
              run.reason());
    }
  }

  /** Schema ContinuousActivity. */
  record ActivityView(
      long iterations,
      long fires,
      @Nullable Instant lastFire,
      @Nullable Instant lastEnd,
      @Nullable String lastResult,
      @Nullable Long executionId) {

    static ActivityView of(StoredContinuousWorkflow.Activity activity) {
      InstanceStatus last = activity.lastResult();
      return new ActivityView(
          activity.iterations(),
          activity.fires(),
          activity.lastFire(),
          activity.lastEnd(),
          last == null ? null : last.code(),
          activity.executionId());
    }
  }

  /** Schema ContinuousHealth. */
  record HealthView(
      int failures,
      @Nullable Instant backOffUntil,
      boolean crashLoop,
      @Nullable String error,
      @Nullable Instant downSince,
      @Nullable Instant debugUntil,
      @Nullable String debugBy) {

    static HealthView of(StoredContinuousWorkflow.Health health) {
      return new HealthView(
          health.failures(),
          health.backOffUntil(),
          health.crashLoop(),
          health.error(),
          health.downSince(),
          health.debugUntil(),
          health.debugBy());
    }
  }

  /** Schema ContinuousLogEntry. */
  record LogEntryView(
      long id,
      Instant at,
      String type,
      @Nullable String reason,
      @Nullable Long executorId,
      long series,
      long generation,
      long epoch,
      @Nullable String detail) {

    static LogEntryView of(LogEntry entry, SecretNames secretNames) {
      return new LogEntryView(
          entry.id(),
          entry.at(),
          entry.type().name().toLowerCase(Locale.ROOT),
          entry.reason(),
          entry.executorId(),
          entry.run().series(),
          entry.run().generation(),
          entry.run().epoch(),
          masked(entry.detail(), secretNames));
    }
  }

  /** Masks text that triggers and handlers have written. */
  private static @Nullable String masked(@Nullable String text, SecretNames secretNames) {
    return text == null ? null : secretNames.maskText(text);
  }

  static ContinuousView of(StoredContinuousWorkflow one, SecretNames secretNames) {
    StoredContinuousWorkflow.OwnerRequest ownerRequest = one.requested().request();
    return new ContinuousView(
        one.name(),
        one.identity().executorGroup(),
        one.identity().type(),
        secretNames.maskText(one.identity().settings()),
        one.requested().enabled(),
        one.state().code(),
        ownerRequest == null ? null : ownerRequest.name().toLowerCase(Locale.ROOT),
        one.ownership().executorId(),
        one.ownership().preferred(),
        one.ownership().epoch(),
        RunView.of(one.run()),
        ActivityView.of(one.activity()),
        HealthView.of(one.health()),
        masked(one.position(), secretNames));
  }
}
