package io.millrace.tests.continuous;

import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import java.time.Duration;

/** A trigger with an event for each number up to a last one; it pauses after each event. */
final class CountingTrigger implements Trigger {

  private final int last;
  private final Duration rest;

  CountingTrigger(int last, Duration rest) {
    this.last = last;
    this.rest = rest;
  }

  @Override
  public String describe() {
    return "numbers up to " + last;
  }

  @Override
  public Source open(TriggerContext scope) {
    int first = scope.position().map(Integer::parseInt).orElse(0) + 1;
    return new Source() {
      private int next = first;
      private boolean rested;

      @Override
      public PollResult poll() {
        if (next > last) {
          return PollResult.untilWoken();
        }
        rested = !rested;
        if (rested && !rest.isZero()) {
          return PollResult.waitFor(rest);
        }
        return new PollResult.Event(next, "n" + next, Integer.toString(next), () -> next++);
      }
    };
  }
}
