package io.millrace.continuous;

import io.millrace.instance.InvalidRequestException;
import io.millrace.store.RowReader;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** Rows, read some at a time. */
record RowTrigger(RowReader rows, Duration every, int batch) implements Trigger {

  private static final int MOST = 10_000;

  RowTrigger {
    if (every.compareTo(IntervalTrigger.SHORTEST) < 0 || batch < 1 || batch > MOST) {
      throw new InvalidRequestException(
          "Rows are looked for every %s, %d at a time; expected %s or more, 1 to %d."
              .formatted(every, batch, IntervalTrigger.SHORTEST, MOST));
    }
  }

  @Override
  public String describe() {
    return rows.describe();
  }

  @Override
  public Source open(TriggerScope scope) {
    return new Reading(scope.position().orElse(null));
  }

  private final class Reading implements Source {
    private final Deque<RowReader.Row> read = new ArrayDeque<>();
    private @Nullable String position;

    Reading(@Nullable String position) {
      this.position = position;
    }

    @Override
    public Poll poll() {
      if (read.isEmpty()) {
        read.addAll(rows.read(position, batch));
      }
      RowReader.Row row = read.peek();
      return row == null
          ? Poll.rest(every)
          : new Poll.Event(row.values(), row.id(), row.position(), () -> accept(row));
    }

    private void accept(RowReader.Row row) {
      if (row.equals(read.peek())) {
        read.poll();
        position = row.position();
      }
    }
  }
}
