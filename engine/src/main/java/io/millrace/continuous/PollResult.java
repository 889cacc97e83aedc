package io.millrace.continuous;

import io.millrace.store.ContinuousStore.OfferedEvent;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The answer of a {@link Trigger.Source} to a poll. */
public sealed interface PollResult {

  /**
   * An event, which starts an execution.
   *
   * @param payload anything that the engine's codec can write as JSON
   * @param id the same for the same event however often it is read, at most 150 characters; null
   *     for an event that is never read twice, since the position is behind it
   * @param position position after the event, passed to the next source that is opened, at most
   *     100,000 characters; null to keep the position
   * @param once the period of which this is the only event; null for none
   * @param memory changes of the items that {@link TriggerContext#memory} returns, written with the
   *     event
   * @param accepted called when the execution is durable; if it throws, the event may come again
   */
  record Event(
      Object payload,
      @Nullable String id,
      @Nullable String position,
      @Nullable EventPeriod once,
      MemoryChange memory,
      Runnable accepted)
      implements PollResult {

    /** Creates an event without a period. */
    public Event(
        Object payload, @Nullable String id, @Nullable String position, Runnable accepted) {
      this(payload, id, position, null, accepted);
    }

    /** Creates an event that changes no items. */
    public Event(
        Object payload,
        @Nullable String id,
        @Nullable String position,
        @Nullable EventPeriod once,
        Runnable accepted) {
      this(payload, id, position, once, MemoryChange.UNCHANGED, accepted);
    }

    /** Returns the same event with another listener for its acceptance. */
    public Event accepted(Runnable listener) {
      return new Event(payload, id, position, once, memory, listener);
    }
  }

  /**
   * A change of the items that a trigger remembers. It costs the same however many items there are,
   * so whatever a trigger remembers about many things belongs here and not into the position.
   *
   * @param added items of 1 to 200 characters; those that exist already are allowed
   * @param removed items that are removed before others are added; missing ones are allowed
   */
  record MemoryChange(List<String> added, List<String> removed) {

    /** No change. */
    public static final MemoryChange UNCHANGED = new MemoryChange(List.of(), List.of());

    public MemoryChange {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /**
   * A period in which the event must happen once. The period ledger decides, under {@code trigger:}
   * and the workflow's name. If the period was done before, for example by hand, the event starts
   * nothing.
   *
   * @param period its key
   * @param missed keys of periods that passed while no engine could poll the trigger
   */
  record EventPeriod(String period, List<String> missed) {

    /** Prefix of the name of a continuous workflow in the period ledger. */
    public static final String LEDGER_KEY_PREFIX = "trigger:";

    public EventPeriod {
      missed = List.copyOf(missed);
    }
  }

  /**
   * Periods without an event, which are past. They are recorded in the period ledger as missed,
   * under {@code trigger:} and the workflow's name, unless they were claimed. Then the source is
   * polled again.
   *
   * @param position new position, as in an event; null to keep it
   * @param accepted called when the periods are recorded; if it throws, they may come again
   */
  record MissedPeriods(List<PassedPeriod> periods, @Nullable String position, Runnable accepted)
      implements PollResult {

    public MissedPeriods {
      periods = List.copyOf(periods);
    }
  }

  /**
   * A period that was missed.
   *
   * @param period its key
   * @param reason why there was no event, for people
   */
  record PassedPeriod(String period, String reason) {}

  /** An offered event, which is kept in the database until it is accepted. */
  record Offered(OfferedEvent event) implements PollResult {}

  /** No event; polls again after a delay, or when woken. */
  record WaitFor(Duration waitFor) implements PollResult {}

  /** No event; polls again when woken. */
  record WaitUntilWoken() implements PollResult {}

  /** Returns an event without a listener for its acceptance. */
  static Event event(Object payload, @Nullable String id, @Nullable String position) {
    return new Event(payload, id, position, () -> {});
  }

  static PollResult waitFor(Duration pause) {
    return new WaitFor(pause);
  }

  static PollResult untilWoken() {
    return new WaitUntilWoken();
  }
}
