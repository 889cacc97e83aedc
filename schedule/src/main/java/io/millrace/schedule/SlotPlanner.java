package io.millrace.schedule;

import io.millrace.schedule.SlotDecision.Fire;
import io.millrace.schedule.SlotDecision.Missed;
import io.millrace.schedule.SlotDecision.Skipped;
import io.millrace.schedule.SlotDecision.SlotRange;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Decides which slots of a schedule run now. A pure function of its arguments: every slot from the
 * next run up to now is decided once, or left for a later plan, however long the outage was.
 *
 * <p>{@link MisfirePolicy} (columns) and {@link OverlapPolicy} (rows) say together which due slots
 * are kept. The oldest of them fires, the others wait for the next plans, and those that are not
 * kept are missed.
 *
 * <pre>
 *               LATEST    NONE                        ALL
 *   SKIP        latest    each within the grace       each
 *   BUFFER_ONE  latest    latest within the grace     each
 *   BUFFER_ALL  each      each within the grace       each
 *   CANCEL      latest    latest within the grace     latest
 *   ALLOW       latest    each within the grace       each
 * </pre>
 *
 * <p>Each is at most as many as the catch-up limit, the newest. While an execution runs, the table
 * holds for {@link OverlapPolicy#CANCEL} and {@link OverlapPolicy#ALLOW}. Both buffers leave all
 * slots undecided until it has ended, so that a slot that was due during an execution is treated
 * like one that was due during an outage. {@link OverlapPolicy#SKIP} skips all due slots, also
 * those that waited after a fire; only with {@link MisfirePolicy#ALL}, and if the first of them is
 * late, it leaves them undecided.
 */
public final class SlotPlanner {

  /**
   * Number of slots that are decided one by one; older ones are summarized, so that a plan is
   * written quickly.
   */
  static final int MAX_DECIDED = 100;

  /** Maximum number of slots that are searched for those that may run. */
  static final int MAX_SEEN = 1_000;

  private static final String MANY = "; too many to list them one by one";

  private final Schedule schedule;
  private final RunPolicy policy;
  private final Instant now;
  private final boolean running;
  private final Duration grace;

  private SlotPlanner(Schedule schedule, Instant now, boolean running, Duration grace) {
    this.schedule = schedule;
    this.policy = schedule.policy();
    this.now = now;
    this.running = running;
    this.grace = grace;
  }

  /**
   * Makes a plan.
   *
   * @param nextRun the first undecided slot, or an instant for which {@link Schedule#nearestSlot}
   *     determines it
   * @param now a slot at this instant is due
   * @param running true while an execution of the schedule has not ended
   * @param grace how late a slot may be with {@link MisfirePolicy#NONE}, zero or more; a little
   *     longer than the interval at which the schedule is checked
   */
  public static SlotPlan plan(
      Schedule schedule, Instant nextRun, Instant now, boolean running, Duration grace) {
    return plan(schedule, new PlannedSlot(nextRun, null), now, running, grace);
  }

  /**
   * Makes a plan for a stored slot. If the rules of the time zone have changed since it was
   * computed, the plan also skips the slots whose local times passed by the earlier rules.
   *
   * @param nextRun the first undecided slot
   */
  public static SlotPlan plan(
      Schedule schedule, PlannedSlot nextRun, Instant now, boolean running, Duration grace) {
    ScheduleValidation.require(
        !grace.isNegative(), "The grace is " + grace + "; expected zero or more.");
    Instant first = nextRun.byCurrentRules(schedule);
    if (first == null || first.isAfter(now)) {
      return new SlotPlan(passed(schedule, nextRun), first, null);
    }
    SlotPlanner slotPlanner = new SlotPlanner(schedule, now, running, grace);
    SlotPlan slotPlan = schedule.recurs() ? slotPlanner.recurring(first) : slotPlanner.once(first);
    List<SlotDecision> decisions = passed(schedule, nextRun);
    decisions.addAll(slotPlan.decisions());
    return new SlotPlan(decisions, slotPlan.nextRun(), slotPlan.waiting());
  }

  private static List<SlotDecision> passed(Schedule schedule, PlannedSlot nextRun) {
    List<SlotDecision> decisions = new ArrayList<>();
    SlotRange passed = nextRun.passed(schedule);
    if (passed != null) {
      decisions.add(
          new Skipped(
              passed,
              "its local time had passed when the rules of time zone "
                  + schedule.zone()
                  + " changed"));
    }
    return decisions;
  }

  /**
   * Returns the decisions about slots up to now that no longer run: the newest ones one by one,
   * older ones in one decision.
   *
   * @param nextRun as for a plan
   * @param why the reason for those that no calendar excludes
   */
  public static List<SlotDecision> planAbandoned(
      Schedule schedule, PlannedSlot nextRun, Instant now, String why) {
    Instant first = nextRun.byCurrentRules(schedule);
    List<SlotDecision> decisions = passed(schedule, nextRun);
    if (first != null && !first.isAfter(now)) {
      decisions.addAll(abandoned(schedule, first, now, why));
    }
    return decisions;
  }

  private static List<SlotDecision> abandoned(
      Schedule schedule, Instant first, Instant now, String why) {
    List<SlotDecision> decisions = new ArrayList<>();
    Instant at = first;
    if (schedule.recurs()) {
      SlotPlanner slotPlanner = new SlotPlanner(schedule, now, false, Duration.ZERO);
      at = slotPlanner.firstListed();
      if (at.isAfter(first)) {
        SlotRange older = SlotRange.of(schedule, first, slotPlanner.lastBefore(at));
        decisions.add(new Missed(older, why + MANY));
      }
      at = at.isBefore(first) ? first : at;
    }
    boolean ended = false;
    while (at != null && !at.isAfter(now) && !ended && decisions.size() <= MAX_DECIDED) {
      Slot slot = schedule.slot(at);
      decisions.add(
          slot.exclusionReason() == null
              ? new Missed(SlotRange.of(slot), why)
              : new Skipped(SlotRange.of(slot), slot.exclusionReason()));
      ended = !schedule.recurs() && !slot.isExcluded();
      at = schedule.next(at);
    }
    return decisions;
  }

  /** Returns the first of the newest slots, which are listed one by one. */
  private Instant firstListed() {
    Instant at = schedule.previousOrSame(now);
    for (int i = 1; at != null && i < MAX_DECIDED; i++) {
      Instant before = schedule.previous(at);
      if (before == null) {
        break;
      }
      at = before;
    }
    return at == null ? now : at;
  }

  private SlotPlan recurring(Instant first) {
    if (running && waits(first)) {
      return new SlotPlan(List.of(), first, waiting());
    }
    List<Slot> due = due(first);
    List<Slot> kept = kept(due);
    int fire = kept.isEmpty() ? due.size() : due.indexOf(kept.getFirst());
    if (kept.size() < 2) {
      return new SlotPlan(decisions(first, due, fire), schedule.next(now), null);
    }
    int then = due.indexOf(kept.get(1));
    return new SlotPlan(decisions(first, due.subList(0, then), fire), due.get(then).at(), null);
  }

  /**
   * Returns the decisions from {@code first} to the last of {@code due}.
   *
   * @param fire index of the slot that fires; beyond the last if none does
   */
  private List<SlotDecision> decisions(Instant first, List<Slot> due, int fire) {
    boolean fires = fire < due.size();
    int listed = Math.max(0, due.size() - MAX_DECIDED);
    int before = Math.min(fire, listed);
    List<SlotDecision> decisions = new ArrayList<>();
    if (due.get(before).at().isAfter(first)) {
      decisions.add(summary(first, due.get(before).at(), fires));
    }
    due.subList(before, fire).forEach(slot -> decisions.add(unfired(slot)));
    if (fires) {
      decisions.add(fireOf(due.get(fire), schedule.countBetween(first, now.plusNanos(1))));
      int after = Math.max(fire + 1, listed);
      if (after > fire + 1) {
        // Slots between the one that fires and the next kept one are excluded.
        decisions.add(summary(due.get(fire + 1).at(), due.get(after).at(), false));
      }
      due.subList(after, due.size()).forEach(slot -> decisions.add(unfired(slot)));
    }
    return decisions;
  }

  private SlotPlan once(Instant first) {
    List<SlotDecision> decisions = new ArrayList<>();
    Instant at = first;
    while (at != null && !at.isAfter(now) && decisions.size() < MAX_DECIDED) {
      Slot slot = schedule.slot(at);
      if (slot.isExcluded()) {
        decisions.add(unfired(slot));
        at = schedule.next(at);
      } else if (running && waits(at)) {
        return new SlotPlan(decisions, at, waiting());
      } else {
        boolean dropped =
            (running && policy.overlap() == OverlapPolicy.SKIP)
                || (policy.misfire() == MisfirePolicy.NONE && isLate(at));
        decisions.add(dropped ? unfired(slot) : fireOf(slot, 1));
        return new SlotPlan(decisions, null, null);
      }
    }
    return new SlotPlan(decisions, at, null);
  }

  private boolean waits(Instant first) {
    return switch (policy.overlap()) {
      case BUFFER_ONE, BUFFER_ALL -> true;
      case SKIP -> policy.misfire() == MisfirePolicy.ALL && isLate(first);
      case CANCEL, ALLOW -> false;
    };
  }

  private String waiting() {
    return "due, and waits for the running execution to end (overlap " + policy.overlap() + ")";
  }

  private boolean isLate(Instant at) {
    return schedule.lateAfter(at, grace).isBefore(now);
  }

  /**
   * Returns due slots in ascending order, up to now: all that may run, and those before them that
   * are listed one by one.
   */
  private List<Slot> due(Instant first) {
    List<Slot> due = new ArrayList<>();
    Instant at = schedule.previousOrSame(now);
    int remaining = maxKept();
    boolean found = false;
    int limit = MAX_SEEN;
    while (at != null && !at.isBefore(first) && due.size() < limit) {
      Slot slot = schedule.slot(at);
      due.add(slot);
      remaining -= mayRun(slot) ? 1 : 0;
      if (!found && (remaining <= 0 || (policy.misfire() == MisfirePolicy.NONE && isLate(at)))) {
        found = true;
        limit = due.size() - 1 + MAX_DECIDED;
      }
      at = schedule.previous(at);
    }
    Collections.reverse(due);
    return due;
  }

  /** Returns the slots to run, now or later, oldest first. */
  private List<Slot> kept(List<Slot> due) {
    List<Slot> kept = due.stream().filter(this::mayRun).toList();
    return kept.subList(Math.max(0, kept.size() - maxKept()), kept.size());
  }

  private boolean mayRun(Slot slot) {
    return !slot.isExcluded() && !(policy.misfire() == MisfirePolicy.NONE && isLate(slot.at()));
  }

  private int maxKept() {
    if (running && policy.overlap() == OverlapPolicy.SKIP) {
      return 0;
    }
    return keepsAll() ? policy.catchUpLimit() : 1;
  }

  private boolean keepsAll() {
    return switch (policy.overlap()) {
      case CANCEL -> false;
      case BUFFER_ALL -> true;
      case BUFFER_ONE -> policy.misfire() == MisfirePolicy.ALL;
      case SKIP, ALLOW -> policy.misfire() != MisfirePolicy.LATEST;
    };
  }

  /** Returns the decision to run a slot, which stands for {@code due} slots. */
  private SlotDecision fireOf(Slot slot, long due) {
    boolean cancels = running && policy.overlap() == OverlapPolicy.CANCEL;
    String which = due == 1 ? "due" : (keepsAll() ? "one of " : "the latest of ") + due + " due";
    return new Fire(
        slot, cancels, cancels ? which + ", instead of what is running (overlap CANCEL)" : which);
  }

  /** Returns the decision about a slot that does not run. */
  private SlotDecision unfired(Slot slot) {
    if (slot.exclusionReason() != null) {
      return new Skipped(SlotRange.of(slot), slot.exclusionReason());
    }
    return unfired(SlotRange.of(slot), isLate(slot.at()), "");
  }

  private SlotDecision unfired(SlotRange slotRange, boolean late, String more) {
    if (running && policy.overlap() == OverlapPolicy.SKIP) {
      return new Skipped(slotRange, "an execution was still running (overlap SKIP)" + more);
    }
    if (policy.misfire() == MisfirePolicy.NONE && late) {
      return new Missed(slotRange, "late by more than " + grace + " (misfire NONE)" + more);
    }
    String why =
        keepsAll()
            ? "more than " + policy.catchUpLimit() + " were waiting (catch-up limit)"
            : "a later one was due (%s)"
                .formatted(
                    policy.overlap() == OverlapPolicy.CANCEL
                        ? "overlap CANCEL"
                        : policy.misfire() == MisfirePolicy.LATEST
                            ? "misfire LATEST"
                            : "overlap " + policy.overlap());
    return new Missed(slotRange, why + more);
  }

  /**
   * Summarizes all slots from {@code first} to before {@code end}, including excluded ones.
   *
   * @param fires true if a later one fires
   */
  private SlotDecision summary(Instant first, Instant end, boolean fires) {
    Slot last = schedule.slot(lastBefore(end));
    SlotRange slotRange = SlotRange.of(schedule, first, last.at());
    return last.exclusionReason() != null && !fires
        ? new Skipped(slotRange, last.exclusionReason() + MANY)
        : unfired(slotRange, isLate(last.at()), MANY);
  }

  private Instant lastBefore(Instant end) {
    Instant last = schedule.previous(end);
    if (last == null) {
      throw new IllegalStateException("no slot before " + end);
    }
    return last;
  }
}
