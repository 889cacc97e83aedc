package io.millrace.continuous;

import io.millrace.lifecycle.EngineClock;
import io.millrace.store.ContinuousStore.OfferedEvent;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** The environment of an open trigger. Thread-safe. */
public interface TriggerContext {

  /** Returns the workflow's name. */
  String name();

  /**
   * Returns the position of the last accepted event, also of a former run or owner; empty at first.
   */
  Optional<String> position();

  /**
   * Returns the items that accepted events have added and not removed, also of a former run or
   * owner; see {@link PollResult.MemoryChange}. Reads all of them from the database, so call it
   * when the source is opened.
   */
  default Set<String> memory() {
    return Set.of();
  }

  /**
   * Returns when the workflow was enabled; slots after that and not before the position were
   * missed. Empty if unknown.
   */
  Optional<Instant> enabledSince();

  /**
   * Returns the engine's clock; its instants are for people and calendars, its nanoseconds for
   * pauses.
   */
  EngineClock clock();

  /** Polls the source soon; callable from any thread at any time, also after the close. */
  void wake();

  /**
   * Returns the oldest event that was offered to the workflow, for example over HTTP; it is kept
   * until it is accepted.
   */
  Optional<OfferedEvent> nextOfferedEvent();
}
