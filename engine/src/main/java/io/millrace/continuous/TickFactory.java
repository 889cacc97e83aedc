package io.millrace.continuous;

import io.millrace.schedule.PlannedSlot;
import io.millrace.schedule.Schedule;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A factory of the events of one source that goes by time. */
final class TickFactory {

  static final Duration GRACE = Duration.ofMinutes(1);

  private static final Logger LOG = LoggerFactory.getLogger(Trigger.class);

  /** Text after a time whose offset in the zone of the schedule is unknown or never changes. */
  private static final String NO_OFFSET = "Z";

  /** Format in which the offset of zero differs from {@link #NO_OFFSET}. */
  private static final DateTimeFormatter WITH_OFFSET =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE_TIME)
          .appendOffset("+HH:MM:ss", "+00:00")
          .toFormatter(Locale.ROOT);

  private final TriggerContext scope;
  private String lastRead = "";
  private int reads;

  TickFactory(TriggerContext scope) {
    this.scope = scope;
  }

  /** Returns the instant of the position; empty also if another trigger has written it. */
  Optional<Instant> position() {
    return slot().map(PlannedSlot::at);
  }

  /** Returns the position of a trigger by a schedule, as {@link #text} writes it. */
  Optional<PlannedSlot> slot() {
    return scope
        .position()
        .flatMap(text -> {
          try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            return Optional.of(
                new PlannedSlot(
                    time.toInstant(), text.endsWith(NO_OFFSET) ? null : time.getOffset()));
          } catch (DateTimeException e) {
            LOG.warn(
                "The position of '{}' is not that of a trigger by time, which restarts; was its"
                    + " trigger changed?",
                scope.name());
            return Optional.empty();
          }
        });
  }

  /** Returns the position after a slot. It holds the local time where that has other rules. */
  static String text(Schedule schedule, Instant slot) {
    ZoneOffset offset = PlannedSlot.of(schedule, slot).offset();
    return offset == null || schedule.zone().getRules().isFixedOffset()
        ? slot.toString()
        : WITH_OFFSET.format(slot.atOffset(offset));
  }

  /**
   * Returns an event.
   *
   * @param position value of {@link #position} after it
   */
  PollResult event(Due due, Instant now, Instant position, Runnable accepted) {
    return event(due, now, position.toString(), null, accepted);
  }

  /** Returns an event as the only one of a period. */
  PollResult event(
      Due due,
      Instant now,
      String position,
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
    return new PollResult.Event(tick, due.key(), position, eventPeriod, accepted);
  }

  /** A due tick. */
  record Due(Instant at, String key, ZoneId zone) {}
}
