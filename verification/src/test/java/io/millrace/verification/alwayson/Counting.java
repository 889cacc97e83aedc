package io.millrace.verification.alwayson;

import io.millrace.continuous.Poll;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerScope;
import java.time.Duration;

/** A trigger with an event for each number up to a last one; it rests for a while after each. */
final class Counting implements Trigger {

  private final int last;
  private final Duration rest;

  Counting(int last, Duration rest) {
    this.last = last;
    this.rest = rest;
  }

  @Override
  public String describe() {
    return "numbers up to " + last;
  }

  @Override
  public Source open(TriggerScope scope) {
    int first = scope.position().map(Integer::parseInt).orElse(0) + 1;
    return new Source() {
      private int next = first;
      private boolean rested;

      @Override
      public Poll poll() {
        if (next > last) {
          return Poll.untilWoken();
        }
        rested = !rested;
        if (rested && !rest.isZero()) {
          return Poll.rest(rest);
        }
        return new Poll.Event(next, "n" + next, Integer.toString(next), () -> next++);
      }
    };
  }
}
