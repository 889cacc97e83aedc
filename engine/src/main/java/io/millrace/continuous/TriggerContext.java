package io.millrace.continuous;

import io.millrace.lifecycle.EngineClock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** What an open trigger knows of its surroundings. Thread-safe. */
public interface TriggerContext {

  /** The workflow's name. */
  String name();

  /** What the last accepted event left, also of a former run or owner; empty at the beginning. */
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
   * When the workflow was switched on; what was due after that and is not behind the position was
   * missed, and not before its time. Empty when that is not known.
   */
  Optional<Instant> enabledSince();

  /** The engine's clock; its instants for people and calendars, its nanoseconds for pauses. */
  EngineClock clock();

  /** Has the source asked soon; from any thread, at any time, also after it was closed. */
  void wake();

  /** The oldest event that came from outside, over HTTP for example; it stays until accepted. */
  Optional<OfferedEvent> nextOfferedEvent();

  /**
   * An event from outside.
   *
   * @param key the sender's name for it
   * @param payload JSON text
   */
  record OfferedEvent(long id, String key, String payload) {}
}
