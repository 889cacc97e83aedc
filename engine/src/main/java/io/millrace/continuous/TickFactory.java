package io.millrace.continuous;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A factory of the events of one source that goes by time. */
final class TickFactory {

  static final Duration GRACE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(Trigger.class);

  private final TriggerContext scope;
  private String lastRead = "";
  private int reads;

  TickFactory(TriggerContext scope) {
    this.scope = scope;
  }

  /** Returns the instant of the position; empty also if another trigger has written it. */
  Optional<Instant> position() {
    return scope
        .position()
        .flatMap(text -> {
          try {
            return Optional.of(Instant.parse(text));
          } catch (DateTimeException e) {
            LOG.warn(
                "The position of '{}' is not that of a trigger by time, which restarts; was its"
                    + " trigger changed?",
                scope.name());
            return Optional.empty();
          }
        });
  }

  /**
   * Returns an event.
   *
   * @param position value of {@link #position} after it
   */
  PollResult event(Due due, Instant now, Instant position, Runnable accepted) {
    return event(due, now, position, null, accepted);
  }

  /** Returns an event as the only one of a period. */
  PollResult event(
      Due due,
      Instant now,
      Instant position,
      PollResult.@Nullable EventPeriod eventPeriod,
      Runnable accepted) {
    reads = due.key().equals(lastRead) ? reads + 1 : 1;
    lastRead = due.key();
    Tick tick =
        new Tick(
            due.at(),
            due.at().atZone(due.zone()).toLocalDateTime(),
            scope.name(),
            due.key(),
            due.key(),
            reads,
            now.isAfter(due.at().plus(GRACE)));
    return new PollResult.Event(tick, due.key(), position.toString(), eventPeriod, accepted);
  }

  /** A due tick. */
  record Due(Instant at, String key, ZoneId zone) {}
}
