package io.millrace.store;

import io.millrace.instance.TimeLimits;
import io.millrace.lifecycle.EngineSettings.Retention;
import io.millrace.store.RetentionStore.Overdue;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An ended instance that should have been archived or deleted by the retention settings. */
public record RetentionBacklog(long instanceId, String what, Duration overdue) {

  /** Delay of the most overdue instance above which retention is behind; it runs every minute. */
  public static final Duration BEHIND = Duration.ofHours(1);

  /**
   * Returns the instance that is overdue for longest.
   *
   * @param now the time by the database's clock
   * @param tolerance delay up to which an instance does not count
   */
  public static Optional<RetentionBacklog> find(
      RetentionStore store, Retention policy, Instant now, Duration tolerance) {
    Duration archive = policy.archiveAfter();
    Duration delete = policy.deleteAfter();
    boolean archived = archive != null && (delete == null || archive.compareTo(delete) <= 0);
    Duration live = archived ? archive : delete;
    Duration gone = policy.deleteArchivedAfter();
    return Stream.of(
            find(archived ? "archived" : "deleted", live, now, tolerance, store::overdue),
            find("deleted from the archive", gone, now, tolerance, store::overdueArchived))
        .flatMap(Optional::stream)
        .max(Comparator.comparing(RetentionBacklog::overdue));
  }

  @FunctionalInterface
  private interface Search {
    Optional<Overdue> of(Duration age);
  }

  private static Optional<RetentionBacklog> find(
      String what, @Nullable Duration age, Instant now, Duration tolerance, Search search) {
    if (age == null) {
      return Optional.empty();
    }
    return search
        .of(TimeLimits.clamp(age.plus(tolerance)))
        .map(one ->
            new RetentionBacklog(
                one.instanceId(), what, Duration.between(one.ended(), now).minus(age)));
  }

  /** Returns it as a sentence without the final period. */
  public String sentence() {
    return "Retention is behind: instance "
        + instanceId
        + " should have been "
        + what
        + " "
        + overdue.toMinutes()
        + " minutes ago";
  }
}
