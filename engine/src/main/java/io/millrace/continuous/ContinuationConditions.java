package io.millrace.continuous;

import io.millrace.instance.TimeLimits;
import io.millrace.store.StoredContinuousWorkflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The conditions of a continuation, for explanations. The database decides whether they hold. */
public final class ContinuationConditions {

  /** A condition of a continuation. */
  public enum Condition {
    /** An executor runs the trigger. */
    RUNNING,
    /** No debug session is open. */
    NOT_DEBUGGED,
    /** No execution runs. */
    IN_TRIGGER,
    /** An execution has ended since the run started. */
    ITERATED,
    /** The run is old enough. */
    OLD_ENOUGH
  }

  /** A condition that does not hold. */
  public record Unmet(Condition condition, String text) {}

  private ContinuationConditions() {}

  /** Returns the conditions that do not hold at {@code now}; empty if the run can be continued. */
  public static List<Unmet> unmet(StoredContinuousWorkflow row, Duration minAge, Instant now) {
    List<Unmet> unmet = new ArrayList<>();
    StoredContinuousWorkflow.Run run = row.run();
    if (run == null || row.ownership().executorId() == null || !row.requested().enabled()) {
      unmet.add(new Unmet(Condition.RUNNING, "it does not run"));
      return unmet;
    }
    Instant debugged = row.health().debugUntil();
    if (debugged != null && debugged.isAfter(now)) {
      unmet.add(
          new Unmet(
              Condition.NOT_DEBUGGED, row.health().debugBy() + " looks into it until " + debugged));
    }
    if (row.activity().executionId() != null) {
      unmet.add(
          new Unmet(
              Condition.IN_TRIGGER, "execution " + row.activity().executionId() + " of it runs"));
    }
    if (row.activity().iterations() < 1) {
      unmet.add(new Unmet(Condition.ITERATED, "no execution has ended since the run began"));
    }
    if (TimeLimits.after(run.started(), minAge).isAfter(now)) {
      unmet.add(
          new Unmet(
              Condition.OLD_ENOUGH,
              "the run began at " + run.started() + ", less than " + minAge + " ago"));
    }
    return unmet;
  }
}
