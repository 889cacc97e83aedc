package io.millrace.tests.continuous;

import io.millrace.continuous.PollResult;
import io.millrace.continuous.Trigger;
import io.millrace.continuous.TriggerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A trigger under a test's control: its events are in a list, and the position is the index of the
 * next one.
 */
final class TestTrigger implements Trigger {

  final List<String> events = new ArrayList<>();
  final List<String> log = new ArrayList<>();
  TriggerContext last;
  int opened;
  int closed;
  int polls;
  boolean eventsHaveIds = true;

  /** True if the trigger saves no position, so that a new source reads all events again. */
  boolean savesNoPosition;

  Supplier<PollResult> idle = PollResult::untilWoken;
  Supplier<RuntimeException> opening = () -> null;
  Supplier<RuntimeException> polling = () -> null;
  Runnable closing = () -> {};

  @Override
  public String describe() {
    return "a feed";
  }

  void addEvent(String event) {
    events.add(event);
    if (last != null) {
      last.wake();
    }
  }

  private static void fail(Supplier<RuntimeException> planned) {
    RuntimeException fault = planned.get();
    if (fault != null) {
      throw fault;
    }
  }

  @Override
  public Source open(TriggerContext scope) {
    opened++;
    log.add("open " + scope.position().orElse("-"));
    fail(opening);
    last = scope;
    return new Reader(scope.position().map(Integer::parseInt).orElse(0));
  }

  private final class Reader implements Source {
    private int next;

    Reader(int next) {
      this.next = next;
    }

    @Override
    public PollResult poll() {
      polls++;
      fail(polling);
      if (next >= events.size()) {
        return idle.get();
      }
      int at = next;
      return new PollResult.Event(
          events.get(at),
          eventsHaveIds ? "event " + at : null,
          savesNoPosition ? null : Integer.toString(at + 1),
          () -> {
            log.add("accepted " + events.get(at));
            next = at + 1;
          });
    }

    @Override
    public void close() {
      closing.run();
      closed++;
      log.add("close");
    }
  }
}
