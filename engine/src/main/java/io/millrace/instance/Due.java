package io.millrace.instance;

import java.time.Duration;
import java.time.Instant;

/** When something shall run, by the database's clock. */
public sealed interface Due {

  Due NOW = new Now();

  /** As soon as an executor is free. */
  record Now() implements Due {}

  /** Not before this instant. */
  record At(Instant instant) implements Due {
    public At {
      instant = TimeLimits.clamp(instant);
    }
  }

  /** Not before this much time has passed since it was written. */
  record After(Duration delay) implements Due {
    public After {
      if (delay.isNegative()) {
        throw new InvalidRequestException(
            "The delay " + delay + " is negative; expected zero or more.");
      }
      delay = delay.compareTo(TimeLimits.LONGEST_DELAY) > 0 ? TimeLimits.LONGEST_DELAY : delay;
    }
  }

  /** Only an event or an operator. */
  record Never() implements Due {}
}
