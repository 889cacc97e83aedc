package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;
import io.millrace.instance.TimeLimits;
import io.millrace.store.RowReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A trigger whose events are rows, read in batches. */
record RowTrigger(RowReader rows, Duration every, int batch) implements Trigger {

  private static final int MAX = 10_000;

  /** First pause while rows wait for the end of transactions; it doubles up to the usual one. */
  private static final Duration SOON = IntervalTrigger.MIN_INTERVAL;

  RowTrigger {
    every = TimeLimits.clamp(every);
    if (every.compareTo(IntervalTrigger.MIN_INTERVAL) < 0 || batch < 1 || batch > MAX) {
      throw new InvalidRequestException(
          "Rows are looked for every %s, %s at a time; expected %s or more, 1 to %s."
              .formatted(every, batch, IntervalTrigger.MIN_INTERVAL, MAX));
    }
  }

  @Override
  public String describe() {
    return rows.describe();
  }

  @Override
  public Source open(TriggerContext scope) {
    return new Reading(scope.position().orElse(null));
  }

  private final class Reading implements Source {
    private final Deque<RowReader.Row> read = new ArrayDeque<>();
    private @Nullable String position;
    private Duration soon = SOON;

    Reading(@Nullable String position) {
      this.position = position;
    }

    @Override
    public PollResult poll() {
      if (read.isEmpty()) {
        read.addAll(rows.read(position, batch));
      }
      RowReader.Row row = read.peek();
      if (row == null) {
        return PollResult.waitFor(pause());
      }
      soon = SOON;
      return new PollResult.Event(row.values(), row.id(), row.position(), () -> accept(row));
    }

    private Duration pause() {
      if (!rows.isWaiting()) {
        soon = SOON;
      }
      if (!rows.isWaiting() || soon.compareTo(every) >= 0) {
        return every;
      }
      Duration pause = soon;
      soon = soon.multipliedBy(2);
      return pause;
    }

    private void accept(RowReader.Row row) {
      if (row.equals(read.peek())) {
        read.poll();
        position = row.position();
      }
    }
  }
}
