package io.millrace.schedule;

import io.millrace.schedule.Decision.Fire;
import io.millrace.schedule.Decision.Missed;
import io.millrace.schedule.Decision.Skipped;
import io.millrace.schedule.Decision.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which slots of a schedule run now. A function of its arguments: every slot from the next
 * run up to now is decided about once, or left for a later plan, whatever the outage was.
 *
 * <p>How misfire and overlap policies go together when several slots are due:
 *
 * <ul>
 *   <li>{@link Misfire#ALL} and {@link Overlap#BUFFER_ALL} keep all slots up to the catch-up limit,
 *       and fire the oldest; the others wait for the plans that follow. A slot that came during an
 *       execution is not told from one that came during an outage.
 *   <li>{@link Misfire#SKIP} keeps those that are late by no more than the grace.
 *   <li>Otherwise, and always with {@link Overlap#CANCEL}, the latest is kept and older ones are
 *       missed.
 *   <li>While an execution runs, both buffers leave everything where it is. {@link Overlap#SKIP}
 *       drops what is due, except that {@link Misfire#ALL} keeps what was late before.
 * </ul>
 */
public final class Planner {

  /** Decided one by one; older ones are summed up. */
  static final int MOST_DECIDED = 1_000;

  private final Schedule schedule;
  private final RunPolicy policy;
  private final Instant now;
  private final boolean running;
  private final Duration grace;

  private Planner(Schedule schedule, Instant now, boolean running, Duration grace) {
    this.schedule = schedule;
    this.policy = schedule.policy();
    this.now = now;
    this.running = running;
    this.grace = grace;
  }

  /**
   * Makes a plan.
   *
   * @param nextRun the first slot that nothing was decided about; an instant that is no slot, as
   *     after a change of the schedule, stands for the first slot after it
   * @param now a slot at this instant is due
   * @param running true while an execution of the schedule has not ended
   * @param grace how late a slot may be with {@link Misfire#SKIP}, zero or more; a little longer
   *     than it takes to look at the schedule again
   */
  public static Plan plan(
      Schedule schedule, Instant nextRun, Instant now, boolean running, Duration grace) {
    Words.require(!grace.isNegative(), "The grace is " + grace + "; expected zero or more.");
    Instant first = schedule.nextOrSame(nextRun);
    if (first == null || first.isAfter(now)) {
      return new Plan(List.of(), first, null);
    }
    Planner planner = new Planner(schedule, now, running, grace);
    return schedule.recurs() ? planner.recurring(first) : planner.once(first);
  }

  private Plan recurring(Instant first) {
    if (running && waits(first)) {
      return new Plan(List.of(), first, waiting());
    }
    List<Slot> due = due(first);
    List<Decision> decisions = new ArrayList<>();
    if (due.getFirst().at().isAfter(first)) {
      decisions.add(summary(first, due.getFirst().at()));
    }
    Set<Instant> kept = running && policy.overlap() == Overlap.SKIP ? Set.of() : kept(due);
    boolean fired = false;
    for (Slot slot : due) {
      boolean fires = kept.contains(slot.at());
      if (fires && fired) {
        return new Plan(decisions, slot.at(), null);
      }
      fired |= fires;
      decisions.add(fires ? fire(slot, due.size()) : left(slot));
    }
    return new Plan(decisions, schedule.next(now), null);
  }

  private Plan once(Instant first) {
    List<Decision> decisions = new ArrayList<>();
    Instant at = first;
    while (at != null && !at.isAfter(now) && decisions.size() < MOST_DECIDED) {
      Slot slot = schedule.slot(at);
      if (slot.isExcluded()) {
        decisions.add(left(slot));
        at = schedule.next(at);
      } else if (running && waits(at)) {
        return new Plan(decisions, at, waiting());
      } else {
        boolean dropped =
            (running && policy.overlap() == Overlap.SKIP)
                || (policy.misfire() == Misfire.SKIP && isLate(at));
        decisions.add(dropped ? left(slot) : fire(slot, 1));
        return new Plan(decisions, null, null);
      }
    }
    return new Plan(decisions, at, null);
  }

  private boolean waits(Instant first) {
    return switch (policy.overlap()) {
      case BUFFER_ONE, BUFFER_ALL -> true;
      case SKIP -> policy.misfire() == Misfire.ALL && isLate(first);
      case CANCEL, ALLOW -> false;
    };
  }

  private String waiting() {
    return "due, and waits for the running execution to end (overlap " + policy.overlap() + ")";
  }

  private boolean isLate(Instant at) {
    return at.isBefore(now.minus(grace));
  }

  /** The newest that are due, the oldest of them first. */
  private List<Slot> due(Instant first) {
    List<Slot> due = new ArrayList<>();
    Instant at = schedule.previousOrSame(now);
    while (at != null && !at.isBefore(first) && due.size() < MOST_DECIDED) {
      due.add(schedule.slot(at));
      at = schedule.previous(at);
    }
    Collections.reverse(due);
    return due;
  }

  /** What is to run, now or by and by. */
  private Set<Instant> kept(List<Slot> due) {
    List<Slot> kept = new ArrayList<>(due);
    kept.removeIf(Slot::isExcluded);
    if (policy.misfire() == Misfire.SKIP) {
      kept.removeIf(slot -> isLate(slot.at()));
    }
    int most = keepsAll() ? policy.catchUpLimit() : 1;
    return kept.subList(Math.max(0, kept.size() - most), kept.size()).stream()
        .map(Slot::at)
        .collect(Collectors.toSet());
  }

  private boolean keepsAll() {
    return switch (policy.overlap()) {
      case CANCEL -> false;
      case BUFFER_ALL -> true;
      case BUFFER_ONE -> policy.misfire() == Misfire.ALL;
      case SKIP, ALLOW -> policy.misfire() != Misfire.LATEST;
    };
  }

  private Decision fire(Slot slot, int due) {
    boolean cancels = running && policy.overlap() == Overlap.CANCEL;
    String which = due == 1 ? "due" : (keepsAll() ? "one of " : "the latest of ") + due + " due";
    return new Fire(
        slot, cancels, cancels ? which + ", instead of what is running (overlap CANCEL)" : which);
  }

  /** A slot that does not run. */
  private Decision left(Slot slot) {
    if (slot.excluded() != null) {
      return new Skipped(Span.of(slot), slot.excluded());
    }
    return left(Span.of(slot), isLate(slot.at()), "");
  }

  private Decision left(Span span, boolean late, String more) {
    if (running && policy.overlap() == Overlap.SKIP) {
      return new Skipped(span, "an execution was still running (overlap SKIP)" + more);
    }
    if (policy.misfire() == Misfire.SKIP && late) {
      return new Missed(span, "late by more than " + grace + " (misfire SKIP)" + more);
    }
    String why =
        keepsAll()
            ? "more than " + policy.catchUpLimit() + " were waiting (catch-up limit)"
            : "a later one was due (%s)"
                .formatted(
                    policy.overlap() == Overlap.CANCEL
                        ? "overlap CANCEL"
                        : policy.misfire() == Misfire.LATEST
                            ? "misfire LATEST"
                            : "overlap " + policy.overlap());
    return new Missed(span, why + more);
  }

  /** All from {@code first} to the one before {@code end}, calendars or not. */
  private Decision summary(Instant first, Instant end) {
    Instant last = lastBefore(end);
    Span span =
        new Span(
            first,
            last,
            schedule.count(first, last),
            new DataWindow(
                schedule.slot(first).window().from(), schedule.slot(last).window().to()));
    return left(span, isLate(last), "; too many to list them one by one");
  }

  private Instant lastBefore(Instant end) {
    Instant last = schedule.previous(end);
    if (last == null) {
      throw new IllegalStateException("no slot before " + end);
    }
    return last;
  }
}
