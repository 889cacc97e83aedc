package io.millrace.continuous;

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
   * @param position where the source goes on after it, given to the next source that is opened, at
   *     most 100,000 characters; null leaves it
   * @param once the period of which this is the one event; null for none
   * @param memory changes of the items that {@link TriggerContext#memory} returns, written with the
   *     event
   * @param accepted called when the execution is durable; should it throw, the event may come again
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

    /** An event that changes no items. */
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
   * so what a trigger has to remember about many things belongs here and not into the position.
   *
   * @param added items of 1 to 200 characters; those that are there already are allowed
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
   * What is to be done once in a period: the period ledger decides, under {@code trigger:} and the
   * workflow's name. When the period was done by hand for example, the event starts nothing.
   *
   * @param period its key
   * @param missed keys of periods that passed while nobody could ask the trigger
   */
  record EventPeriod(String period, List<String> missed) {

    /** Prefix of the name of a continuous workflow in the period ledger. */
    public static final String LEDGER_KEY_PREFIX = "trigger:";

    public EventPeriod {
      missed = List.copyOf(missed);
    }
  }

  /**
   * Periods that no event comes for any more. They are recorded in the period ledger as missed,
   * under {@code trigger:} and the workflow's name, unless they were claimed; then the source is
   * asked again.
   *
   * @param position where the source goes on, as in an event; null leaves it
   * @param accepted called when the periods are recorded; should it throw, they may come again
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
   * @param reason why no event came for it, for people
   */
  record PassedPeriod(String period, String reason) {}

  /** An event that came from outside and waits in the database; accepted, it waits no more. */
  record ExternalEvent(TriggerContext.OfferedEvent offered) implements PollResult {}

  /** No event; polls again after a delay, or when woken. */
  record WaitFor(Duration waitFor) implements PollResult {}

  /** No event; polls again when woken. */
  record WaitUntilWoken() implements PollResult {}

  /** An event that has nothing to be told of. */
  static Event event(Object payload, @Nullable String id, @Nullable String position) {
    return new Event(payload, id, position, () -> {});
  }

  static PollResult waitFor(Duration rest) {
    return new WaitFor(rest);
  }

  static PollResult untilWoken() {
    return new WaitUntilWoken();
  }
}
