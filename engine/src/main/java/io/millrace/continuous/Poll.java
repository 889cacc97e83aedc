package io.millrace.continuous;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link Trigger.Source} answers. */
public sealed interface Poll {

  /**
   * Something has happened; the execution gets it.
   *
   * @param payload anything that the engine's codec can write as JSON
   * @param id the same for the same event however often it is read, at most 150 characters; null
   *     for an event that is never read twice, since the position is behind it
   * @param position where the source goes on after it, given to the next source that is opened, at
   *     most 100,000 characters; null leaves it
   * @param once the period of which this is the one event; null for none
   * @param accepted called when the execution is durable; should it throw, the event may come again
   */
  record Event(
      Object payload,
      @Nullable String id,
      @Nullable String position,
      @Nullable Once once,
      Runnable accepted)
      implements Poll {

    /** One that belongs to no period. */
    public Event(
        Object payload, @Nullable String id, @Nullable String position, Runnable accepted) {
      this(payload, id, position, null, accepted);
    }
  }

  /**
   * What is to be done once in a period: the fire ledger decides, under {@code trigger:} and the
   * workflow's name. When the period was done by hand for example, the event starts nothing.
   *
   * @param period its key
   * @param missed keys of periods that passed while nobody could ask the trigger
   */
  record Once(String period, List<String> missed) {

    /** Before the name of a continuous workflow in the ledger. */
    public static final String SCHEDULE = "trigger:";

    public Once {
      missed = List.copyOf(missed);
    }
  }

  /** An event that came from outside and waits in the database; accepted, it waits no more. */
  record Outside(TriggerScope.Offered offered) implements Poll {}

  /** Nothing now: ask again after this rest, or when woken. */
  record Rest(Duration rest) implements Poll {}

  /** Nothing now: ask again when woken. */
  record UntilWoken() implements Poll {}

  /** An event that has nothing to be told of. */
  static Event event(Object payload, @Nullable String id, @Nullable String position) {
    return new Event(payload, id, position, () -> {});
  }

  static Poll rest(Duration rest) {
    return new Rest(rest);
  }

  static Poll untilWoken() {
    return new UntilWoken();
  }
}
