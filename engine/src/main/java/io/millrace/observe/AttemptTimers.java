package io.millrace.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.millrace.event.EngineEvent;
import io.millrace.instance.HistoryEntryType;
import io.millrace.instance.InstanceStatus;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The timers of one state, one for each outcome, created when they are first needed. */
final class AttemptTimers {

  /** The outcome of an attempt, as the tag of a meter. */
  enum Outcome {
    /** The handler's answer was accepted. */
    OK,
    /** The instance waits, or polls, in the same state. */
    STAYED,
    /** The attempt failed; another one follows. */
    RETRY,
    /** The attempt failed and was the last one in this state. */
    FAILED;

    static Outcome of(EngineEvent.Transition transition) {
      boolean stays =
          transition.status() == InstanceStatus.IN_PROGRESS
              && transition.from().equals(transition.to());
      if (transition.type() == HistoryEntryType.STATE_EXECUTION_FAILED) {
        return stays ? RETRY : FAILED;
      }
      return stays ? STAYED : OK;
    }
  }

  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<Outcome, Timer> timers = new ConcurrentHashMap<>();

  AttemptTimers(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  Timer of(Outcome outcome) {
    return timers.computeIfAbsent(outcome, this::make);
  }

  private Timer make(Outcome outcome) {
    return Timer.builder("millrace.attempts")
        .description("Attempts whose transition was saved; the time is that of the handler")
        .tags(tags.and("outcome", outcome.name().toLowerCase(Locale.ROOT)))
        .register(registry);
  }
}
