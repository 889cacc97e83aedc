package io.millrace.instance;

import java.time.Duration;
import java.time.Instant;

/** The time at which an instance is due, by the database's clock. */
public sealed interface Due {

  Due NOW = new Now();

  /** Due as soon as an executor is free. */
  record Now() implements Due {}

  /** Due at an instant. */
  record At(Instant instant) implements Due {
    public At {
      instant = TimeLimits.clamp(instant);
    }
  }

  /** Due after a delay from the moment of writing. */
  record After(Duration delay) implements Due {
    public After {
      if (delay.isNegative()) {
        throw new InvalidRequestException(
            "The delay " + delay + " is negative; expected zero or more.");
      }
      delay = delay.compareTo(TimeLimits.MAX_DELAY) > 0 ? TimeLimits.MAX_DELAY : delay;
    }
  }

  /** Due only by an event or an operator. */
  record Never() implements Due {}
}
