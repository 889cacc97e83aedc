package io.millrace.continuous;

import static io.millrace.continuous.FakeTriggerContext.pause;
import static io.millrace.continuous.FakeTriggerContext.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.instance.InvalidRequestException;
import io.millrace.store.RowReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowTriggerTest {

  private final FakeTriggerContext scope = new FakeTriggerContext("2026-03-02T12:00:00Z");
  private final Numbers numbers = new Numbers();

  /** A reader of the numbers up to {@link #last}. */
  private static final class Numbers implements RowReader {
    final List<String> reads = new ArrayList<>();
    int last;
    boolean waiting;

    @Override
    public boolean isWaiting() {
      return waiting;
    }

    @Override
    public String describe() {
      return "rows of numbers";
    }

    @Override
    public List<Row> read(@Nullable String after, int limit) {
      reads.add(after + "+" + limit);
      List<Row> rows = new ArrayList<>();
      for (int i = after == null ? 1 : Integer.parseInt(after) + 1;
          i <= last && rows.size() < limit;
          i++) {
        rows.add(new Row("id" + i, "" + i, Map.of("number", i)));
      }
      return rows;
    }
  }

  @Test
  void rowsComeOneByOneAndAreReadInBatches() throws Exception {
    Trigger.Source source = Triggers.rows(numbers, Duration.ofSeconds(7), 2).open(scope);
    assertThat(pause(source)).isEqualTo(Duration.ofSeconds(7));
    numbers.last = 3;
    assertThat(scope.fire(source).payload()).isEqualTo(Map.of("number", 1));
    assertThat(read(source).id()).isEqualTo("id2"); // not accepted
    assertThat(scope.fire(source).id()).isEqualTo("id2");
    assertThat(scope.fire(source).id()).isEqualTo("id3");
    assertThat(pause(source)).isEqualTo(Duration.ofSeconds(7));
    assertThat(numbers.reads).containsExactly("null+2", "null+2", "2+2", "3+2");
    assertThat(scope.position).isEqualTo("3");
  }

  @Test
  void rowsThatWaitAreLookedForSoonAndThenLessOften() throws Exception {
    Trigger.Source source = Triggers.rows(numbers, Duration.ofMillis(350), 2).open(scope);
    numbers.waiting = true;
    assertThat(pause(source)).isEqualTo(Duration.ofMillis(100));
    assertThat(pause(source)).isEqualTo(Duration.ofMillis(200));
    assertThat(pause(source)).isEqualTo(Duration.ofMillis(350));
    numbers.last = 1;
    scope.fire(source);
    assertThat(pause(source)).isEqualTo(Duration.ofMillis(100));
    numbers.waiting = false;
    assertThat(pause(source)).isEqualTo(Duration.ofMillis(350));
  }

  @Test
  void aRestartGoesOnBehindTheLastAcceptedRow() throws Exception {
    numbers.last = 5;
    Trigger trigger = Triggers.rows(numbers);
    scope.fire(trigger.open(scope));
    assertThat(scope.fire(trigger.open(scope)).id()).isEqualTo("id2");
    assertThat(trigger.describe()).isEqualTo("rows of numbers");
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> Triggers.rows(numbers, Duration.ZERO, 1))
        .isInstanceOf(InvalidRequestException.class)
        .hasMessageContaining("every PT0S");
    assertThatThrownBy(() -> Triggers.rows(numbers, Duration.ofSeconds(1), 0))
        .hasMessageContaining("0 at a time");
  }
}
